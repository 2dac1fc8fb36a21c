"""Running the strew command in tests: one class with the binary, a folder of its own and the inputs."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["STREW_SOURCE_DIR"])
COMMAND = os.environ["STREW_COMMAND"]
SHARED = Path(os.environ.get("STREW_SHARED_DATA", "absent"))
GORILLAS = SOURCE / "tools/worlds/gorillas.json"
sys.path.insert(0, str(SOURCE / "tools"))


def needs_shared(test):
    """For a test class or method that reads the real inputs beside the checkout."""
    there = (SHARED / "gorillas_elevation.tif").exists()
    return unittest.skipUnless(there, f"needs the real inputs in the folder that STREW_SHARED_DATA names ({SHARED})")(test)


def run(*arguments, command=COMMAND, **options):
    return subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, timeout=500, **options)


class CommandTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="strew-cli-")
        self.folder = Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def ok(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def json(self, *arguments, **options):
        """The one JSON document on standard output."""
        return json.loads(self.ok(*arguments, "--json", **options).stdout)

    def refused(self, *arguments, says=(), code=2, **options):
        """Exit `code`, nothing on standard output, and a message that names each of `says`."""
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        self.assertEqual(done.stdout, "")
        for words in says:
            self.assertIn(str(words), done.stderr)
        return done

    def world(self, change=None, name="world.json"):
        """Writes a small valid world, changed by `change(dictionary)`, and returns its path."""
        world = small_world()
        if change is not None:
            change(world)
        path = self.folder / name
        # Python writes NaN for a NaN, as careless tools do.
        path.write_text(json.dumps(world))
        return path

    def bake_gorillas(self, name, *options):
        """Bakes the gorillas world into a folder; returns the folder and what --json said."""
        out = self.folder / name
        return out, self.json("bake", GORILLAS, "-o", out, "-D", f"GORILLAS={SHARED}", *options)


def small_world():
    return {
        "version": 1,
        "seed": 5,
        "extent": {"origin_m": [0, 0], "size_m": [200, 150]},
        "layers": [
            {
                "name": "trees",
                "strategy": "poisson/tiled",
                "parameters": {"radius": 4},
                "species": [{"name": "oak", "weight": 2}, {"name": "elm", "weight": 1}],
            }
        ],
    }
