"""Exports read back by other eyes: counts, positions, ids and axes against the NumPy reader of tiles."""
import csv
import json
import os
import shutil
import struct
import subprocess
import unittest
from pathlib import Path

import numpy as np

from command import CommandTest
import read_tiles

FLOAT, SHORT = 5126, 5123
COMPONENTS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def baked(folder):
    """All instances of a bake, sorted by id: id, x, y, z, yaw in degrees, scale."""
    manifest = read_tiles.read_manifest(str(folder))
    rows = []
    for tile in read_tiles.tiles(str(folder), manifest):
        for slot, info in zip(tile["slots"], manifest["slots"]):
            rows.append(np.rec.fromarrays([read_tiles.instance_ids(slot), *read_tiles.metres_and_degrees(slot, info["species"])],
                                          names="id,x,y,z,yaw,scale"))
    return np.sort(np.concatenate(rows), order="id")


class Glb:
    def __init__(self, path):
        self.path = path
        data = path.read_bytes()
        magic, version, size, json_size, kind = struct.unpack_from("<4sIII4s", data)
        assert (magic, version, size, kind) == (b"glTF", 2, len(data), b"JSON"), path
        self.json = json.loads(data[20:20 + json_size])
        self.bin = data[28 + json_size:]

    def accessor(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        kind = np.dtype("<f4") if accessor["componentType"] == FLOAT else np.dtype("<u2")
        width = COMPONENTS[accessor["type"]]
        values = np.frombuffer(self.bin, kind, accessor["count"] * width, view["byteOffset"])
        return values.reshape(-1, width)

    def poses(self):
        """Ids, places relative to the origin of the file, quaternions (x, y, z, w) and scales in glTF's own axes, and the
        names of the nodes."""
        rows = []
        nodes = self.json.get("nodes", [])
        for root in self.json["scenes"][0].get("nodes", []):
            shift = nodes[root].get("translation", [0, 0, 0])
            for child in nodes[root]["children"]:
                node = nodes[child]
                if "extensions" in node:
                    attributes = node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]
                    place = self.accessor(attributes["TRANSLATION"]).astype(float) + shift
                    turn = self.accessor(attributes["ROTATION"]).astype(float)
                    scale = self.accessor(attributes["SCALE"]).astype(float)
                    ids = np.frombuffer(self.accessor(attributes["_STREW_ID"]).tobytes(), "<u8")
                else:
                    place = np.array([node["translation"]]) + shift
                    turn = np.array([node["rotation"]])
                    scale = np.array([node["scale"]])
                    ids = np.array([int(node["extras"]["id"])], np.uint64)
                rows.append((ids, place, turn, scale, np.repeat(node["name"], len(ids))))
        return [np.concatenate(column) for column in zip(*rows)]

    def instances(self):
        """As `baked`, in glTF's own axes turned back to strew's, relative to the origin of the file."""
        if not self.json["scenes"][0].get("nodes"):
            return np.zeros(0, dtype=[("id", "<u8")])
        ids, place, turn, scale, _ = self.poses()
        assert np.abs(turn[:, [0, 2]]).max() == 0
        yaw = np.degrees(2 * np.arctan2(turn[:, 1], turn[:, 3]))
        return np.rec.fromarrays([ids, place[:, 0], -place[:, 2], place[:, 1], yaw, scale[:, 0]], names="id,x,y,z,yaw,scale")


class Export(CommandTest):
    def setUp(self):
        super().setUp()

        def world(it):
            it["extent"] = {"origin_m": [5000000, -3000], "size_m": [330, 250]}
            it["terrain"] = {"builtin": "island", "seed": 1, "size_m": 500}
            it["output"] = {"tile_size_m": 64}
            it["layers"][0]["species"][1].update(yaw_degrees=[-30, 60], scale=[0.5, 2])
            it["layers"].append({"name": "rocks, loose", "strategy": "poisson/tiled", "parameters": {"radius": 9},
                                 "species": [{"name": "boulder \"big\""}]})
        self.bake = self.folder / "bake"
        self.summary = self.json("bake", self.world(world), "-o", self.bake)
        self.expected = baked(self.bake)
        self.assertGreater(len(self.expected), 1000)

    def same(self, found, origin=(0, 0), tolerance=1e-9):
        found = np.sort(found, order="id")
        np.testing.assert_array_equal(found["id"], self.expected["id"])
        for name, shift in (("x", origin[0]), ("y", origin[1]), ("z", 0)):
            np.testing.assert_allclose(found[name] + shift, self.expected[name], rtol=0, atol=tolerance)
        np.testing.assert_allclose(found["scale"], self.expected["scale"], rtol=1e-6)
        turn = (found["yaw"] - self.expected["yaw"] + 180) % 360 - 180
        self.assertLess(np.abs(turn).max(), 1e-3)

    def test_tables(self):
        out = self.folder / "out.npy"
        self.assertEqual(self.json("export", self.bake, "-f", "npy", "-o", out)["instances"], len(self.expected))
        table = np.load(out)
        self.same(np.rec.fromarrays([table[n] for n in ("id", "x", "y", "z", "yaw_degrees", "scale")],
                                    names="id,x,y,z,yaw,scale"))
        out = self.folder / "out.csv"
        self.ok("export", self.bake, "-f", "csv", "-o", out)
        with open(out, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.same(np.rec.fromarrays([np.array([np.uint64(row["id"]) for row in rows])] +
                                    [np.array([float(row[n]) for row in rows])
                                     for n in ("x", "y", "z", "yaw_degrees", "scale")], names="id,x,y,z,yaw,scale"))
        self.assertEqual({row["layer"] for row in rows}, {"trees", "rocks, loose"})
        self.assertIn("boulder \"big\"", {row["species"] for row in rows})
        out = self.folder / "out.ply"
        self.ok("export", self.bake, "-f", "ply", "-o", out, "--origin", "5000000,-3000")
        header, _, body = out.read_bytes().partition(b"end_header\n")
        self.assertIn(f"element vertex {len(self.expected)}\n".encode(), header)
        kind = np.dtype([("x", "<f8"), ("y", "<f8"), ("z", "<f8"), ("yaw", "<f4"), ("scale", "<f4"), ("id", "<u8"),
                         ("layer", "<u2"), ("species", "<u2")])
        table = np.frombuffer(body, kind)
        self.same(np.rec.fromarrays([table[n] for n in ("id", "x", "y", "z", "yaw", "scale")], names="id,x,y,z,yaw,scale"),
                  (5000000, -3000))

    def test_axes(self):
        """Right of a thing that faces east is south, whatever an engine calls it."""
        plain = None
        for axes, to_strew, sign in (("strew", lambda t: (t["x"], t["y"], t["z"]), 1),
                                     ("unreal", lambda t: (t["x"] / 100, -t["y"] / 100, t["z"] / 100), -1),
                                     ("unity", lambda t: (t["x"], t["z"], t["y"]), -1),
                                     ("godot", lambda t: (t["x"], -t["z"], t["y"]), 1),
                                     ("o3de", lambda t: (t["x"], t["y"], t["z"]), 1),
                                     ("blender", lambda t: (t["x"], t["y"], t["z"]), 1)):
            out = self.folder / f"{axes}.npy"
            self.ok("export", self.bake, "-f", "npy", "-o", out, "--axes", axes)
            table = np.load(out)
            plain = table if plain is None else plain
            for found, name in zip(to_strew(table), "xyz"):
                np.testing.assert_allclose(found, plain[name], rtol=1e-14)
            np.testing.assert_array_equal(table["yaw_degrees"], sign * plain["yaw_degrees"])
        self.refused("export", self.bake, "-f", "glb", "-o", self.folder / "x.glb", "--axes", "unity", says=["axes"])

    def check_with_khronos(self, files):
        """The validator is a Node package that tests do not install: set STREW_GLTF_VALIDATOR to its folder."""
        validator = os.environ.get("STREW_GLTF_VALIDATOR")
        if not validator or not shutil.which("node"):
            return
        script = ("const v=require(process.argv[1]),fs=require('fs'),p=require('path');(async()=>{let e=0;for(const f of process.argv.slice(2))"
                  "{const r=await v.validateBytes(new Uint8Array(fs.readFileSync(f)),{externalResourceFunction:u=>"
                  "fs.promises.readFile(p.join(p.dirname(f),decodeURIComponent(u))).then(b=>new Uint8Array(b))});"
                  "e+=r.issues.numErrors;"
                  "if(r.issues.numErrors)console.log(f,JSON.stringify(r.issues.messages.slice(0,3)))}console.log(e)})()")
        done = subprocess.run(["node", "-e", script, validator, *map(str, files)], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), "0", done.stdout)

    def test_glb(self):
        out = self.folder / "tiles"
        summary = self.json("export", self.bake, "-f", "glb", "-o", out)
        files = sorted(out.glob("*.glb"))
        self.assertEqual(len(files), self.summary["tiles"])
        self.same(np.concatenate([Glb(path).instances() for path in files]), summary["origin_m"], 2e-5)
        for options in ([], ["--no-instancing"]):
            one = self.folder / f"one{len(options)}.glb"
            summary = self.json("export", self.bake, "-f", "glb", "-o", one, *options)
            glb = Glb(one)
            self.assertEqual("extensionsRequired" in glb.json, not options)
            self.same(glb.instances(), summary["origin_m"], 2e-5)
            files.append(one)
        self.check_with_khronos(files)

    def test_usda(self):
        out = self.folder / "out.usda"
        summary = self.json("export", self.bake, "-f", "usda", "-o", out)
        text = out.read_text()
        self.assertTrue(text.startswith("#usda 1.0\n"))
        self.assertEqual(text.count("{"), text.count("}"))
        rows = []
        for block in text.split("def PointInstancer")[1:]:
            def values(name, block=block):
                line = block[block.index(name + " = [") + len(name) + 4:]
                line = line[:line.index("]\n")]
                return np.array([float(v) if name != "ids" else int(v)
                                 for v in line.replace("(", "").replace(")", "").split(", ")])
            shift = block[block.index("translate = (") + 13:]
            shift = [float(v) for v in shift[:shift.index(")")].split(", ")]
            place = values("positions").reshape(-1, 3) + shift
            turn = values("orientations").reshape(-1, 4)
            rows.append(np.rec.fromarrays(
                [values("ids").astype(np.int64).view(np.uint64), place[:, 0], place[:, 1], place[:, 2],
                 np.degrees(2 * np.arctan2(turn[:, 3], turn[:, 0])), values("scales").reshape(-1, 3)[:, 0]],
                names="id,x,y,z,yaw,scale"))
        self.same(np.concatenate(rows), summary["origin_m"], 2e-5)

    def test_tileset(self):
        out = self.folder / "tileset"
        summary = self.json("export", self.bake, "-f", "3dtiles", "-o", out)
        tileset = json.loads((out / "tileset.json").read_text())
        self.assertEqual(tileset["asset"]["version"], "1.1")
        rows, levels = [], {}

        def visit(tile, parent_error, depth):
            self.assertLess(tile["geometricError"], parent_error)
            box = np.array(tile["boundingVolume"]["box"])
            low, high = box[:3] - box[[3, 7, 11]], box[:3] + box[[3, 7, 11]]
            inside = []
            if "content" in tile:
                found = Glb(out / tile["content"]["uri"]).instances()
                inside.append(found)
                levels.setdefault(depth, []).append(found)
            for child in tile.get("children", []):
                inside += visit(child, tile["geometricError"], depth + 1)
            for found in inside:
                for axis, name in enumerate("xyz"):
                    self.assertGreaterEqual(found[name].min(), low[axis] - 1e-3)
                    self.assertLessEqual(found[name].max(), high[axis] + 1e-3)
            if "children" not in tile:
                self.assertEqual(tile["geometricError"], 0)
            return inside

        rows = visit(tileset["root"], tileset["geometricError"], 0)
        self.same(np.concatenate(rows), summary["origin_m"], 2e-5)
        # What the upper levels show keeps apart farther than chance would put it.
        shown = np.concatenate([rows for depth in sorted(levels)[:2] for rows in levels[depth]])
        self.assertGreater(len(shown), 20)
        nearest = self.nearest(shown)
        draw = np.random.default_rng(1)
        chance = self.nearest(self.expected[draw.choice(len(self.expected), len(shown), replace=False)])
        self.assertGreater(np.percentile(nearest, 10), 1.5 * np.percentile(chance, 10))
        self.check_with_khronos(sorted(out.glob("*.glb")))

    @staticmethod
    def nearest(points):
        apart = np.hypot(points["x"][:, None] - points["x"], points["y"][:, None] - points["y"])
        np.fill_diagonal(apart, np.inf)
        return apart.min(axis=1)

    def test_exact_columns(self):
        """They reach every export; what is rounded to floats stays within a float of them."""
        exact = self.folder / "exact"
        world = json.loads((self.folder / "world.json").read_text())
        world["output"]["columns"] = "exact"
        (self.folder / "world.json").write_text(json.dumps(world))
        summary = self.json("bake", self.folder / "world.json", "-o", exact)
        self.assertEqual(summary["world_hash"], self.summary["world_hash"])
        rounded, self.expected, self.bake = self.expected, baked(exact), exact
        self.assertGreater((self.expected["z"] != rounded["z"]).mean(), 0.9)
        self.assertLess(np.abs(self.expected["z"] - rounded["z"]).max(), 0.5 / 1024 + 1e-12)
        out = self.folder / "out.csv"
        self.ok("export", exact, "-f", "csv", "-o", out)
        with open(out, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        found = np.sort(np.rec.fromarrays([np.array([np.uint64(row["id"]) for row in rows])] +
                                          [np.array([float(row[n]) for row in rows])
                                           for n in ("x", "y", "z", "yaw_degrees", "scale")],
                                          names="id,x,y,z,yaw,scale"), order="id")
        for name in found.dtype.names:
            np.testing.assert_array_equal(found[name], self.expected[name])  # to the last bit
        self.assertEqual(self.json("verify", exact)["violations"], 0)
        self.test_glb()

    def test_a_region(self):
        """Rows of the whole that stand in it, no more and no less; floats apart, the same in every format."""
        self.ok("export", self.bake, "-f", "csv", "-o", self.folder / "all.csv")
        low, high = (5000050, -2990), (5000210.5, -2860.25)  # cuts tiles of 64 m
        region = "%r,%r,%r,%r" % (*low, *high)
        for threads in ("1", "3"):
            self.ok("export", self.bake, "-f", "csv", "-o", self.folder / "part.csv", "--region", region, "--threads", threads)
            with open(self.folder / "all.csv", newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file))
            inside = [row for row in rows[1:] if all(low[i] <= float(row[3 + i]) < high[i] for i in (0, 1))]
            self.assertGreater(len(inside), 300)
            with open(self.folder / "part.csv", newline="", encoding="utf-8") as file:
                self.assertEqual(list(csv.reader(file)), [rows[0], *inside])
        self.expected = self.expected[np.isin(self.expected["id"], [np.uint64(row[0]) for row in inside])]
        for kind in ("glb", "3dtiles"):
            summary = self.json("export", self.bake, "-f", kind, "-o", self.folder / kind, "--region", region)
            self.assertEqual(summary["origin_m"], [5000130, -2926])
            self.same(np.concatenate([Glb(path).instances() for path in sorted((self.folder / kind).glob("*.glb"))]),
                      summary["origin_m"], 2e-5)
        for kind in ("npy", "ply"):
            self.assertEqual(self.json("export", self.bake, "-f", kind, "-o", self.folder / f"x.{kind}", "--region", region)
                             ["instances"], len(inside))
        self.refused("export", self.bake, "-f", "csv", "-o", self.folder / "x.csv", "--region", "0,0,1,1", says=["--region"])

    def test_a_folder_of_glb_says_what_belongs_to_it(self):
        out = self.folder / "tiles"
        self.ok("export", self.bake, "-f", "glb", "-o", out)
        whole = {path.name for path in out.glob("*.glb")}
        summary = self.json("export", self.bake, "-f", "glb", "-o", out, "--region", "5000000,-3000,5000100,-2900")
        index = json.loads((out / "tiles.json").read_text())
        self.assertEqual((index["origin_m"], index["instances"]), (summary["origin_m"], summary["instances"]))
        self.assertLess({tile["file"] for tile in index["tiles"]}, whole)
        for tile in index["tiles"]:
            glb = Glb(out / tile["file"])
            self.assertEqual(glb.json["asset"]["extras"]["origin_m"], index["origin_m"])
            found = glb.instances()
            self.assertEqual(len(found), tile["instances"])
            for axis, name in enumerate("xy"):
                self.assertGreaterEqual(found[name].min() + index["origin_m"][axis], tile["bounds_m"][axis] - 1e-4)
                self.assertLessEqual(found[name].max() + index["origin_m"][axis], tile["bounds_m"][axis + 2] + 1e-4)
        # One that fails leaves a folder that vouches for nothing.
        sorted((self.bake / "tiles").iterdir())[-1].write_bytes(b"damage")
        self.refused("export", self.bake, "-f", "glb", "-o", out, code=1)
        self.assertFalse((out / "tiles.json").exists())

    def test_the_same_bytes_on_any_number_of_threads(self):
        for options in (["csv"], ["ply"], ["npy"], ["usda"], ["glb"], ["3dtiles"], ["3dtiles", "--crs", "EPSG:32631"]):
            written = []
            for threads in ("1", "2", "7"):
                out = self.folder / ("-".join(options) + threads)
                out = out.with_suffix(".glb") if options == ["glb"] else out
                self.ok("export", self.bake, "-o", out, "--threads", threads, "--origin", "500000,0" if "--crs" in options else
                        "0,0", "-f", *options)
                written.append({path.name: path.read_bytes() for path in out.rglob("*") if path.is_file()}
                               if out.is_dir() else out.read_bytes())
            self.assertEqual(written[0], written[1])
            self.assertEqual(written[0], written[2])

    def test_layers_and_refusals(self):
        out = self.folder / "rocks.npy"
        self.ok("export", self.bake, "-f", "npy", "-o", out, "--layer", "rocks, loose")
        self.assertEqual(set(np.load(out)["layer"]), {0})
        self.refused("export", self.bake, "-f", "npy", "-o", out, "--layer", "oaks", says=["oaks", "trees"])
        self.refused("export", self.bake, "-f", "fbx", "-o", out, says=["fbx", "glb"])
        self.refused("export", self.folder / "none", "-f", "csv", "-o", out)
        self.refused("export", self.bake, "-f", "csv", "-o", self.folder / "no/out.csv", says=["no/out.csv"])
        (self.bake / "tiles" / next(p.name for p in (self.bake / "tiles").iterdir())).write_bytes(b"damage")
        before = out.read_bytes()
        self.refused("export", self.bake, "-f", "npy", "-o", out, code=1)
        self.assertEqual(out.read_bytes(), before)
        self.assertEqual([p.name for p in self.folder.glob("*.tmp*")], [])


if __name__ == "__main__":
    unittest.main()
