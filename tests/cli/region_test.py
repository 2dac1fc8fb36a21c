"""A region baked alone is the crop of the world, instance by instance, column by column; read without strew's code."""
import unittest

import numpy
from command import CommandTest, needs_shared

import read_tiles

UNITS = 2**32
# Of the gorillas' 5.5 km x 4.6 km: forest, clearings and cliffs; no side lies on a border of tiles.
WHOLE = (581400, 675500, 582200, 676200)
PART = (581612.5, 675703.25, 581911, 676001)


def instances(folder):
    """Rows of (slot, id, x units, y units, z, species, yaw, scale), sorted."""
    manifest = read_tiles.read_manifest(str(folder))
    rows = [numpy.zeros((0, 8), numpy.int64)]
    for tile in read_tiles.tiles(str(folder), manifest):
        for slot in tile["slots"]:
            rows.append(numpy.column_stack([
                numpy.full(slot["count"], slot["slot"], numpy.int64),
                read_tiles.instance_ids(slot).view(numpy.int64),
                slot["x"] * slot["pitch"], slot["y"] * slot["pitch"],
                *(slot[name].astype(numpy.int64) for name in ("z", "species", "yaw", "scale"))]))
    table = numpy.concatenate(rows)
    return table[numpy.lexsort(table.T[::-1])]


def inside(table, region):
    x0, y0, x1, y1 = (int(side * UNITS) for side in region)
    return table[(table[:, 2] >= x0) & (table[:, 2] < x1) & (table[:, 3] >= y0) & (table[:, 3] < y1)]


def text(region):
    return ",".join(map(str, region))


def closest(ours, others):
    """Smallest distance in metres from each of `ours` to one of `others`, apart from itself."""
    best = numpy.inf
    metres = lambda table: (table[:, 2:4] - numpy.array(WHOLE[:2]) * UNITS) / UNITS
    theirs = metres(others)
    theirs = theirs[numpy.argsort(theirs[:, 0])]
    for x, y in metres(ours):
        near = theirs[numpy.searchsorted(theirs[:, 0], x - 8):numpy.searchsorted(theirs[:, 0], x + 8)]
        squared = (near[:, 0] - x) ** 2 + (near[:, 1] - y) ** 2
        best = min(best, numpy.min(squared[squared > 0], initial=numpy.inf))
    return best**0.5


@needs_shared
class Region(CommandTest):
    def test_the_region_is_the_crop(self):
        whole, _ = self.bake_gorillas("whole", "--region", text(WHOLE))
        # Another tile size too: neither may show.
        part, said = self.bake_gorillas("part", "--region", text(PART), "--tile-size", "100")
        expected = inside(instances(whole), PART)
        found = instances(part)
        self.assertEqual(len(found), said["instances"])
        self.assertGreater(len(found), 2000)
        self.assertGreater(len(numpy.unique(found[:, 0])), 3, "too few layers to mean anything")
        numpy.testing.assert_array_equal(found, expected)

    def test_distances_hold_by_numpy_alone(self):
        out, _ = self.bake_gorillas("out", "--region", text(PART), "--tile-size", "64")
        table = instances(out)
        canopy, shrubs, rocks = (table[table[:, 0] == slot] for slot in range(3))
        self.assertGreaterEqual(closest(canopy, canopy), 6)
        self.assertGreaterEqual(closest(rocks, rocks), 4)
        self.assertGreaterEqual(closest(rocks, canopy), 2.5)
        self.assertGreaterEqual(closest(shrubs, canopy), 2)
        self.assertLess(closest(canopy, canopy), 6.05)


if __name__ == "__main__":
    unittest.main()
