"""Installs this build and uses it as a stranger would. The program is the example in README.md, so it cannot rot."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["STREW_SOURCE_DIR"])
BINARY = Path(os.environ["STREW_BINARY_DIR"])
CMAKE = os.environ.get("STREW_CMAKE", "cmake")
CXX = os.environ.get("STREW_CXX", "c++")
LAUNCHER = os.environ.get("STREW_LAUNCHER", "")
CONSUMER = SOURCE / "tests/install/consumer"


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="strew-install-")
        cls.root = Path(cls.folder.name)
        cls.prefix = cls.root / "prefix"
        run(CMAKE, "--install", BINARY, "--prefix", cls.prefix)
        readme = (SOURCE / "README.md").read_text()
        blocks = re.findall(r"^```cpp\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
        assert blocks, "README.md has no C++ example"
        cls.lines = blocks[0].count("\n")
        cls.example = cls.root / "example.cpp"
        cls.example.write_text(blocks[0])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def build(self, name, *options):
        folder = self.root / name
        launcher = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={LAUNCHER}"] if LAUNCHER else []
        run(CMAKE, "-S", CONSUMER, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_CXX_COMPILER={CXX}", f"-DEXAMPLE={self.example}", *launcher, *options)
        run(CMAKE, "--build", folder)
        return folder

    def test_the_example_is_the_same_program_in_every_way_of_using_strew(self):
        package = self.build("package", "-DUSE=package", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        first = run(package / "example")
        self.assertRegex(first, r"^\d+ points, hash [0-9a-f]{16}\n$")
        sources = self.build("subdirectory", "-DUSE=subdirectory", f"-DSTREW_SOURCE={SOURCE}")
        self.assertEqual(run(sources / "example"), first)
        # The prefix given to "cmake --install" may differ from the configured one: strew.pc finds itself.
        config = next(self.prefix.glob("**/strew.pc"))
        flags = run("pkg-config", "--cflags", "--libs", "strew",
                    env={**os.environ, "PKG_CONFIG_PATH": str(config.parent)}).split()
        program = self.root / "pkg_config_example"
        run(CXX, "-std=c++20", "-O1", self.example, "-o", program, *flags)
        self.assertEqual(run(program), first)

    def test_the_readme_example_is_short(self):
        self.assertLessEqual(self.lines, 16)

    def test_components(self):
        if os.environ.get("STREW_HAS_COMPONENTS") != "1":
            self.skipTest("this build leaves out strew::world or strew::io")
        folder = self.build("components", "-DUSE=package", "-DWITH_COMPONENTS=ON", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        written = self.root / "example.json"
        self.assertIn("layers", run(folder / "components", written))
        self.assertIn('"version": 1', written.read_text())

    def test_the_installed_command_runs(self):
        command = self.prefix / "bin/strew"
        if not command.exists():
            self.skipTest("this build has no command")
        self.assertIn("strew 0.", run(command, "--version"))

    def test_no_path_of_this_machine_is_installed(self):
        for file in self.prefix.glob("**/*"):
            if file.suffix in (".cmake", ".pc", ".hpp"):
                self.assertNotIn(str(SOURCE), file.read_text(), file)


if __name__ == "__main__":
    unittest.main()
