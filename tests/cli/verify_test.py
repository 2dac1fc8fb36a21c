"""strew verify: a good bake passes, and each kind of damage is found with exit 3."""
import json
import shutil
import unittest

from command import CommandTest, needs_shared, run


class Verify(CommandTest):
    @needs_shared
    def test_gorillas(self):
        out, said = self.bake_gorillas("out", "--region", "581400,675500,582300,676300")
        report = self.json("verify", out)
        self.assertEqual(report["violations"], 0)
        self.assertGreater(len(report["checks"]), 4)
        for check in report["checks"]:
            self.assertEqual(check["violations"], 0)
        self.assertGreater(max(check["examined"] for check in report["checks"]), said["instances"] // 2)

    def baked(self):
        out = self.folder / "out"
        self.ok("bake", self.world(), "-o", out, "--tile-size", "64")
        self.ok("verify", out)
        return out

    def violated(self, out):
        done = run("verify", out, "--json")
        self.assertEqual(done.returncode, 3, f"{done.stdout}\n{done.stderr}")
        report = json.loads(done.stdout)
        self.assertGreater(report["violations"], 0)
        self.assertTrue(any(check["first_offender"] for check in report["checks"]))
        return report

    def test_a_changed_byte(self):
        out = self.baked()
        tile = sorted(out.rglob("*.strewtile"))[2]
        good = tile.read_bytes()
        for at in (0, len(good) // 2, len(good) - 1):
            damaged = bytearray(good)
            damaged[at] ^= 0x10
            tile.write_bytes(damaged)
            self.violated(out)
        tile.write_bytes(good)
        self.ok("verify", out)

    def test_a_missing_and_a_truncated_tile(self):
        out = self.baked()
        tile = sorted(out.rglob("*.strewtile"))[0]
        good = tile.read_bytes()
        tile.write_bytes(good[:-5])
        self.violated(out)
        tile.unlink()
        self.violated(out)

    def test_a_swapped_tile(self):
        out = self.baked()
        first, second = sorted(out.rglob("*.strewtile"))[:2]
        shutil.copy(first, second)
        self.violated(out)

    def test_a_claim_that_the_points_do_not_keep(self):
        # The files are whole, but the manifest promises more distance than there is.
        out = self.baked()
        path = out / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["slots"][0]["minimum_distance_m"] = 4.5
        path.write_text(json.dumps(manifest))
        done = run("verify", out, "--json", "--without-terrain")
        self.assertEqual(done.returncode, 3, f"{done.stdout}\n{done.stderr}")

    def test_what_is_no_bake(self):
        self.refused("verify", self.folder / "nowhere", says=["nowhere"])
        self.refused("verify", self.folder, says=["manifest.json"])

    def test_terrain_that_has_gone(self):
        def change(world):
            world["terrain"] = {"elevation": str(self.folder / "dem.asc"), "assume_same_crs": True}
            world["layers"][0]["constraints"] = {"altitude_m": [0, 10]}

        rows = "\n".join(" ".join(str((x + y) % 8) for x in range(40)) for y in range(30))
        dem = self.folder / "dem.asc"
        dem.write_text(f"ncols 40\nnrows 30\nxllcorner 0\nyllcorner 0\ncellsize 5\nNODATA_value -9999\n{rows}\n")
        out = self.folder / "out"
        self.ok("bake", self.world(change), "-o", out)
        self.ok("verify", out)
        dem.unlink()
        self.refused("verify", out, says=["dem.asc", "--without-terrain"])
        self.ok("verify", out, "--without-terrain")


if __name__ == "__main__":
    unittest.main()
