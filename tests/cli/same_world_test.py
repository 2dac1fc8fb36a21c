"""One world, one hash: whatever the threads, the tile size, the order of the work."""
import unittest

from command import CommandTest, needs_shared


class SameWorld(CommandTest):
    @needs_shared
    def test_threads_tiles_and_order_change_nothing(self):
        # A part of the world keeps ten bakes short; it has all layers, nodata and a border that no tile size divides.
        part = ("--region", "581400,675500,582300,676300")
        variants = [["--threads", "1"], ["--threads", "2"], ["--threads", "3"], ["--executor", "serial"],
                    ["--tile-size", "64"], ["--tile-size", "100"], ["--tile-size", "512"],
                    ["--executor", "shuffled", "--threads", "7", "--tile-size", "100"]]
        hashes = {}
        for number, options in enumerate(variants):
            _, said = self.bake_gorillas(f"bake{number}", *part, *options)
            self.assertGreater(said["instances"], 10000)
            self.assertTrue(all(layer["placed"] > 0 for layer in said["layers"]), said["layers"])
            hashes[" ".join(options)] = (said["world_hash"], said["instances"])
        self.assertEqual(len(set(hashes.values())), 1, hashes)

    @needs_shared
    def test_files_are_the_same_bytes(self):
        part = ("--region", "581400,675500,581900,676000")
        one, _ = self.bake_gorillas("one", *part, "--threads", "1")
        two, _ = self.bake_gorillas("two", *part, "--threads", "3")
        files = sorted(f.relative_to(one) for f in one.rglob("*") if f.is_file())
        self.assertEqual(files, sorted(f.relative_to(two) for f in two.rglob("*") if f.is_file()))
        for file in files:
            self.assertEqual((one / file).read_bytes(), (two / file).read_bytes(), file)

    def test_another_seed_is_another_world(self):
        world = self.world()
        hashes = {self.json("bake", world, "-o", self.folder / f"seed{seed}", "--seed", seed)["world_hash"]
                  for seed in ("5", "6", "0xffffffffffffffff")}
        self.assertEqual(len(hashes), 3)
        self.assertIn(self.json("bake", world, "-o", self.folder / "own")["world_hash"], hashes)


if __name__ == "__main__":
    unittest.main()
