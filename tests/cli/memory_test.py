"""The peak memory of a bake is a function of the tile size and the threads, not of the size of the world."""
import unittest

from command import CommandTest


class Memory(CommandTest):
    def test_sixteen_times_the_tiles_take_no_more(self):
        """The same in each tile: 256 and 4,096 of 64 m. Small ones, so that what adds up tile by tile shows; 5 %,
        because that is little here and the promise is of tens of thousands of larger ones."""
        peaks = []
        for rows in (8, 128):
            def wide(world, rows=rows):
                world["extent"]["size_m"] = [32 * 64, rows * 64]
                world["output"] = {"tile_size_m": 64}
                world["layers"][0]["parameters"]["radius"] = 3
            world = self.world(wide, f"rows{rows}.json")
            out = self.folder / f"bake{rows}"
            made = self.json("bake", world, "-o", out, "--threads", "2", "--quiet")
            self.assertEqual(made["tiles"], 32 * rows)
            peaks.append(made["peak_memory_bytes"])
            # A folder that is full already is emptied without a list of what is in it.
            again = self.json("bake", world, "-o", out, "--threads", "2", "--quiet", "--force")
            self.assertEqual(again["world_hash"], made["world_hash"])
            self.assertLess(again["peak_memory_bytes"], 1.05 * made["peak_memory_bytes"])
        self.assertLess(peaks[1], 1.05 * peaks[0], peaks)

    def test_the_peak_is_of_this_process(self):
        """Not of the one that started it."""
        world = self.world()
        small = self.json("bake", world, "-o", self.folder / "small", "--quiet")["peak_memory_bytes"]
        ballast = bytes(range(256)) * (4 * small // 256)
        large = self.json("bake", world, "-o", self.folder / "large", "--quiet")["peak_memory_bytes"]
        self.assertLess(large, 1.1 * small, len(ballast))


if __name__ == "__main__":
    unittest.main()
