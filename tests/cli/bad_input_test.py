"""Everything that can be wrong with an input ends with exit 2, a message that names it, and nothing written."""
import os
import shutil
import subprocess
import unittest

from command import GORILLAS, SHARED, CommandTest, needs_shared, run


class BadWorld(CommandTest):
    def bake_refused(self, world, *options, says=(), out=None):
        out = out or self.folder / "out"
        before = sorted(self.folder.rglob("*"))
        done = self.refused("bake", world, "-o", out, *options, says=says)
        self.assertEqual(sorted(self.folder.rglob("*")), before, "something was written")
        return done

    def changed(self, says, change):
        self.bake_refused(self.world(change), says=says)

    def test_the_unchanged_world_is_accepted(self):
        self.ok("bake", self.world(), "-o", self.folder / "out")

    def test_misspelt_key(self):
        self.changed(["layers[0].speceis", "species"], lambda w: w["layers"][0].update(speceis=[]))

    def test_minimum_above_maximum(self):
        def change(world):
            world["terrain"] = {"builtin": "island", "seed": 1, "size_m": 200}
            world["layers"][0]["constraints"] = {"slope_degrees": [40, 30]}

        self.changed(["layers[0].constraints.slope_degrees", "40", "30"], change)

    def test_negative_weight(self):
        self.changed(["layers[0].species[0].weight", "-1"], lambda w: w["layers"][0]["species"][0].update(weight=-1))

    def test_all_weights_zero(self):
        def change(world):
            for species in world["layers"][0]["species"]:
                species["weight"] = 0

        self.changed(["layers[0].species"], change)

    def test_radius_nan(self):
        # As careless tools write it (which is not JSON), and as text.
        for radius in (float("nan"), "nan"):
            with self.subTest(radius=radius):
                self.changed(["radius"], lambda w, r=radius: w["layers"][0]["parameters"].update(radius=r))

    def test_radius_zero_negative_or_text(self):
        for radius in (0, -2, "wide", 1e30):
            with self.subTest(radius=radius):
                self.changed(["radius"], lambda w, r=radius: w["layers"][0]["parameters"].update(radius=r))

    def test_unknown_parameter(self):
        self.changed(["raduis", "radius"], lambda w: w["layers"][0]["parameters"].update(raduis=3))

    def test_unknown_strategy(self):
        self.changed(["poisson/tilde", "poisson/tiled"], lambda w: w["layers"][0].update(strategy="poisson/tilde"))

    def test_terrain_rule_without_terrain(self):
        self.changed(["slope_degrees"], lambda w: w["layers"][0].update(constraints={"slope_degrees": [0, 30]}))

    def test_spacing_to_an_unknown_layer(self):
        self.changed(["spacing_m", "canopi"], lambda w: w["layers"][0].update(spacing_m={"canopi": 1}))

    def test_syntax_error_names_its_line(self):
        path = self.folder / "broken.json"
        path.write_text('{\n  "version": 1,\n  "seed": \n}\n')
        self.bake_refused(path, says=["broken.json", "line 4"])

    def test_undefined_variable(self):
        self.bake_refused(GORILLAS, says=["GORILLAS"])

    def test_missing_world(self):
        self.bake_refused(self.folder / "nowhere.json", says=["nowhere.json"])


@needs_shared
class BadRaster(CommandTest):
    def refused_with(self, elevation, says):
        def change(world):
            world["terrain"] = {"elevation": str(elevation)}
            del world["extent"]

        world = self.world(change)
        before = sorted(self.folder.rglob("*"))
        done = self.refused("bake", world, "-o", self.folder / "out", says=says)
        self.assertEqual(sorted(self.folder.rglob("*")), before, "something was written")
        return done

    def test_degrees(self):
        self.refused_with(SHARED / "elev_degrees_epsg4326.tif", ["elev_degrees_epsg4326.tif", "degree", "gdalwarp"])

    def test_missing(self):
        self.refused_with(self.folder / "absent.tif", ["absent.tif"])

    def test_empty(self):
        path = self.folder / "empty.tif"
        path.touch()
        self.refused_with(path, ["empty.tif"])

    def test_truncated(self):
        whole = (SHARED / "gorillas_elevation.tif").read_bytes()
        path = self.folder / "short.tif"
        for length in (4, 100, len(whole) // 4, len(whole) // 2, len(whole) - 200):
            with self.subTest(length=length):
                path.write_bytes(whole[:length])
                self.refused_with(path, ["short.tif"])

    def test_not_a_raster(self):
        path = self.folder / "words.tif"
        path.write_text("this is no picture of the land\n" * 100)
        self.refused_with(path, ["words.tif"])

    def test_a_folder(self):
        path = self.folder / "folder.tif"
        path.mkdir()
        self.refused_with(path, ["folder.tif"])


class BadCall(CommandTest):
    def refused_call(self, *options, says):
        before = self.world() and sorted(self.folder.rglob("*"))
        self.refused("bake", self.folder / "world.json", "-o", self.folder / "out", *options, says=says)
        self.assertEqual(sorted(self.folder.rglob("*")), before, "something was written")

    def test_region_outside_the_world(self):
        self.refused_call("--region", "300,300,400,400", says=["--region", "300", "200"])

    def test_region_malformed(self):
        for region in ("1,2,3", "a,b,c,d", "0,0,nan,1", "10,10,5,5", "0,0,100,100,"):
            with self.subTest(region=region):
                self.refused_call("--region", region, says=["--region"])

    def test_numbers_out_of_range(self):
        self.refused_call("--threads", "0", says=["--threads"])
        self.refused_call("--threads", "many", says=["--threads"])
        self.refused_call("--tile-size", "0", says=["--tile-size"])
        self.refused_call("--tile-size", "nan", says=["--tile-size"])
        self.refused_call("--seed", "-1", says=["--seed"])
        self.refused_call("--seed", "18446744073709551616", says=["--seed"])

    def test_empty_values(self):
        for words in (["--region", ""], ["--region="], ["--seed", ""], ["--tile-size", ""]):
            with self.subTest(words=words):
                self.refused_call(*words, says=["empty"])

    def test_unknown_isa(self):
        self.refused_call("--isa", "avx1024", says=["avx1024"])

    def test_unknown_option_and_command(self):
        self.refused_call("--regoin", "0,0,1,1", says=["--regoin"])
        self.refused("bkae", says=["bkae", "bake"])
        self.refused()

    def test_bad_definition(self):
        self.refused_call("-D", "GORILLAS", says=["NAME=VALUE"])


class BadFolder(CommandTest):
    def refused_folder(self, folder, says=()):
        self.refused("bake", self.world(), "-o", folder, says=[folder, *says])

    def test_under_a_regular_file(self):
        file = self.folder / "file"
        file.write_text("kept")
        self.refused_folder(file / "out")
        self.refused_folder(file / "deep" / "out")
        self.assertEqual(file.read_text(), "kept")

    def test_a_regular_file_itself(self):
        file = self.folder / "file"
        file.write_text("kept")
        self.refused_folder(file)
        self.assertEqual(file.read_text(), "kept")

    @unittest.skipUnless(os.path.isdir("/proc/self"), "needs /proc")
    def test_where_even_root_may_not_write(self):
        self.refused_folder("/proc/strew/out")

    def test_without_permission(self):
        # Root passes every permission bit, so the command is run as nobody where this test is root.
        locked = self.folder / "locked"
        locked.mkdir(mode=0o555)
        world = self.world()
        self.folder.chmod(0o755)
        options = {}
        if os.geteuid() == 0:
            options = {"user": 65534, "group": 65534, "extra_groups": []}
            if run("--version", **options).returncode != 0:
                self.skipTest("the command's folder is closed to other users")
        self.refused("bake", world, "-o", locked / "out", says=["locked"], **options)
        self.assertEqual(list(locked.iterdir()), [])

    def test_a_bake_is_not_replaced_unasked(self):
        out = self.folder / "out"
        world = self.world()
        self.ok("bake", world, "-o", out)
        manifest = (out / "manifest.json").read_bytes()
        self.refused("bake", world, "-o", out, "--seed", "9", says=["--force"])
        self.assertEqual((out / "manifest.json").read_bytes(), manifest)
        self.ok("bake", world, "-o", out, "--seed", "9", "--force")
        self.assertNotEqual((out / "manifest.json").read_bytes(), manifest)

    def test_a_foreign_folder_keeps_its_files(self):
        out = self.folder / "mine"
        out.mkdir()
        (out / "letter.txt").write_text("dear")
        run("bake", self.world(), "-o", out, "--force")
        self.assertEqual((out / "letter.txt").read_text(), "dear")

    @unittest.skipUnless(shutil.which("mount") and os.geteuid() == 0, "needs root to mount")
    def test_full_disk_is_a_failure_at_run_time(self):
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", small], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("may not mount a tmpfs here")
        self.addCleanup(subprocess.run, ["umount", small], capture_output=True)

        def larger(world):
            world["extent"]["size_m"] = [2000, 2000]

        done = self.refused("bake", self.world(larger), "-o", small / "out", "--quiet", code=1)
        self.assertIn("space", done.stderr.lower())
        self.assertFalse((small / "out" / "manifest.json").exists())


if __name__ == "__main__":
    unittest.main()
