"""strew analyze: what it reads, what it says of sets whose measures are known, and how it refuses."""
import json
import re
import unittest

import numpy
from command import SHARED, CommandTest, needs_shared


class Analyze(CommandTest):
    def made(self, strategy, name, *options, size="120x90"):
        path = self.folder / name
        self.ok("points", strategy, "--size", size, "--set", "radius=2", "-o", path, *options)
        return path

    def analyzed(self, *arguments):
        return self.json("analyze", *arguments)

    def text(self, content, name="points.csv"):
        path = self.folder / name
        path.write_text(content)
        return path

    def test_tiled_keeps_what_it_promises(self):
        said = self.analyzed(self.made("poisson/tiled", "p.npy", "--seed", "5", size="200x200"),
                             "--region", "0,0,200,200", "--radius", "2")
        self.assertEqual(said["violations"], 0)
        self.assertGreaterEqual(said["minimum_distance_m"], 2)
        self.assertAlmostEqual(said["normalised_density"], 0.69656, delta=0.01)
        self.assertEqual(said["uncovered_fraction"], 0)
        self.assertGreater(said["uncovered_upper"], 0)
        # The lattice leaves no hole of r at its positions; between them, none a pitch larger.
        self.assertLess(said["largest_void"]["radius_m"], 2.001)
        low = [p for f, p in zip(said["spectrum"]["frequency_per_m"], said["spectrum"]["power"]) if f < 0.12]
        self.assertLess(numpy.mean(low), 0.12)
        distance, g = said["pair_correlation"]["distance_m"], said["pair_correlation"]["g"]
        self.assertTrue(all(v == 0 for d, v in zip(distance, g) if d < 1.95))
        self.assertTrue(all(h["chance"] > 1e-5 for h in said["harmonics"]), said["harmonics"])
        self.assertEqual(len(said["harmonics"]), 10)
        self.assertAlmostEqual(said["reference"]["normalised_density"], 0.683, delta=0.01)

    def test_measures_agree_with_numpy(self):
        path = self.made("poisson/bridson", "p.npy", size="60x50")
        points = numpy.load(path)
        said = self.analyzed(path, "--radius", "2.2", "--no-reference")
        difference = points[:, None, :] - points[None, :, :]
        distance = numpy.sqrt((difference**2).sum(axis=2))
        numpy.fill_diagonal(distance, numpy.inf)
        self.assertEqual(said["count"], len(points))
        self.assertAlmostEqual(said["minimum_distance_m"], distance.min(), delta=1e-12)
        self.assertEqual(said["violations"], int((distance < 2.2).sum()) // 2)
        self.assertAlmostEqual(said["mean_nearest_m"], distance.min(axis=1).mean(), delta=1e-9)
        sides = points.max(axis=0) - points.min(axis=0)
        self.assertAlmostEqual(said["area_m2"], sides.prod(), delta=1e-6)
        self.assertNotIn("reference", said)

    def test_formats_and_threads_change_nothing(self):
        expected = None
        for name in ("p.csv", "p.npy", "p.ply"):
            path = self.made("poisson/tiled", name)
            for options in (["--threads", "1"], ["--threads", "3"], ["--executor", "shuffled"]):
                said = self.analyzed(path, "--radius", "2", *options)
                del said["points"], said["seconds"]
                expected = expected or said
                self.assertEqual(said, expected, (name, options))

    def test_far_from_the_origin_the_same(self):
        near = self.analyzed(self.text("x,y\n1,1\n4,5\n9,2\n"), "--no-reference")
        far = self.analyzed(self.text("x,y\n7000001,-5999999\n7000004,-5999995\n7000009,-5999998\n"), "--no-reference")
        self.assertEqual(near["minimum_distance_m"], 5)
        self.assertEqual(far["minimum_distance_m"], 5)
        self.assertAlmostEqual(far["largest_void"]["x_m"] - 7e6, near["largest_void"]["x_m"], delta=1e-6)

    def test_bridson_crowds_its_border(self):
        said = self.analyzed(self.made("poisson/bridson", "b.csv", size="150x150"), "--region", "0,0,150,150",
                             "--no-reference")
        density, error = said["border_density"]["relative_density"], said["border_density"]["relative_density_error"]
        self.assertGreater(density[0] - 2 * error[0], 1.1)
        self.assertIsNone(said["violations"])  # no radius was given

    def test_a_lattice_of_tiles_stands_out(self):
        rng = numpy.random.default_rng(3)
        points = rng.uniform(0, 100, (4000, 2))
        points[:, 0] = numpy.where(rng.uniform(size=4000) < 0.15, numpy.floor(points[:, 0] / 10) * 10 + 0.5, points[:, 0])
        path = self.folder / "seams.npy"
        numpy.save(path, points.astype(numpy.float32))
        said = self.analyzed(path, "--region", "0,0,100,100", "--tile-size", "10", "--no-reference")
        chance = {h["name"]: h["chance"] for h in said["harmonics"]}
        self.assertLess(chance["1 per tile, along x"], 1e-6)
        self.assertGreater(chance["1 per tile, along y"], 1e-4)
        self.assertIn("STANDS OUT", self.ok("analyze", path, "--region", "0,0,100,100", "--tile-size", "10",
                                            "--no-reference").stdout)

    def test_two_sets_and_a_report(self):
        first = self.made("poisson/tiled", "tiled.npy")
        second = self.made("poisson/bridson", "bridson.npy")
        report = self.folder / "report.html"
        said = self.analyzed(first, second, "--radius", "2", "-o", report)
        self.assertGreater(said["normalised_density"], said["second"]["normalised_density"])
        html = report.read_text()
        self.assertTrue(html.startswith("<!DOCTYPE html>"))
        for words in ("tiled.npy", "bridson.npy", "data:image/png;base64,", "Pair correlation", "poisson/dart of the same radius"):
            self.assertIn(words, html)
        # Nothing is loaded from elsewhere, and nothing is undefined. (Pictures may spell anything.)
        text = re.sub(r"base64,[A-Za-z0-9+/=]*", "", html).replace("xmlns", "")
        for words in ("<script", "http://", "https://", "nan", "inf "):
            self.assertNotIn(words, text)
        again = self.folder / "again.html"
        self.ok("analyze", first, second, "--radius", "2", "-o", again, "--threads", "1")
        self.assertEqual(again.read_text(), html)

    @needs_shared
    def test_real_trees(self):
        said = self.analyzed(SHARED / "bei_trees.csv")
        self.assertEqual(said["count"], 3604)
        self.assertGreater(max(said["pair_correlation"]["g"]), 2)  # trees of one species stand in groups
        self.assertGreater(said["spectrum"]["power"][0], 3)
        self.assertIn("density", said["reference"]["label"])

    def test_a_bake(self):
        out = self.folder / "out"
        self.ok("bake", self.world(), "-o", out, "--tile-size", "50")
        said = self.analyzed(out, "--tile-size", "50")
        self.assertEqual(said["radius_m"], 4)
        self.assertEqual(said["violations"], 0)
        self.assertEqual(said["window_m"], [0, 0, 200, 150])
        self.assertEqual(self.analyzed(out, "--layer", "trees", "--tile-size", "50")["count"], said["count"])
        self.refused("analyze", out, "--layer", "treees", says=["--layer", "treees", "trees"])
        self.refused("analyze", out, "--region", "500,500,600,600", says=["--region"])

    def test_radii_far_from_the_spacing(self):
        path = self.made("poisson/tiled", "p.npy")
        for radius in ("1e-6", "0.05", "60", "1e9"):
            said = self.analyzed(path, "--radius", radius)
            self.assertEqual(said["violations"] == 0, float(radius) < 2, radius)

    def test_refusals(self):
        good = self.text("x,y\n1,2\n3,4\n9,9\n", "good.csv")
        self.ok("analyze", good)
        cases = [
            (self.text("", "empty.csv"), ["empty.csv", "empty"]),
            (self.text("lon,lat\n1,2\n", "header.csv"), ["header.csv", "x and y", "lon,lat"]),
            (self.text("x,y\n1,2\n3,nan\n", "nan.csv"), ["nan.csv", "line 3"]),
            (self.text("x,y\n1,2\n", "one.csv"), ["one.csv", "1 point"]),
            (self.text("x,y\n1,2\n1,3\n", "line.csv"), ["line.csv", "--region"]),
            (self.text("x,y\n1,2\n1e300,3\n", "far.csv"), ["far.csv", "1e+300", "--region"]),
            (self.folder / "nowhere.csv", ["nowhere.csv"]),
            (self.folder, [str(self.folder)]),
        ]
        for name in ("cut.npy", "cut.ply"):
            path = self.made("poisson/tiled", name, size="30x30")
            path.write_bytes(path.read_bytes()[:-5])
            cases.append((path, [name, "truncated"]))
        for path, says in cases:
            with self.subTest(path=path.name):
                report = self.folder / "report.html"
                self.refused("analyze", path, "-o", report, says=says)
                self.assertFalse(report.exists())
        self.refused("analyze", good, "--region", "50,50,60,60", says=["--region", "good.csv"])
        self.refused("analyze", good, "--region", "5,5,1,1", says=["--region"])
        self.refused("analyze", good, "--region", "5,5,1", says=["--region"])
        self.refused("analyze", good, "--radius", "-1", says=["--radius"])
        self.refused("analyze", good, "--radius", "nan", says=["--radius"])
        self.refused("analyze", good, "--tile-size", "inf", says=["--tile-size"])
        for option in ("--radius", "--tile-size", "--cell-period"):
            self.refused("analyze", good, option, "0", says=[option, "leave the option out"])
        for option in ("--tile-size", "--cell-period"):
            self.refused("analyze", good, option, "1e-9", says=[option, "at least 8e-08 m"])
        self.refused("analyze", good, "-o", self.folder / "report.pdf", says=["report.pdf", ".html"])
        self.assertFalse((self.folder / "report.pdf").exists())
        self.refused("analyze", good, "--layer", "trees", says=["--layer"])
        self.refused("analyze", says=["POINTS"])
        self.refused("analyze", good, "-o", self.folder / "absent" / "report.html", says=["absent"])


if __name__ == "__main__":
    unittest.main()
