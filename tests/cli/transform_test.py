"""Exports carry tilt, offset, sinking, scales and meshes of species: against what NumPy makes of the raster and of Philox."""
import csv
import json
import unittest

import numpy as np

from command import CommandTest
import export_test
from export_test import Glb
import read_tiles

SEED, CELL, SIDE, WEST, SOUTH = 77, 8.0, 40, 500000.0, 4000000.0
MASK = (1 << 64) - 1


def heights():
    """A hilly raster, row 0 northernmost, as the file has it."""
    y, x = np.mgrid[SIDE - 1:-1:-1, 0:SIDE] * CELL
    return np.round(40 + 0.3 * x + 12 * np.sin(x / 23) * np.cos(y / 31), 3).astype(np.float32)


def height_at(raster, x, y):
    """Bilinear between the centres of cells."""
    u, v = (x - WEST) / CELL - 0.5, (y - SOUTH) / CELL - 0.5
    i, j = np.floor(u).astype(int), np.floor(v).astype(int)
    u, v = u - i, v - j
    south_up = raster[::-1].astype(float)
    return ((south_up[j, i] * (1 - u) + south_up[j, i + 1] * u) * (1 - v) +
            (south_up[j + 1, i] * (1 - u) + south_up[j + 1, i + 1] * u) * v)


def philox(counter, key):
    """Philox4x32-10 on columns, by the paper's formulas."""
    low = np.uint64(0xFFFFFFFF)
    c, k = [np.asarray(part, np.uint64) & low for part in counter], list(key)
    for _ in range(10):
        a, b = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(b >> np.uint64(32)) ^ c[1] ^ np.uint64(k[0]), b & low, (a >> np.uint64(32)) ^ c[3] ^ np.uint64(k[1]), a & low]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def draws(name, slot):
    """Four numbers in [0, 1) of each instance: the second draw of its identity square in its layer's own stream."""
    state = len(name.encode())
    for byte in name.encode():
        state = read_tiles.mix_one((state * 257 + byte + 1) & MASK)
    stream = read_tiles.mix_one(state ^ 0xA77121B07E5ED00D)
    odd = read_tiles.mix_one((stream + 0x632BE59BD9B4E019) & MASK) | 1
    key = read_tiles.mix_one((SEED + 0x9E3779B97F4A7C15 * odd) & MASK)
    x, y = (np.floor_divide(slot[axis], slot["identity_step"]).astype(np.uint64) for axis in "xy")
    byte, word = np.uint64(0xFF), np.uint64(32)
    high = ((x >> word) & byte) | (((y >> word) & byte) << np.uint64(8))
    return [part / 2.0 ** 32 for part in philox([x, y, np.ones(len(x)), high], [key & 0xFFFFFFFF, key >> 32])]


def matrices(q):
    """Rotation matrices of quaternions x, y, z, w."""
    x, y, z, w = np.asarray(q, float).T
    return np.stack([np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
                     np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
                     np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)], -2)


def about(axis, angle):
    """Rotation matrices about unit axes, by Rodrigues' formula."""
    zero = np.zeros(len(axis))
    k = np.stack([np.stack([zero, -axis[:, 2], axis[:, 1]], -1), np.stack([axis[:, 2], zero, -axis[:, 0]], -1),
                  np.stack([-axis[:, 1], axis[:, 0], zero], -1)], -2)
    angle = np.asarray(angle)[:, None, None]
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


TREES = [{"name": "leaning", "align": 0.7, "max_tilt_degrees": 18, "offset_m": [-0.5, 1], "sink_m": 0.4, "scale": [0.5, 1.5],
          "scale_y": [2, 3], "yaw_degrees": [-170, 40]},
         {"name": "plain"},
         {"name": "tall", "scale_z": [3, 5], "meshes": [{"name": "old, \"grey\""}, {"name": "never", "weight": 0},
                                                         {"name": "young", "weight": 2}]}]
SHROOMS = [{"name": "flat on the ground", "align": 1}]
ROCKS = [{"name": "boulder"}]


class Transforms(CommandTest):
    check_with_khronos = export_test.Export.check_with_khronos

    def setUp(self):
        super().setUp()
        self.raster = heights()
        self.write(self.raster)

        def world(it):
            it.pop("extent")
            it["seed"] = SEED
            it["extent"] = {"origin_m": [WEST + 40, SOUTH + 40], "size_m": [210, 200]}
            it["terrain"] = {"elevation": "ground.asc", "assume_same_crs": True}
            it["output"] = {"tile_size_m": 64}
            it["layers"][0].update(species=TREES, secondaries=[
                {"name": "shrooms", "amount": [0, 2], "ring_m": [1, 3], "species": SHROOMS}])
            it["layers"].append({"name": "rocks", "parameters": {"radius": 9}, "species": ROCKS})
        self.bake = self.folder / "bake"
        self.ok("bake", self.world(world), "-o", self.bake)
        self.expected = self.compute()
        self.assertGreater(len(self.expected["id"]), 1000)

    def write(self, raster):
        (self.folder / "ground.asc").write_text(
            f"ncols {SIDE}\nnrows {SIDE}\nxllcorner {WEST}\nyllcorner {SOUTH}\ncellsize {CELL}\nnodata_value -9999\n" +
            "\n".join(" ".join(str(value) for value in row) for row in raster))

    def compute(self):
        manifest = read_tiles.read_manifest(str(self.bake))
        kinds = {"trees": TREES, "trees/shrooms": SHROOMS, "rocks": ROCKS}
        columns = {name: [] for name in ("id", "at", "turn", "scale", "mesh", "upright_z", "yaw")}
        for tile in read_tiles.tiles(str(self.bake), manifest):
            for slot, info in zip(tile["slots"], manifest["slots"]):
                x, y, z, yaw, scale = read_tiles.metres_and_degrees(slot, info["species"])
                chosen = [kinds[info["name"]][i] for i in slot["species"]]
                draw = draws(info["name"], slot)

                def of(key, default, chosen=chosen):
                    return np.array([kind.get(key, default) for kind in chosen], float)

                def drawn(key, number, default, chosen=chosen, draw=draw):
                    low, high = (np.array([kind[key][i] if key in kind else default[n] for n, kind in enumerate(chosen)])
                                 for i in (0, 1))
                    return low + (high - low) * draw[number]
                dx, dy = ((height_at(self.raster, x + a, y + b) - height_at(self.raster, x - a, y - b)) / (2 * CELL)
                          for a, b in ((CELL, 0), (0, CELL)))
                steep = np.hypot(dx, dy)
                lean = np.minimum(np.arctan(steep) * of("align", 0), np.radians(of("max_tilt_degrees", 90)))
                up = np.tile([0.0, 0, 1], (len(x), 1))
                # About the axis that takes up to the ground's normal.
                axis = np.cross(up, np.stack([-dx, -dy, np.ones(len(x))], -1)).reshape(-1, 3)
                axis /= np.maximum(np.linalg.norm(axis, axis=1), 1e-30)[:, None]
                columns["id"].append(read_tiles.instance_ids(slot))
                columns["at"].append(np.stack([x, y, z + drawn("offset_m", 3, np.zeros(len(x))) - of("sink_m", 0) * steep], -1))
                columns["turn"].append(about(axis, lean) @ about(up, np.radians(yaw)))
                columns["scale"].append(np.stack([scale, drawn("scale_y", 0, scale), drawn("scale_z", 1, scale)], -1))
                columns["mesh"].append(np.where(["meshes" in kind for kind in chosen], np.where(draw[2] * 3 < 1, 0, 2), 0))
                columns["upright_z"].append(z)
                columns["yaw"].append(yaw)
        columns = {name: np.concatenate(parts) for name, parts in columns.items()}
        order = np.argsort(columns["id"])
        return {name: column[order] for name, column in columns.items()}

    def same(self, ids, at, turn, scale, tolerance=1e-5, angle=2e-6, relative=1e-6):
        order = np.argsort(ids)
        np.testing.assert_array_equal(np.asarray(ids)[order], self.expected["id"])
        np.testing.assert_allclose(at[order], self.expected["at"], rtol=0, atol=tolerance)
        np.testing.assert_allclose(turn[order], self.expected["turn"], rtol=0, atol=angle)
        np.testing.assert_allclose(scale[order], self.expected["scale"], rtol=relative)
        return order

    @staticmethod
    def columns(table, names):
        return np.stack([np.asarray(table[name], float) for name in names], -1)

    def test_tables(self):
        tilted = np.degrees(np.arccos(self.expected["turn"][:, 2, 2]))
        self.assertGreater((tilted > 17.9).sum(), 20)  # some at their largest tilt, others below
        self.assertGreater(((tilted > 1) & (tilted < 17)).sum(), 100)
        self.ok("export", self.bake, "-f", "npy", "-o", self.folder / "out.npy")
        table = np.load(self.folder / "out.npy")
        turn, scales = ("qx", "qy", "qz", "qw"), ("scale_x", "scale_y", "scale_z")
        order = self.same(table["id"], self.columns(table, "xyz"), matrices(self.columns(table, turn)),
                          self.columns(table, scales), 1e-6)
        np.testing.assert_array_equal(table["mesh"][order], self.expected["mesh"])
        self.assertEqual(set(table["mesh"]), {0, 2})
        np.testing.assert_array_equal(table["scale"], table["scale_x"])
        self.ok("export", self.bake, "-f", "csv", "-o", self.folder / "out.csv")
        with open(self.folder / "out.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        read = {name: np.array([float(row[name]) for row in rows]) for name in ("x", "y", "z", *turn, *scales)}
        self.same(np.array([np.uint64(row["id"]) for row in rows]), self.columns(read, "xyz"),
                  matrices(self.columns(read, turn)), self.columns(read, scales), 1e-6)
        self.assertEqual({(row["species"], row["mesh"]) for row in rows},
                         {("leaning", ""), ("plain", ""), ("tall", "old, \"grey\""), ("tall", "young"),
                          ("flat on the ground", ""), ("boulder", "")})
        self.ok("export", self.bake, "-f", "ply", "-o", self.folder / "out.ply")
        header, _, body = (self.folder / "out.ply").read_bytes().partition(b"end_header\n")
        kinds = {"double": "<f8", "float": "<f4", "uint": "<u4", "ushort": "<u2"}
        fields = [line.split() for line in header.decode().splitlines() if line.startswith("property")]
        table = np.frombuffer(body, [(name, kinds[kind]) for _, kind, name in fields])
        self.same(table["id_low"] | table["id_high"].astype(np.uint64) << np.uint64(32), self.columns(table, "xyz"),
                  matrices(self.columns(table, turn)), self.columns(table, scales), 1e-6)
        self.assertIn("comment mesh 0 2 2 \"young\"\n", header.decode())

    def test_axes(self):
        """A point of a thing comes to stand at one place, whatever the axes it is computed in."""
        for axes, to_axes in (("unreal", lambda p: p * [100, -100, 100]), ("unity", lambda p: p[:, [0, 2, 1]]),
                              ("godot", lambda p: p[:, [0, 2, 1]] * [1, 1, -1]), ("o3de", lambda p: p)):
            out = self.folder / f"{axes}.npy"
            self.ok("export", self.bake, "-f", "npy", "-o", out, "--axes", axes, "--origin", f"{WEST},{SOUTH}")
            table = np.sort(np.load(out), order="id")
            point = np.array([[0.3, -0.7, 1.9]])  # of a thing, in strew's axes
            moved = np.einsum("nij,nj->ni", self.expected["turn"], point * self.expected["scale"])
            wanted = to_axes(self.expected["at"] - [WEST, SOUTH, 0] + moved)
            unit = np.abs(to_axes(np.ones((1, 3)))).max()
            own = to_axes(point)
            found = self.columns(table, "xyz") + np.einsum(
                "nij,nj->ni", matrices(self.columns(table, ("qx", "qy", "qz", "qw"))),
                own * self.columns(table, ("scale_x", "scale_y", "scale_z")))
            np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-5 * unit)

    def poses(self, files, origin):
        """Poses of GLBs in strew's axes."""
        ids, place, turn, scale, names = (np.concatenate(part) for part in zip(*(Glb(path).poses() for path in files)))
        to_strew = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
        return names, (ids, place @ to_strew.T + [*origin, 0], to_strew @ matrices(turn) @ to_strew.T, scale[:, [0, 2, 1]])

    def test_glb_and_tileset(self):
        written = []
        for kind, out, options in (("glb", "tiles", []), ("glb", "one.glb", []), ("glb", "plain.glb", ["--no-instancing"]),
                                   ("3dtiles", "set", [])):
            summary = self.json("export", self.bake, "-f", kind, "-o", self.folder / out, "--threads", "3", *options)
            files = [self.folder / out] if out.endswith(".glb") else sorted((self.folder / out).glob("*.glb"))
            names, poses = self.poses(files, summary["origin_m"])
            self.same(*poses, 3e-5)
            prefix = "" if options else "trees: "
            self.assertEqual({name for name in names if "tall" in name}, {prefix + "tall: old, \"grey\"", prefix + "tall: young"})
            written += files
        self.check_with_khronos(written)
        # On the globe, everything leans as it does on the plane of its place, which is all but that of the middle.
        summary = self.json("export", self.bake, "-f", "3dtiles", "-o", self.folder / "globe", "--crs", "EPSG:32632")
        ids, place, turn, scale = self.poses(sorted((self.folder / "globe").glob("*.glb")), summary["origin_m"])[1]
        self.same(ids, place, turn, scale, tolerance=0.2, angle=1e-4)

    def test_usda(self):
        summary = self.json("export", self.bake, "-f", "usda", "-o", self.folder / "out.usda")
        parts = []
        text = (self.folder / "out.usda").read_text()
        self.assertEqual(text.count("def Mesh"), 3 + 2 + 1 + 1)  # one of three species has three meshes
        for block in text.split("def PointInstancer")[1:]:
            def values(name, kind, block=block):
                line = block[block.index(name + " = [") + len(name) + 4:]
                return np.array([kind(v) for v in line[:line.index("]\n")].replace("(", "").replace(")", "").split(", ")])
            shift = block[block.index("translate = (") + 13:]
            shift = [float(v) for v in shift[:shift.index(")")].split(", ")]
            parts.append((values("ids", int).astype(np.int64).view(np.uint64), values("positions", float).reshape(-1, 3) + shift,
                          values("orientations", float).reshape(-1, 4)[:, [1, 2, 3, 0]], values("scales", float).reshape(-1, 3),
                          values("protoIndices", int)))
        ids, place, turn, scale, shown = (np.concatenate(part) for part in zip(*parts))
        order = self.same(ids, place + [*summary["origin_m"], 0], matrices(turn), scale, 3e-5)
        tall = shown[order][self.expected["mesh"] == 2]
        self.assertEqual(set(tall), {4})

    def test_without_the_terrain(self):
        out = self.folder / "out.npy"
        ground = self.folder / "ground.asc"
        lower = self.raster.copy()
        lower[:, 20:] -= 5
        self.write(lower)
        self.refused("export", self.bake, "-f", "npy", "-o", out, says=["has changed since the bake", "--upright"])
        ground.unlink()
        self.refused("export", self.bake, "-f", "glb", "-o", self.folder / "x", says=[ground, "--upright"])
        self.assertFalse((self.folder / "x").exists())
        # Layers that stand as the tiles say need none.
        self.ok("export", self.bake, "-f", "npy", "-o", out, "--layer", "rocks")
        self.assertNotIn("qx", np.load(out).dtype.names)
        self.ok("export", self.bake, "-f", "npy", "-o", out, "--upright")
        table = np.sort(np.load(out), order="id")
        self.assertEqual(table.dtype.names, ("x", "y", "z", "yaw_degrees", "scale", "id", "layer", "species"))
        np.testing.assert_array_equal(table["id"], self.expected["id"])
        np.testing.assert_allclose(table["z"], self.expected["upright_z"], rtol=0, atol=0)
        np.testing.assert_allclose(table["yaw_degrees"], self.expected["yaw"], rtol=0, atol=1e-4)

    def test_another_transform_makes_no_tile_again(self):
        world = json.loads((self.folder / "world.json").read_text())
        world["layers"][0]["species"][0].update(align=0.25, sink_m=0)
        world["layers"][0]["species"][2].pop("meshes")
        (self.folder / "world.json").write_text(json.dumps(world))
        manifest = read_tiles.read_manifest(str(self.bake))
        made = self.json("bake", self.folder / "world.json", "-o", self.bake)
        self.assertEqual((made["tiles_made"], made["world_hash"]), (0, manifest["world_hash"]))
        self.ok("export", self.bake, "-f", "npy", "-o", self.folder / "out.npy")
        table = np.sort(np.load(self.folder / "out.npy"), order="id")
        self.assertNotIn("mesh", table.dtype.names)
        before = np.degrees(np.arccos(np.clip(self.expected["turn"][:, 2, 2], -1, 1)))
        after = np.degrees(np.arccos(np.clip(matrices(self.columns(table, ("qx", "qy", "qz", "qw")))[:, 2, 2], -1, 1)))
        leaning = (table["layer"] == 0) & (table["species"] == 0) & (before < 17.9)
        self.assertGreater(leaning.sum(), 100)
        np.testing.assert_allclose(after[leaning], before[leaning] * 0.25 / 0.7, atol=0.05)
        # What tiles do hold is another world.
        world["layers"][0]["species"][0]["scale"] = [1, 1]
        (self.folder / "world.json").write_text(json.dumps(world))
        self.refused("bake", self.folder / "world.json", "-o", self.bake, says=["another world"])

    def test_offsets_and_scales_need_no_terrain(self):
        world = json.loads((self.folder / "world.json").read_text())
        world["layers"][0]["species"] = [TREES[2]]
        world["layers"][0].pop("secondaries")
        (self.folder / "world.json").write_text(json.dumps(world))
        self.ok("bake", self.folder / "world.json", "-o", self.folder / "other")
        (self.folder / "ground.asc").unlink()
        out = self.folder / "out.npy"
        self.ok("export", self.folder / "other", "-f", "npy", "-o", out)
        self.assertEqual(np.load(out).dtype.names[-4:], ("scale_x", "scale_y", "scale_z", "mesh"))


if __name__ == "__main__":
    unittest.main()
