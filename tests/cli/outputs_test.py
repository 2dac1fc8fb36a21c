"""One rule for every command: an output that cannot be begun is wrong usage (exit 2), named before any work is done; one that
fails while it is written is a failure (exit 1). Nothing is left behind."""
import os
import resource
import subprocess
import unittest
from pathlib import Path

from command import COMMAND, CommandTest


class Outputs(CommandTest):
    def setUp(self):
        super().setUp()
        self.input = self.world()
        self.bake = self.folder / "bake"
        self.ok("bake", self.input, "-o", self.bake)
        self.ok("points", "poisson/tiled", "--size", "60x60", "-o", self.folder / "points.csv")

    def files(self):
        """Commands that write a file: the command up to its output."""
        return [(["export", self.bake, "-f", "csv", "-o"], ".csv"), (["export", self.bake, "-f", "ply", "-o"], ".ply"),
                (["export", self.bake, "-f", "npy", "-o"], ".npy"), (["export", self.bake, "-f", "usda", "-o"], ".usda"),
                (["export", self.bake, "-f", "glb", "-o"], ".glb"),
                (["preview", self.bake, "--pixels", "64", "--quiet", "-o"], ".png"),
                (["preview", self.input, "--pixels", "64", "--quiet", "-o"], ".png"),
                (["points", "poisson/tiled", "--size", "60x60", "-o"], ".csv"),
                (["analyze", self.folder / "points.csv", "-o"], ".html"), (["init"], ".json"),
                (["life", "--size", "64x64", "--generations", "2", "-o"], ".png")]

    def folders(self):
        return [["bake", self.input, "--quiet", "-o"], ["export", self.bake, "-f", "glb", "-o"],
                ["export", self.bake, "-f", "3dtiles", "-o"], ["preview", self.bake, "--pyramid", "1", "--quiet", "-o"],
                ["life", "--size", "64x64", "--generations", "2", "--animate"]]

    def listing(self):
        return sorted(str(path) for path in self.folder.rglob("*"))

    def test_what_is_printed_to_a_full_disk_is_a_failure(self):
        printed = [["points", "poisson/tiled", "--size", "9x9"], ["points", "poisson/tiled", "--size", "9x9", "--json"],
                   ["strategies"], ["schema"], ["plan", self.input], ["verify", self.bake],
                   ["analyze", self.folder / "points.csv"], ["life", "--size", "64x64", "--generations", "2"],
                   ["bake", self.input, "--quiet", "--json", "--force", "-o", self.bake], ["--help"], ["--version"]]
        for command in printed:
            with self.subTest(command=command), open("/dev/full", "w") as full:
                done = subprocess.run([COMMAND, *map(str, command)], stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=100)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, "cannot (be written|write)")

    def test_a_file_that_cannot_be_begun(self):
        before = self.listing()
        for command, suffix in self.files():
            with self.subTest(command=command):
                absent = self.folder / ("absent/out" + suffix)
                self.refused(*command, absent, says=[absent, "there is no folder"])
                under_a_file = self.input / ("out" + suffix)
                self.refused(*command, under_a_file, says=[under_a_file])
                device = self.folder / ("null" + suffix)
                device.symlink_to("/dev/null")
                # What exists is not replaced by `init` in any case.
                self.refused(*command, device, says=[device])
                self.assertTrue(Path("/dev/null").is_char_device())
                device.unlink()
                taken = self.folder / ("taken" + suffix)
                taken.mkdir()
                self.refused(*command, taken, says=[taken])
                taken.rmdir()
        self.assertEqual(self.listing(), before)

    def test_a_link_stays_and_its_end_is_written(self):
        end = self.folder / "far"
        end.mkdir()
        for command, suffix in self.files():
            if command == ["init"]:
                continue  # replaces nothing
            with self.subTest(command=command):
                link, file = self.folder / ("link" + suffix), end / ("end" + suffix)
                link.symlink_to(file.relative_to(self.folder))
                file.write_text("old")
                self.ok(*command, link)
                self.assertTrue(link.is_symlink())
                self.assertNotEqual(file.read_bytes(), b"old")
                link.unlink()
                file.unlink()
        self.assertEqual(list(end.iterdir()), [])

    def test_a_folder_that_cannot_be_begun(self):
        before = self.listing()
        for command in self.folders():
            with self.subTest(command=command):
                self.refused(*command, self.input, says=[self.input])
                self.refused(*command, self.input / "below", says=[self.input])
                if os.path.isdir("/proc/self"):
                    self.refused(*command, "/proc/self/strew", says=["/proc/self/strew"])
        self.assertEqual(self.listing(), before)

    def test_a_file_that_fails_while_it_is_written(self):
        """A limit on the size of files stands for any disk that gives up."""
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        before = self.listing()
        for kind in ("csv", "ply", "npy", "usda", "glb"):
            out = self.folder / f"out.{kind}"
            self.refused("export", self.bake, "-f", kind, "-o", out, code=1, says=[out, "File too large"], preexec_fn=small)
        self.refused("preview", self.bake, "--quiet", "-o", self.folder / "out.png", code=1, says=["out.png"], preexec_fn=small)
        self.assertEqual(self.listing(), before)

    def test_what_a_killed_export_left_goes(self):
        no_process, init = 999999999, 1
        left = [f"out.csv.tmp{no_process}.0", f"out.csv.tmp{no_process}.12"]
        kept = [f"out.csv.tmp{init}.0", f"other.csv.tmp{no_process}.0", "out.csv.tmp", f"out.csv.tmp{no_process}", "out.csv.tmp2.x"]
        for name in left + kept:
            (self.folder / name).write_text("half")
        self.ok("export", self.bake, "-f", "csv", "-o", self.folder / "out.csv")
        self.assertEqual([name for name in left if (self.folder / name).exists()], [])
        self.assertEqual([name for name in kept if not (self.folder / name).exists()], [])
        for kind in ("glb", "3dtiles"):
            folder = self.folder / kind
            folder.mkdir()
            (folder / f"0_0.glb.tmp{no_process}.0").write_text("half")
            (folder / "mine.txt").write_text("mine")
            self.ok("export", self.bake, "-f", kind, "-o", folder)
            self.assertEqual(list(folder.glob("*.tmp*")), [])
            self.assertTrue((folder / "mine.txt").exists())

    def test_refused_exports_leave_no_folder(self):
        before = self.listing()
        self.refused("export", self.bake, "-f", "glb", "-o", self.folder / "x", "--axes", "unity", says=["axes"])
        self.refused("export", self.bake, "-f", "3dtiles", "-o", self.folder / "x", "--crs", "EPSG:4326", says=["crs"])
        wide = self.world(lambda it: it["extent"].update(size_m=[1e8, 1e8]), "wide.json")
        before = self.listing()
        self.refused("bake", wide, "-o", self.folder / "x", says=["tile_size"])
        self.refused("preview", wide, "-o", self.folder / "x.png", says=["--region"])
        self.refused("merge", self.bake, self.folder, "-o", self.folder / "x", says=[self.folder])
        self.assertEqual(self.listing(), before)


if __name__ == "__main__":
    unittest.main()
