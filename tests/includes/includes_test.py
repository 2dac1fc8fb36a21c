"""Dependencies point one way: which module of lib/ may include what. The rules are in docs/architecture.md."""
import os
import re
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("STREW_SOURCE_DIR", Path(__file__).resolve().parents[2]))

# Public headers by the module they describe. strategy.hpp is the contract that all domains implement.
HEADER_OWNER = {
    "status": "core", "types": "core", "context": "core", "random": "core", "hash": "core", "exact_math": "core",
    "strategy": "core", "poisson": "poisson", "automaton": "automaton", "terrain": "terrain", "scatter": "scatter",
    "shapes": "terrain", "snapmesh": "snapmesh", "navigation": "navigation", "navigation_recast": "navigation_recast",
    "analysis": "analysis",
}
BASE = {"core", "exec", "simd"}
# Modules whose private headers a module may include, besides its own.
PRIVATE = {
    "core": set(), "exec": {"core"}, "simd": {"core"},
    "poisson": BASE, "automaton": BASE, "terrain": BASE, "scatter": BASE, "snapmesh": BASE, "navigation": BASE,
    "analysis": BASE, "world": BASE, "io": {"core", "exec"}, "navigation_recast": {"core", "exec"},
    "facade": BASE | {"poisson", "automaton", "scatter"},
    "capi": BASE,
}
# Modules whose public headers it may include, besides those of the modules above.
PUBLIC = {
    "scatter": {"poisson", "automaton", "terrain"},
    "snapmesh": {"navigation"},
    "navigation_recast": {"navigation", "snapmesh"},
    "facade": {"poisson", "automaton", "terrain", "scatter", "snapmesh"},
    "world": {"terrain", "scatter", "poisson", "automaton", "snapmesh"},
    "io": {"terrain", "scatter", "snapmesh", "navigation", "automaton"},
    "capi": set(HEADER_OWNER.values()) | {"facade"},
}
# Third-party and system headers, and the only places that may name them.
RESTRICTED = [
    (re.compile(r"^(tbb|oneapi)/"), re.compile(r"^lib/exec/thread_pool\.cpp$")),
    (re.compile(r"^(gdal|ogr_|cpl_|png\.h)"), re.compile(r"^lib/io/")),
    (re.compile(r"^(nlohmann/|zstd)"), re.compile(r"^(lib/world/|tools/|lib/io/(json_|kit_|write_glb|export_model|glb_model))")),
    (re.compile(r"^tiny_gltf\.h$"), re.compile(r"^lib/io/(read_mesh|export_model|export_model_geometry|gltf_matrix)\.[ch]pp$")),
    (re.compile(r"^(recastnavigation/|Recast|Detour)"), re.compile(r"^lib/navigation_recast/")),
    (re.compile(r"^(CLI/|fmt/)"), re.compile(r"^tools/")),
    (re.compile(r"^(hwy/|xsimd/)"), re.compile(r"^lib/(simd|poisson|automaton|terrain|scatter|snapmesh)/")),
    (re.compile(r"^(unistd\.h|fcntl\.h|sys/|windows\.h)"), re.compile(r"^(lib/(world|io)|tools)/")),
    (re.compile(r"^random$"), re.compile(r"^$")),
]
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)


def owner_of_public(name):
    parts = name.removeprefix("strew/").removesuffix(".hpp").removesuffix(".h").split("/")
    if len(parts) > 1:
        return parts[0]
    # "scatter_strategies" belongs to the module that its first word names.
    return HEADER_OWNER.get(parts[0]) or HEADER_OWNER.get(parts[0].split("_")[0])


def problems_of(path, text, private_owners):
    """`path`: relative to the root; `private_owners`: from a private header's name to the modules that have it."""
    found = []
    parts = Path(path).parts
    in_lib = parts[0] == "lib"
    public_module = owner_of_public("/".join(parts[1:])) if parts[0] == "include" else None
    if public_module is None and parts[0] == "include":
        found.append(f"{path}: add this header to HEADER_OWNER")
    module = parts[1] if in_lib else public_module
    for bracket, name in INCLUDE.findall(text):
        for pattern, allowed in RESTRICTED:
            if pattern.match(name) and not allowed.match(path):
                found.append(f"{path}: may not include {name}")
        if name.startswith("strew/") and module is not None:
            owner = owner_of_public(name)
            allowed = {module, "core"} | PRIVATE.get(module, set()) | PUBLIC.get(module, set())
            if owner not in allowed:
                found.append(f"{path}: module {module} may not include {name} (of {owner})")
        elif bracket == '"' and name in private_owners:
            if parts[0] in ("include", "tools"):
                if not (ROOT / path).parent.joinpath(name).exists():
                    found.append(f"{path}: {name} is private to lib/{'|'.join(private_owners[name])}")
            elif in_lib and module not in private_owners[name] and not private_owners[name] & PRIVATE[module]:
                found.append(f"{path}: module {module} may not include {name}, private to {private_owners[name]}")
    return found


def private_header_owners():
    owners = {}
    for header in ROOT.glob("lib/*/**/*.hpp"):
        owners.setdefault(header.name, set()).add(header.relative_to(ROOT).parts[1])
    return owners


class Includes(unittest.TestCase):
    def test_the_house_keeps_the_rules(self):
        owners = private_header_owners()
        found = []
        files = [f for folder in ("include", "lib", "tools") for f in ROOT.glob(f"{folder}/**/*") if
                 f.suffix in (".hpp", ".cpp", ".h")]
        self.assertGreater(len(files), 20)
        for file in files:
            path = file.relative_to(ROOT)
            if path.parts[0] == "lib":
                self.assertIn(path.parts[1], PRIVATE, f"{path}: a module without rules; add it here")
            found += problems_of(str(path), file.read_text(), owners)
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_the_check_can_fail(self):
        owners = {"cell.hpp": {"poisson"}, "number_text.hpp": {"core"}}
        broken = [
            ("lib/core/a.cpp", '#include "strew/scatter.hpp"'),
            ("lib/poisson/a.cpp", '#include "strew/terrain.hpp"'),
            ("lib/terrain/a.cpp", '#include "cell.hpp"'),
            ("lib/exec/serial.cpp", "#include <tbb/task_arena.h>"),
            ("lib/scatter/a.cpp", "#include <unistd.h>"),
            ("lib/world/a.cpp", "#include <random>"),
            ("tools/strew/a.cpp", '#include "number_text.hpp"'),
            ("include/strew/terrain.hpp", '#include "strew/scatter.hpp"'),
        ]
        for path, text in broken:
            self.assertEqual(len(problems_of(path, text + "\n", owners)), 1, f"{path}: {text}")
        fine = [
            ("lib/scatter/a.cpp", '#include "strew/terrain.hpp"'),
            ("lib/poisson/a.cpp", '#include "cell.hpp"\n#include "number_text.hpp"'),
            ("lib/exec/thread_pool.cpp", "#include <tbb/task_arena.h>"),
        ]
        for path, text in fine:
            self.assertEqual(problems_of(path, text + "\n", owners), [])


if __name__ == "__main__":
    unittest.main()
