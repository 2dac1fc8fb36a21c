"""Blender reads PLY, GLB without instancing and, through tools/blender_csv.py, CSV: counts, places, turns and scale there."""
import json
import shutil
import subprocess
import unittest

import numpy as np

from command import SOURCE, CommandTest
from export_test import baked
from transform_test import matrices

ORIGIN = (1000, -3000)
SCRIPT = """
import numpy; numpy.bool = bool  # the importer of Blender 3.4 wants a name that NumPy gave up
import bpy, json, runpy, sys
folder, tool = sys.argv[-2:]
found = {"ply": [], "glb": [], "csv": []}
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_mesh.ply(filepath=folder + "/out.ply")
found["ply"] = [tuple(v.co) for v in bpy.context.selected_objects[0].data.vertices]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=folder + "/out.glb")
def of(name, one, matrix, shift=(0, 0)):
    at = matrix.translation
    turn = [value for row in matrix.to_3x3().normalized() for value in row]
    found[name].append((one, at.x + shift[0], at.y + shift[1], at.z, matrix.to_scale().z, *turn))
for o in bpy.data.objects:
    if o.type == "MESH":
        of("glb", o["id"], o.matrix_world)
bpy.ops.wm.read_factory_settings(use_empty=True)
sys.argv = [tool, "--", folder + "/out.csv"]
runpy.run_path(tool, run_name="__main__")
bpy.context.view_layer.update()
seen = {}
for one in bpy.context.evaluated_depsgraph_get().object_instances:
    if one.is_instance:
        parent = one.parent.original
        number = seen.get(parent.name, 0)
        seen[parent.name] = number + 1
        of("csv", parent["strew_id"].split(",")[number], one.matrix_world, parent["strew_origin_m"])
json.dump(found, open(folder + "/found.json", "w"))
"""


@unittest.skipUnless(shutil.which("blender"), "needs blender")
class Blender(CommandTest):
    def test_what_it_reads(self):
        def world(it):
            it["extent"] = {"origin_m": list(ORIGIN), "size_m": [60, 50]}
            it["terrain"] = {"builtin": "island", "seed": 1, "size_m": 200}
            it["output"] = {"tile_size_m": 32}
            it["layers"][0]["parameters"]["radius"] = 2
            it["layers"][0]["species"][0].update(align=0.8)
            it["layers"][0]["species"][1].update(yaw_degrees=[-30, 60], scale=[0.5, 2])
        bake = self.folder / "bake"
        self.ok("bake", self.world(world), "-o", bake)
        self.ok("export", bake, "-f", "csv", "-o", self.folder / "out.csv")
        self.ok("export", bake, "-f", "npy", "-o", self.folder / "out.npy")
        table = np.sort(np.load(self.folder / "out.npy"), order="id")
        turns = matrices(np.stack([table[name] for name in ("qx", "qy", "qz", "qw")], -1))
        self.assertLess(turns[:, 2, 2].min(), 0.99)  # some tilt by 8 degrees
        for kind, options in (("ply", []), ("glb", ["--no-instancing"])):
            self.ok("export", bake, "-f", kind, "-o", self.folder / f"out.{kind}", "--origin", "%d,%d" % ORIGIN, *options)
        script = self.folder / "look.py"
        script.write_text(SCRIPT)
        done = subprocess.run(["blender", "--background", "--factory-startup", "--python", str(script), "--", str(self.folder),
                               str(SOURCE / "tools/blender_csv.py")], capture_output=True, text=True, timeout=300)
        self.assertTrue((self.folder / "found.json").exists(), done.stdout[-2000:] + done.stderr[-2000:])
        found = json.loads((self.folder / "found.json").read_text())
        expected = baked(bake)
        self.assertGreater(len(expected), 300)
        place = np.array([expected["x"] - ORIGIN[0], expected["y"] - ORIGIN[1], expected["z"]]).T
        points = np.array(found["ply"])
        self.assertEqual(points.shape, place.shape)
        np.testing.assert_allclose(points[np.lexsort(points.T)], place.astype("f4")[np.lexsort(place.astype("f4").T)], atol=1e-5)
        for name, shift in (("glb", (0, 0)), ("csv", ORIGIN)):
            rows = sorted(found[name], key=lambda row: int(row[0]))
            np.testing.assert_array_equal([int(row[0]) for row in rows], expected["id"].astype(object))
            rows = np.array([row[1:] for row in rows])
            np.testing.assert_allclose(rows[:, :3] - [*shift, 0], place, atol=1e-4)
            np.testing.assert_allclose(rows[:, 3], expected["scale"], rtol=1e-4)
            np.testing.assert_allclose(rows[:, 4:].reshape(-1, 3, 3), turns, atol=2e-5)


if __name__ == "__main__":
    unittest.main()
