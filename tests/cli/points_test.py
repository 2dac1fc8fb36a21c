"""strew points: files that read back, the promised distance exactly, crops, hashes that do not depend on how."""
import json
import unittest

import numpy
from command import CommandTest


def closest_pair_squared(points):
    """Smallest squared distance between two points, by a grid of cells (exact in the doubles given)."""
    points = points[numpy.lexsort((points[:, 1], points[:, 0]))]
    best = numpy.inf
    for offset in range(1, len(points)):
        difference = points[offset:] - points[:-offset]
        near = difference[:, 0] ** 2 <= best
        if not near.any():
            break
        best = min(best, (difference[near] ** 2).sum(axis=1).min())
    return best


class Points(CommandTest):
    def points(self, *options, name="points.csv"):
        path = self.folder / name
        said = self.json("points", "poisson/tiled", "--set", "radius=2", *options, "-o", path)
        if name.endswith(".npy"):
            return numpy.load(path), said
        lines = path.read_text().splitlines()
        self.assertEqual(lines[0].split(",")[:2], ["x", "y"])
        return numpy.array([[float(v) for v in line.split(",")[:2]] for line in lines[1:]]).reshape(-1, 2), said

    def test_distance_density_and_bounds(self):
        points, said = self.points("--size", "300x200", "--seed", "7")
        self.assertEqual(said["count"], len(points))
        self.assertGreaterEqual(closest_pair_squared(points), 4.0)
        # Random sequential adsorption at saturation: N r^2 / A = 0.69656; four standard deviations of this window.
        self.assertAlmostEqual(len(points) * 4 / (300 * 200), 0.69656, delta=0.012)
        self.assertTrue((points >= 0).all() and (points[:, 0] < 300).all() and (points[:, 1] < 200).all())

    def test_no_room_is_left(self):
        points, _ = self.points("--size", "60x60", "--seed", "3")
        axis = numpy.arange(3, 57, 0.1)
        grid = numpy.stack(numpy.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
        nearest = numpy.full(len(grid), numpy.inf)
        for point in points:
            nearest = numpy.minimum(nearest, ((grid - point) ** 2).sum(axis=1))
        self.assertLess(nearest.max(), (2 * (1 + 1e-3)) ** 2)

    def test_the_distance_check_can_fail(self):
        self.assertEqual(closest_pair_squared(numpy.array([[0.0, 0.0], [5.0, 9.0], [0.0, 1.5]])), 2.25)

    def test_keys_of_json(self):
        said = self.json("points", "poisson/tiled", "--set", "radius=2", "--size", "50x50")
        for key in ("count", "hash", "seconds", "points_per_second", "threads", "isa"):
            self.assertIn(key, said)

    def test_a_region_is_the_crop(self):
        whole, _ = self.points("--size", "120x120", "--origin", "-50,-40", "--seed", "7")
        part, _ = self.points("--size", "120x120", "--origin", "-50,-40", "--seed", "7", "--region", "-20,-13,33.5,41")
        inside = (whole[:, 0] >= -20) & (whole[:, 0] < 33.5) & (whole[:, 1] >= -13) & (whole[:, 1] < 41)
        as_set = lambda rows: sorted(map(tuple, rows))
        self.assertEqual(as_set(whole[inside]), as_set(part))
        self.assertGreater(len(part), 100)

    def test_far_from_the_origin(self):
        points, _ = self.points("--size", "100x100", "--origin", "10000000,-10000000")
        self.assertGreaterEqual(closest_pair_squared(points - points[0]), 4.0 * (1 - 1e-9))

    def test_threads_and_executors_change_nothing(self):
        size = ("--size", "400x400", "--seed", "11")
        expected = None
        for options in (["--threads", "1"], ["--threads", "2"], ["--threads", "3"], ["--executor", "serial"],
                        ["--executor", "shuffled", "--threads", "7"]):
            said = self.json("points", "poisson/tiled", "--set", "radius=2", *size, *options)
            expected = expected or said["hash"]
            self.assertEqual(said["hash"], expected, options)
        other = self.json("points", "poisson/tiled", "--set", "radius=2", "--size", "400x400", "--seed", "12")
        self.assertNotEqual(other["hash"], expected)

    def test_formats_agree(self):
        csv, _ = self.points("--size", "40x40")
        npy, _ = self.points("--size", "40x40", name="points.npy")
        self.assertEqual(npy.dtype, numpy.float64)
        numpy.testing.assert_array_equal(csv, npy)
        self.points_file("points.ply", b"ply\n")
        self.points_file("points.png", b"\x89PNG")

    def points_file(self, name, magic):
        path = self.folder / name
        self.ok("points", "poisson/tiled", "--set", "radius=2", "--size", "40x40", "-o", path)
        self.assertTrue(path.read_bytes().startswith(magic))

    def test_every_strategy_of_the_menu_runs(self):
        for strategy in json.loads(self.ok("strategies", "--json").stdout):
            if strategy["id"].startswith("snapmesh/"):  # these make maps of pieces, by strew snap
                continue
            required = [f"{p['name']}=3" for p in strategy["parameters"] if p["required"]]
            settings = ["--set", *required] if required else []
            said = self.json("points", strategy["full_id"], "--size", "60x60", *settings)
            self.assertGreater(said["count"], 0, strategy["full_id"])

    def test_refusals(self):
        points = ("points", "poisson/tiled", "--size", "10x10")
        self.refused(*points, "--set", "radius=0", says=["radius"])
        self.refused(*points, "--set", "radius=nan", says=["radius"])
        self.refused(*points, "--set", "raduis=2", says=["raduis", "radius"])
        self.refused(*points, "--set", "radius", says=["name=value"])
        self.refused(*points, "--set", "radius=2", "-o", self.folder / "points.doc", says=["points.doc"])
        self.refused(*points, "--set", "radius=2", "--region", "20,20,30,30", says=["--region"])
        self.refused("points", "poisson/tyled", "--size", "10x10", says=["poisson/tiled"])
        self.refused("points", "poisson/tiled", "--size", "10", "--set", "radius=2", says=["--size"])
        self.refused("points", "poisson/tiled", "--size", "0x10", "--set", "radius=2", says=["--size"])
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
