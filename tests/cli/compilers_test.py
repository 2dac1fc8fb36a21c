"""The command built by another compiler makes the same bytes."""
import os
import unittest
from pathlib import Path

from command import COMMAND, SHARED, SOURCE, CommandTest, needs_shared

OTHER = os.environ.get("STREW_OTHER_COMMAND", "")


@unittest.skipUnless(OTHER and Path(OTHER).exists(), "STREW_OTHER_COMMAND names no command of another compiler")
class Compilers(CommandTest):
    def both(self, *arguments):
        return [self.json(*arguments, command=command) for command in (COMMAND, OTHER)]

    def test_points(self):
        ours, theirs = self.both("points", "poisson/tiled", "--set", "radius=2", "--size", "500x500")
        self.assertEqual((ours["hash"], ours["count"]), (theirs["hash"], theirs["count"]))

    def bakes(self, world, *options):
        said = [self.json("bake", world, "-o", self.folder / str(number), *options, command=command)
                for number, command in enumerate((COMMAND, OTHER))]
        self.assertEqual(said[0]["world_hash"], said[1]["world_hash"])
        self.assertGreater(said[0]["instances"], 1000)

    def test_island(self):
        self.bakes(SOURCE / "tools/worlds/island.json", "--region", "3500,10500,3900,10900")

    @needs_shared
    def test_rasters(self):
        self.bakes(SOURCE / "tools/worlds/gorillas.json", "-D", f"GORILLAS={SHARED}",
                   "--region", "581400,675500,581900,676000")


if __name__ == "__main__":
    unittest.main()
