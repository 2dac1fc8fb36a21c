"""schema, init, strategies, preview, help, and being interrupted."""
import json
import os
import signal
import struct
import subprocess
import sys
import unittest
import zlib

import numpy
from command import COMMAND, SOURCE, CommandTest


def read_png(path):
    """8-bit RGB pixels of a PNG that is not interlaced, as an array of shape (height, width, 3)."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    rows = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, 1 + 3 * width)
    picture = numpy.zeros((height, width, 3), numpy.uint8)
    above = numpy.zeros(3 * width, numpy.int64)
    for y, row in enumerate(rows):
        line = row[1:].astype(numpy.int64)
        if row[0] == 2:
            line = (line + above) % 256
        elif row[0] in (1, 3, 4):
            for i in range(3 * width):
                left = line[i - 3] if i >= 3 else 0
                corner = above[i - 3] if i >= 3 else 0
                if row[0] == 1:
                    guess = left
                elif row[0] == 3:
                    guess = (left + above[i]) // 2
                else:
                    base = left + above[i] - corner
                    guess = min((abs(base - left), 0, left), (abs(base - above[i]), 1, above[i]),
                                (abs(base - corner), 2, corner))[2]
                line[i] = (line[i] + guess) % 256
        above = line
        picture[y] = line.reshape(width, 3)
    return picture


class Menu(CommandTest):
    def test_strategies(self):
        menu = json.loads(self.ok("strategies", "--json").stdout)
        ids = [entry["id"] for entry in menu]
        self.assertIn("poisson/tiled", ids)
        radius = next(p for e in menu if e["id"] == "poisson/tiled" for p in e["parameters"] if p["name"] == "radius")
        self.assertEqual(radius["unit"], "m")
        one = json.loads(self.ok("strategies", "poisson/tiled", "--json").stdout)
        self.assertEqual({entry["id"] for entry in one}, {"poisson/tiled"})
        self.assertIn("radius", self.ok("strategies", "poisson/tiled").stdout)
        self.refused("strategies", "poisson/tyled", says=["poisson/tiled"])

    def test_schema_is_json_and_is_what_the_documentation_lists(self):
        schema = self.ok("schema").stdout
        self.assertIn("layers", json.loads(schema)["properties"])
        check = [sys.executable, "-B", SOURCE / "tools/world_file_doc.py", "--check"]
        done = subprocess.run(check, input=schema, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        other = schema.replace("Seed of every layer", "Seed of no layer")
        self.assertEqual(subprocess.run(check, input=other, capture_output=True, text=True).returncode, 1)

    def test_init_writes_a_world_that_bakes(self):
        world = self.folder / "mine.json"
        self.ok("init", world)
        text = world.read_text()
        self.refused("init", world, says=["mine.json", "--force"])
        self.assertEqual(self.ok("init", "-").stdout, text)
        self.ok("bake", world, "-o", self.folder / "out", "--region", "500,500,900,900")

    def test_help_and_version(self):
        self.assertIn("bake", self.ok("--help").stdout)
        self.assertIn("--region", self.ok("bake", "--help").stdout)
        self.assertIn("strew ", self.ok("--version").stdout)


class Bake(CommandTest):
    def test_json_is_alone_on_standard_output(self):
        said = self.json("bake", self.world(), "-o", self.folder / "out")
        for key in ("instances", "world_hash", "tiles", "seconds", "instances_per_second", "peak_memory_bytes"):
            self.assertIn(key, said)
        layer = said["layers"][0]
        self.assertEqual(layer["placed"], said["instances"])
        self.assertEqual(sum(layer["species"].values()), layer["placed"])
        self.assertEqual(layer["candidates"], layer["placed"] + sum(layer["rejected"].values()))

    def test_quiet_is_quiet(self):
        done = self.ok("bake", self.world(), "-o", self.folder / "out", "--quiet")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_the_table_names_layers_and_species(self):
        table = self.ok("bake", self.world(), "-o", self.folder / "out").stdout
        for word in ("trees", "oak", "elm", "candidates", "placed", "per km2", "world hash"):
            self.assertIn(word, table)

    def test_an_empty_world_is_a_result(self):
        def change(world):
            world["terrain"] = {"builtin": "island", "seed": 1, "size_m": 200}
            world["layers"][0]["constraints"] = {"altitude_m": [8000, 9000]}

        said = self.json("bake", self.world(change), "-o", self.folder / "out")
        self.assertEqual(said["instances"], 0)
        # No ground is that high: not a single point is tried.
        self.assertEqual(said["layers"][0]["candidates"], 0)
        self.ok("verify", self.folder / "out")

    def test_interrupt_stops_without_a_manifest(self):
        def larger(world):
            world["extent"]["size_m"] = [30000, 30000]
            world["layers"][0]["parameters"]["radius"] = 2

        out = self.folder / "out"
        started = subprocess.Popen([COMMAND, "bake", self.world(larger), "-o", out, "--threads", "2"],
                                   stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # The first progress line (or the first tile's name) says that the bake is under way.
        for _ in range(600):
            if list(out.glob("**/*.strewtile")):
                break
            try:
                started.wait(timeout=0.1)
                break
            except subprocess.TimeoutExpired:
                pass
        started.send_signal(signal.SIGINT)
        _, said = started.communicate(timeout=120)
        self.assertEqual(started.returncode, 130, said)
        self.assertIn("interrupted", said)
        self.assertFalse((out / "manifest.json").exists())


class Preview(CommandTest):
    def test_a_bake_and_its_world_make_the_same_picture(self):
        def change(world):
            world["terrain"] = {"builtin": "island", "seed": 1, "size_m": 200}

        world = self.world(change)
        self.ok("bake", world, "-o", self.folder / "out")
        for name, source in (("bake.png", self.folder / "out"), ("world.png", world)):
            self.ok("preview", source, "-o", self.folder / name, "--pixels", "160")
        self.assertEqual((self.folder / "bake.png").read_bytes(), (self.folder / "world.png").read_bytes())
        picture = read_png(self.folder / "bake.png")
        self.assertEqual(picture.shape[0], 120)
        self.assertGreater(picture.shape[1], 160, "no legend")
        self.assertGreater(len(numpy.unique(picture[:, :160].reshape(-1, 3), axis=0)), 20)

    def test_a_part_and_plain_ground(self):
        self.ok("bake", self.world(), "-o", self.folder / "out")
        path = self.folder / "part.png"
        self.ok("preview", self.folder / "out", "-o", path, "--region", "50,50,100,75", "--pixels", "100", "--no-legend",
                "--without-terrain")
        self.assertEqual(read_png(path).shape, (50, 100, 3))

    def test_density_is_honest(self):
        # Discs of three pixels and of a fraction of one must darken the picture alike.
        def dark(pixels):
            path = self.folder / f"{pixels}.png"
            self.ok("preview", self.world(larger), "-o", path, "--pixels", pixels, "--no-legend", "--without-terrain")
            picture = read_png(path)[:, :, 0].astype(float)
            return picture.mean()

        def larger(world):
            world["extent"]["size_m"] = [400, 400]

        self.assertAlmostEqual(dark(800), dark(100), delta=6)

    def test_layers_have_colours_of_their_own(self):
        def change(world):
            world["layers"] = [{"name": f"l{i}", "parameters": {"radius": 20}, "species": [{"name": "s"}]} for i in range(20)]

        path = self.folder / "legend.png"
        self.ok("preview", self.world(change), "-o", path, "--pixels", "640", "--without-terrain")
        swatches = read_png(path)[:, 640 + 8 + 4]  # a column through the squares of the legend
        ends = numpy.flatnonzero(numpy.any(numpy.diff(swatches.astype(int), axis=0) != 0, axis=1))
        runs = [(a, b) for a, b in zip(ends, ends[1:]) if b - a == 8 and swatches[a + 1].max() < 245]
        self.assertEqual(len(runs), 20)
        colours = [swatches[a + 1].astype(int) for a, _ in runs]
        closest = min(abs(a - b).sum() for i, a in enumerate(colours) for b in colours[:i])
        self.assertGreater(closest, 25)

    def test_the_few_that_stand_are_seen_among_many(self):
        def change(world):
            world["layers"] = [{"name": "chests", "parameters": {"radius": 0.5}, "species": [{"name": "s"}],
                                "reserved": {"count": 5}}]

        path = self.folder / "why.png"
        self.ok("preview", self.world(change), "-o", path, "--why", "chests", "--pixels", "240", "--without-terrain")
        picture = read_png(path)[:, :240].astype(int)
        self.assertGreater((picture.min(axis=2) >= 253).sum(), 5 * 50)

    def test_refusals(self):
        world = self.world()
        self.refused("preview", world, "-o", self.folder / "x.jpg", says=["x.jpg", ".png"])
        self.refused("preview", self.folder / "nowhere", "-o", self.folder / "x.png", says=["nowhere"])
        self.refused("preview", world, "-o", self.folder / "x.png", "--region", "900,900,950,950", says=["--region"])
        self.refused("preview", world, "-o", self.folder / "x.png", "--pixels", "3", says=["--pixels"])
        self.assertEqual(os.listdir(self.folder), ["world.json"])

    def test_pyramid(self):
        """A web map of a whole bake: every level covers the world and is the mean of the one below it."""
        def change(world):
            world["extent"] = {"origin_m": [-1000, 500], "size_m": [600, 120]}
            world["terrain"] = {"builtin": "island", "seed": 3, "size_m": 800}
            world["output"] = {"tile_size_m": 128}
        out, maps = self.folder / "out", self.folder / "maps"
        self.ok("bake", self.world(change), "-o", out)
        self.ok("preview", out, "-o", maps, "--pyramid", "1", "--quiet")
        # 600 m at 1 m a pixel are 2.3 pictures of 256 pixels, so 4: two levels above them.
        pictures = {tuple(int(part) for part in path.relative_to(maps).with_suffix("").parts): read_png(path)
                    for path in maps.rglob("*.png")}
        expected = {(2, x, 0) for x in range(3)} | {(1, x, 0) for x in range(2)} | {(0, 0, 0)}
        self.assertEqual(set(pictures), expected)
        for (level, x, y), picture in pictures.items():
            self.assertEqual(picture.shape, (256, 256, 3))
            if level == 2:
                continue
            below = numpy.full((512, 512, 3), pictures[(0, 0, 0)][-1, -1], numpy.int64)  # the ground where nothing is
            for child in range(4):
                place = (level + 1, 2 * x + child % 2, 2 * y + child // 2)
                if place in pictures:
                    row, column = child // 2 * 256, child % 2 * 256
                    below[row:row + 256, column:column + 256] = pictures[place]
            mean = (below.reshape(256, 2, 256, 2, 3).sum(axis=(1, 3)) + 2) // 4
            numpy.testing.assert_array_equal(picture, mean)
        # The finest level is the map of the same place, seam by seam; the world ends where its extent does.
        whole = numpy.hstack([pictures[(2, x, 0)] for x in range(3)])
        self.ok("preview", out, "-o", self.folder / "whole.png", "--pixels", "600", "--no-legend")
        once = read_png(self.folder / "whole.png")
        self.assertEqual(once.shape, (120, 600, 3))
        differs = (whole[:120, :600] != once).any(axis=2).mean()
        self.assertLess(differs, 0.01)
        again = self.folder / "again"
        self.ok("preview", out, "-o", again, "--pyramid", "1", "--quiet", "--threads", "1")
        for path in maps.rglob("*.png"):
            self.assertEqual(path.read_bytes(), (again / path.relative_to(maps)).read_bytes())
        self.refused("preview", out, "-o", again, "--pyramid", "0.001", says=["--pyramid", "0.001"])


if __name__ == "__main__":
    unittest.main()
