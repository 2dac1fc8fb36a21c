"""Bakes that are killed, interrupted, starved of space, sharded and merged through the command."""
import json
import os
import random
import signal
import subprocess
import time
import unittest
from pathlib import Path

from command import COMMAND, CommandTest, run


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def forest(world):
    """Some thousand points in 80 tiles: a second or so of work."""
    world["extent"]["size_m"] = [1000, 800]
    world["layers"][0]["parameters"]["radius"] = 1
    world["output"] = {"tile_size_m": 100}


class Resume(CommandTest):
    def bake_killed(self, world, out, number, after_tiles):
        """Starts a bake and signals it once it has made some tiles; returns its exit code."""
        process = subprocess.Popen([COMMAND, "bake", str(world), "-o", str(out), "--threads", "2", "--quiet"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        journal = out / "bake.journal"
        before = journal.stat().st_size if journal.exists() else 0
        record = 8 * (7 + 1 + 2 + 7 + 2)
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if journal.exists() and journal.stat().st_size >= before + record * after_tiles:
                process.send_signal(number)
                break
            time.sleep(0.0005)
        _, errors = process.communicate(timeout=60)
        return process.returncode, errors

    def test_killed_ten_times_at_random(self):
        world = self.world(forest)
        whole = self.folder / "whole"
        self.ok("bake", world, "-o", whole)
        draw = random.Random(4)
        out = self.folder / "bake"
        killed = 0
        for _ in range(10):
            code, _ = self.bake_killed(world, out, signal.SIGKILL, draw.randint(0, 7))
            killed += code == -signal.SIGKILL
            self.assertFalse(list(out.glob("tiles/*.strewtile.tmp")) and (out / "manifest.json").exists())
        self.assertGreater(killed, 3)
        self.ok("bake", world, "-o", out)
        self.assertEqual(contents(out), contents(whole))
        self.assertEqual(self.json("verify", out)["violations"], 0)

    def test_ctrl_c_finishes_the_tiles_in_flight_and_exits_130(self):
        world = self.world(forest)
        out = self.folder / "bake"
        code, errors = self.bake_killed(world, out, signal.SIGINT, 3)
        self.assertEqual(code, 130, errors)
        self.assertIn("the same command goes on", errors)
        self.assertFalse((out / "manifest.json").exists())
        self.assertEqual(list(out.glob("tiles/*.tmp")), [])
        made = self.json("bake", world, "-o", out)
        self.assertLess(made["tiles_made"], made["tiles_total"])

    def test_shards_by_number_and_by_environment(self):
        world = self.world(forest)
        whole = self.json("bake", world, "-o", self.folder / "whole")
        slurm = {"SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_STEP": "5", "SLURM_ARRAY_TASK_COUNT": "3"}
        choices = [("0/3", {}), ("auto", {**slurm, "SLURM_ARRAY_TASK_ID": "15"}), ("auto/3", {"JOB_COMPLETION_INDEX": "2"})]
        shards = []
        for i, (choice, variables) in enumerate(choices):
            shards.append(self.folder / f"shard{i}")
            self.ok("bake", world, "-o", shards[-1], "--shard", choice, env={**os.environ, **variables})
        merged = self.json("merge", *shards, "-o", self.folder / "merged")
        self.assertEqual(merged["world_hash"], whole["world_hash"])
        self.assertEqual(contents(self.folder / "merged"), contents(self.folder / "whole"))
        self.refused("merge", *shards[:2], "-o", self.folder / "part", says=["lack 1 of 3: 2"])
        for wrong in ("3/3", "-1/3", "1/0", "a/b", "auto", "1"):
            self.refused("bake", world, "-o", self.folder / "no", "--shard=" + wrong, says=["--shard"])
        self.assertFalse((self.folder / "no").exists())

    @unittest.skipUnless(os.geteuid() == 0, "needs root to mount a small file system")
    def test_a_full_disk_stops_and_resumes(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "none", str(disk)], capture_output=True).returncode:
            self.skipTest("may not mount")
        self.addCleanup(lambda: subprocess.run(["umount", str(disk)], check=True))
        world = self.world(forest)
        out = disk / "bake"
        self.refused("bake", world, "-o", out, "--quiet", code=1, says=["No space left", "make space"])
        self.assertFalse((out / "manifest.json").exists())
        self.assertEqual(list(out.rglob("*.tmp*")), [])
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        made = self.json("bake", world, "-o", out)
        self.assertLess(made["tiles_made"], made["tiles_total"])
        whole = self.folder / "whole"
        self.ok("bake", world, "-o", whole)
        self.assertEqual(contents(out), contents(whole))

    def test_rules_on_shapes_and_maps(self):
        (self.folder / "plot.geojson").write_text(json.dumps({
            "type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32631"}},
            "features": [{"type": "Feature", "properties": {}, "geometry": {
                "type": "Polygon", "coordinates": [[[20, 20], [180, 20], [100, 130], [20, 20]]]}}]}))
        header = "ncols 20\nnrows 15\nxllcorner 0\nyllcorner 0\ncellsize 10\n"
        (self.folder / "map.asc").write_text(header + "\n".join(" ".join(["0.2"] * 10 + ["0.9"] * 10) for _ in range(15)))

        def world(it):
            it["terrain"] = {"maps": [{"name": "wet", "path": "map.asc"}], "shapes": [{"name": "plot", "path": "plot.geojson"}],
                             "assume_same_crs": True}
            it["layers"][0]["constraints"] = {"shapes": [{"shape": "plot", "distance_m": [None, 0]}],
                                              "maps": [{"map": "wet", "accept": [0.5, None]}]}
            it["output"] = {"tile_size_m": 64}
        out = self.folder / "bake"
        made = self.json("bake", self.world(world), "-o", out)
        self.assertGreater(made["instances"], 50)
        self.assertEqual(self.json("bake", self.world(world), "-o", out)["tiles_made"], 0)
        self.assertEqual(self.json("verify", out)["violations"], 0)

        def drier(it):
            world(it)
            it["layers"][0]["constraints"]["maps"][0]["accept"] = [0.1, None]
        self.refused("bake", self.world(drier), "-o", out, says=["another world"])

    def test_painted_masks_and_moved_shapes(self):
        """Of a bake on maps and shapes only the tiles are made again that a change of those can reach."""
        for kind in ("tif", "asc"):
            self.check_painted(kind)

    def check_painted(self, kind):
        mask, plots = self.folder / f"mask.{kind}", self.folder / "plots.geojson"

        def paint(corner):
            rows = [["0.9" if not (corner and row < 6 and column < 5) else "0.1" for column in range(60)] for row in range(60)]
            text = "ncols 60\nnrows 60\nxllcorner 0\nyllcorner 0\ncellsize 10\n" + "\n".join(map(" ".join, rows)) + "\n"
            (self.folder / "mask.asc").write_text(text)
            if kind == "tif":
                subprocess.run(["gdal_translate", "-q", str(self.folder / "mask.asc"), str(mask)], check=True)

        def draw(*squares):
            crs = {"type": "name", "properties": {"name": "EPSG:31985"}}
            plots.write_text(json.dumps({"type": "FeatureCollection", "crs": crs, "features": [
                {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [
                    [[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]]}} for x, y, side in squares]}))

        def world(it):
            it["extent"]["size_m"] = [600, 600]
            it["terrain"] = {"maps": [{"name": "wet", "path": mask.name}], "shapes": [{"name": "plot", "path": plots.name}],
                             "assume_same_crs": True}
            it["layers"][0]["constraints"] = {"shapes": [{"shape": "plot", "distance_m": [4, None]}],
                                              "maps": [{"map": "wet", "accept": [0.5, None]}]}
            it["output"] = {"tile_size_m": 50}
        inner, outer = (260, 260, 30), (-20, 300, 400)
        paint(False)
        draw(inner)
        out, number = self.folder / f"bake-{kind}", 0
        first = self.json("bake", self.world(world), "-o", out)
        changes = ((lambda: paint(True), 16), (lambda: draw((262, 260, 30)), 16), (lambda: draw((262, 260, 30), outer), 100),
                   (lambda: draw(outer), 16), (lambda: None, 0))
        for change, most in changes if kind == "tif" else changes[:1]:  # ASCII grids have no stamp to go by
            change()
            number += 1
            made = self.json("bake", self.world(world), "-o", out)
            self.assertEqual(made["tiles_changed"], made["tiles_made"])
            self.assertLessEqual(made["tiles_made"], most, number)  # of 144
            self.assertEqual(made["tiles_made"] == 0, most == 0, number)
            fresh = self.folder / f"fresh-{kind}-{number}"
            self.ok("bake", self.world(world), "-o", fresh)
            self.assertEqual(contents(out), contents(fresh))
        self.assertLess(made["instances"], first["instances"])
        self.assertEqual(self.json("verify", out)["violations"], 0)

    def test_another_world_is_not_mixed_in(self):
        out = self.folder / "bake"
        self.ok("bake", self.world(), "-o", out)
        self.refused("bake", self.world(), "-o", out, "--seed", "9", says=["another world", "its seed is 5, not 9", "--force"])
        self.refused("bake", self.world(), "-o", out, "--tile-size", "64", says=["tile size", "--force"])
        again = self.json("bake", self.world(), "-o", out)
        self.assertEqual(again["tiles_made"], 0)


class Plan(CommandTest):
    def test_the_estimate_meets_the_bake(self):
        world = self.world(forest)
        plan = self.json("plan", world, "--samples", "20", "--workers", "1,4,10000")
        baked = self.json("bake", world, "-o", self.folder / "bake")
        self.assertEqual(plan["tiles"], baked["tiles_total"])
        self.assertAlmostEqual(plan["instances"]["value"] / baked["instances"], 1, delta=0.05)
        self.assertAlmostEqual(plan["bytes"]["value"] / baked["bytes"], 1, delta=0.15)
        one, four, many = plan["farm"]
        self.assertGreater(one["handed_out_seconds"], four["handed_out_seconds"])
        self.assertGreaterEqual(four["handed_out_seconds"], many["handed_out_seconds"])
        self.assertLess(many["handed_out_efficiency"], 0.1)
        self.refused("plan", world, "--workers", "0", says=["workers"])


if __name__ == "__main__":
    unittest.main()
