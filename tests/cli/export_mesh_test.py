"""Meshes that species name: in GLB with and without instancing, beside tiles, in 3D Tiles and USD."""
import base64
import json
import struct
import unittest
import zlib

import numpy as np

from command import CommandTest, small_world
import export_test
from export_test import Glb


def png(colour):
    """A picture of one pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(bytes([0, *colour]))) + chunk(b"IEND", b""))


def write_mesh(path, colour, shift=0.0, indexed=True, outside=False):
    """A triangle under a node that moves it up, below one that is as it is, and its mirror image: two parts, one
    textured. `outside`: buffer and picture in files beside it."""
    place = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0]], "<f4") + np.float32(shift)
    normal = np.array([[0, 0, 1]] * 3, "<f4")
    texture = np.array([[0, 0], [1, 0], [0, 1]], "<f4")
    index = np.array([0, 1, 2, 0], "<u2")  # the last one fills up to four bytes
    picture = png(colour)
    parts = [place.tobytes(), normal.tobytes(), texture.tobytes(), index.tobytes()]
    if not outside:
        parts.append(picture + b"\0" * (-len(picture) % 4))
    starts = np.cumsum([0] + [len(part) for part in parts]).tolist()
    data = b"".join(parts)
    lengths = [36, 36, 24, 6, len(picture)]
    views = [{"buffer": 0, "byteOffset": starts[i], "byteLength": lengths[i]} for i in range(len(parts))]
    primitive = {"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}, "material": 1}
    if indexed:
        primitive["indices"] = 3
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"children": [1, 2]}, {"mesh": 0, "translation": [0, 10, 0]}, {"mesh": 1, "scale": [-1, 1, 2]}],
        "meshes": [{"primitives": [primitive]}, {"primitives": [{**primitive, "material": 0}]}],
        "materials": [{"name": "plain", "pbrMetallicRoughness": {"baseColorFactor": [c / 255 for c in colour] + [1]}},
                      {"name": "textured", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "doubleSided": True}],
        "textures": [{"source": 0, "sampler": 0}], "samplers": [{"magFilter": 9728}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                       "min": place.min(axis=0).tolist(), "max": place.max(axis=0).tolist()},
                      {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3"},
                      {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC2"},
                      {"bufferView": 3, "componentType": 5123, "count": 3, "type": "SCALAR"}],
        "bufferViews": views, "buffers": [{"byteLength": len(data)}],
        "images": [{"uri": path.stem + ".png"} if outside else {"bufferView": 4, "mimeType": "image/png"}],
    }
    if path.suffix == ".glb":
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        path.write_bytes(struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A) + text +
                         struct.pack("<II", len(data), 0x004E4942) + data)
        return
    if outside:
        path.with_suffix(".bin").write_bytes(data)
        path.with_suffix(".png").write_bytes(picture)
        document["buffers"][0]["uri"] = path.stem + ".bin"
    else:
        document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    path.write_text(json.dumps(document))


class Meshes(CommandTest):
    check_with_khronos = export_test.Export.check_with_khronos

    def setUp(self):
        super().setUp()
        (self.folder / "models").mkdir()
        write_mesh(self.folder / "models/oak.glb", (200, 30, 20))
        write_mesh(self.folder / "models/elm.gltf", (20, 30, 200), shift=0.25, indexed=False, outside=True)
        self.input = self.world(self.with_meshes)
        self.bake = self.folder / "bake"
        # From the world's own folder, where the path of the mesh is relative to that of the process too.
        self.summary = self.json("bake", self.input.name, "-o", "bake", cwd=self.folder)

    @staticmethod
    def with_meshes(world):
        world["layers"][0]["species"] = [{"name": "oak", "mesh": "models/oak.glb", "scale": [1, 2]},
                                         {"name": "elm", "mesh": "models/elm.gltf"}, {"name": "ash"}]
        world["output"] = {"tile_size_m": 64}

    def check_meshes(self, glb, count):
        """The models in `glb` are those of the files, transforms applied; materials and pictures are their own."""
        document = glb.json
        meshes = {mesh["name"]: mesh for mesh in document["meshes"]}
        self.assertEqual(set(meshes), {"oak", "elm", "ash"})
        for name, shift, colour in (("oak", 0.0, (200, 30, 20)), ("elm", 0.25, (20, 30, 200))):
            raised, mirrored = meshes[name]["primitives"]
            triangle = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0]], "f4") + np.float32(shift)
            np.testing.assert_array_equal(self.values(glb, raised["attributes"]["POSITION"]), triangle + [0, 10, 0])
            np.testing.assert_array_equal(self.values(glb, mirrored["attributes"]["POSITION"]), triangle * [-1, 1, 2])
            # A mirror turns triangles inside out, so their corners change places; normals stay outside.
            for part, order in ((raised, [0, 1, 2]), (mirrored, [0, 2, 1])):
                np.testing.assert_array_equal(self.values(glb, part["indices"]).ravel(), order)
                place = self.values(glb, part["attributes"]["POSITION"])[order]
                across = np.cross(place[1] - place[0], place[2] - place[0])
                self.assertGreater(across @ self.values(glb, part["attributes"]["NORMAL"])[0], 0)
            self.assertEqual(document["materials"][mirrored["material"]]["pbrMetallicRoughness"]["baseColorFactor"][:3],
                             [c / 255 for c in colour])
            textured = document["materials"][raised["material"]]
            self.assertTrue(textured["doubleSided"])
            texture = document["textures"][textured["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
            self.assertEqual(document["samplers"][texture["sampler"]], {"magFilter": 9728})
            self.assertEqual(self.picture(glb, document["images"][texture["source"]]), png(colour))
        self.assertEqual(count, self.summary["instances"])

    @staticmethod
    def values(glb, index):
        accessor = glb.json["accessors"][index]
        view = glb.json["bufferViews"][accessor["bufferView"]]
        buffer = glb.json["buffers"][view["buffer"]]
        data = glb.bin if "uri" not in buffer else (glb.path.parent / buffer["uri"]).read_bytes()
        kind = {5126: "<f4", 5123: "<u2"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor["type"]]
        assert "uri" not in buffer or len(data) == buffer["byteLength"]
        return np.frombuffer(data, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)

    @staticmethod
    def picture(glb, image):
        if "uri" in image:
            return (glb.path.parent / image["uri"]).read_bytes()
        view = glb.json["bufferViews"][image["bufferView"]]
        return glb.bin[view["byteOffset"]:view["byteOffset"] + view["byteLength"]]

    def test_one_file(self):
        files = []
        for options in ([], ["--no-instancing"]):
            path = self.folder / f"one{len(options)}.glb"
            self.ok("export", self.bake, "-f", "glb", "-o", path, *options)
            glb = Glb(path)
            self.check_meshes(glb, len(glb.instances()))
            files.append(path)
        self.check_with_khronos(files)

    def test_files_that_share_the_meshes(self):
        for kind in ("glb", "3dtiles"):
            out = self.folder / kind
            self.ok("export", self.bake, "-f", kind, "-o", out)
            self.assertEqual({p.name for p in (out / "meshes").iterdir()}, {"0.bin", "0_0.png", "1.bin", "1_0.png"})
            files = sorted(out.glob("*.glb"))
            read = [Glb(path) for path in files]
            self.check_meshes(max(read, key=lambda glb: len(glb.json["meshes"])), sum(len(glb.instances()) for glb in read))
            self.check_with_khronos(files)
        tileset = json.loads((self.folder / "3dtiles/tileset.json").read_text())
        box = tileset["root"]["boundingVolume"]["box"]
        self.assertGreaterEqual(box[2] + box[11], 12 * 1.5)  # of meshes 12 m high at scale 1
        self.assertLess(box[2] - box[11], 0.01)

    def test_usda(self):
        out = self.folder / "out.usda"
        self.ok("export", self.bake, "-f", "usda", "-o", out)
        text = out.read_text()
        self.assertEqual(text.count("{"), text.count("}"))
        self.assertEqual(text.count("def Mesh"), 5)
        self.assertIn("point3f[] points = [(0, 0, 10), (1, 0, 10), (0, 0, 12)]", text)
        self.assertIn("int[] faceVertexIndices = [0, 2, 1]", text)

    def test_the_world_does_not_depend_on_them(self):
        plain = self.json("bake", self.world(lambda world: (self.with_meshes(world), [
            species.pop("mesh", None) for species in world["layers"][0]["species"]]), "plain.json"), "-o", self.folder / "plain")
        self.assertEqual(plain["world_hash"], self.summary["world_hash"])
        self.assertEqual(plain["config_hash"] if "config_hash" in plain else 0, self.summary.get("config_hash", 0))
        # A bake learns of another mesh without making a tile again.
        write_mesh(self.folder / "models/other.glb", (1, 2, 3))

        def other(world):
            self.with_meshes(world)
            world["layers"][0]["species"][2]["mesh"] = "models/other.glb"
        again = self.json("bake", self.world(other), "-o", self.bake)
        self.assertEqual((again["tiles_made"], again["world_hash"]), (0, self.summary["world_hash"]))
        self.ok("export", self.bake, "-f", "glb", "-o", self.folder / "one.glb")
        self.assertEqual({mesh["name"] for mesh in Glb(self.folder / "one.glb").json["meshes"]}, {"oak", "elm", "other"})
        self.assertEqual(self.json("verify", self.bake)["violations"], 0)

    def test_refusals_name_species_and_file(self):
        out = self.folder / "x.glb"
        oak = self.folder / "models/oak.glb"
        good = oak.read_bytes()

        def refused(*says):
            self.refused("export", self.bake, "-f", "glb", "-o", out, says=["trees", "oak", oak, *says])
            self.assertFalse(out.exists())
        oak.write_bytes(b"no mesh")
        refused("glTF")
        oak.write_bytes(good[:len(good) - 200])
        refused("glTF")
        length = struct.unpack_from("<I", good, 12)[0]
        document = json.loads(good[20:20 + length])

        def rewritten(change):
            changed = json.loads(json.dumps(document))
            change(changed)
            text = json.dumps(changed).encode()
            text += b" " * (-len(text) % 4)
            rest = good[20 + length:]
            oak.write_bytes(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)
        rewritten(lambda it: it["accessors"][0].update(count=3000))
        refused("truncated")
        rewritten(lambda it: it.update(extensionsRequired=["KHR_draco_mesh_compression"],
                                       extensionsUsed=["KHR_draco_mesh_compression"]))
        refused("KHR_draco_mesh_compression")
        rewritten(lambda it: it["scenes"][0].update(nodes=[]))
        refused("no triangles")
        rewritten(lambda it: it["meshes"][0]["primitives"][0].update(material=7))
        refused("material")
        rewritten(lambda it: it["materials"][1]["pbrMetallicRoughness"]["baseColorTexture"].update(index=5))
        refused("texture")
        rewritten(lambda it: it["textures"][0].update(source=1))
        refused("image")
        oak.unlink()
        refused("is no file")
        # Tables have no meshes and need none.
        self.ok("export", self.bake, "-f", "csv", "-o", self.folder / "x.csv")


if __name__ == "__main__":
    unittest.main()
