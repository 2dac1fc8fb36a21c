"""3D Tiles on the WGS 84 ellipsoid: every instance stands, upright, where PROJ says."""
import json
import os
import shutil
import subprocess
import unittest

import numpy as np

from command import SHARED, SOURCE, CommandTest, needs_shared
from export_test import Glb, baked

CENTIMETRE = 0.01


def turned(quaternion, vector):
    """Vectors turned by quaternions x, y, z, w."""
    xyz, w = quaternion[:, :3], quaternion[:, 3:]
    return vector + 2 * np.cross(xyz, np.cross(xyz, vector) + w * vector)


def to_earth(places, crs):
    """Earth-centred coordinates by the tool that comes with GDAL."""
    text = "\n".join("%.9f %.9f %.9f" % tuple(place) for place in places)
    done = subprocess.run(["gdaltransform", "-s_srs", crs, "-t_srs", "EPSG:4978"], input=text, capture_output=True, text=True,
                          check=True)
    return np.array([[float(part) for part in line.split()] for line in done.stdout.splitlines()])


@unittest.skipUnless(shutil.which("gdaltransform"), "needs gdaltransform, of gdal-bin")
class Globe(CommandTest):
    def check(self, bake, crs, *options):
        out = self.folder / "set"
        self.ok("export", bake, "-f", "3dtiles", "-o", out, *options)
        tileset = json.loads((out / "tileset.json").read_text())
        transform = np.array(tileset["root"]["transform"]).reshape(4, 4).T
        np.testing.assert_allclose(transform[:3, :3] @ transform[:3, :3].T, np.eye(3), atol=1e-12)
        found = {}

        def visit(tile):
            box = np.array(tile["boundingVolume"]["box"])
            if "content" in tile:
                glb = Glb(out / tile["content"]["uri"])
                nodes = glb.json["nodes"]
                for root in glb.json["scenes"][0]["nodes"]:
                    for child in nodes[root]["children"]:
                        attributes = nodes[child]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]
                        place = glb.accessor(attributes["TRANSLATION"]).astype(float) + nodes[root]["translation"]
                        up = turned(glb.accessor(attributes["ROTATION"]).astype(float), np.array([[0, 1.0, 0]]))
                        ids = np.frombuffer(glb.accessor(attributes["_STREW_ID"]).tobytes(), "<u8")
                        # glTF's y up to the tileset's z up, then to the earth.
                        local = place[:, [0, 2, 1]] * [1, -1, 1]
                        self.assertTrue((np.abs(local - box[:3]).max(axis=0) < box[[3, 7, 11]] + 1e-3).all())
                        earth = local @ transform[:3, :3].T + transform[:3, 3]
                        found.update(zip(ids.tolist(), zip(earth, (up[:, [0, 2, 1]] * [1, -1, 1]) @ transform[:3, :3].T)))
            for child in tile.get("children", []):
                visit(child)
        visit(tileset["root"])
        expected = baked(bake)
        self.assertEqual(set(found), set(expected["id"].tolist()))
        places = np.array([expected["x"], expected["y"], expected["z"]]).T
        earth = to_earth(places, crs)
        above = to_earth(places + [0, 0, 1], crs)
        here = np.array([found[i][0] for i in expected["id"].tolist()])
        upright = np.array([found[i][1] for i in expected["id"].tolist()])
        self.assertLess(np.linalg.norm(here - earth, axis=1).max(), CENTIMETRE)
        self.assertLess(np.linalg.norm(upright - (above - earth), axis=1).max(), 1e-5)
        return places

    def test_far_from_the_origin_of_the_tileset(self):
        """20 km, where the ellipsoid has left a plane by eight metres on either side."""
        def world(it):
            it["extent"] = {"origin_m": [285000, 9100000], "size_m": [20000, 15000]}
            it["layers"][0]["parameters"]["radius"] = 250
            it["output"] = {"tile_size_m": 2000}
        bake = self.folder / "bake"
        self.ok("bake", self.world(world), "-o", bake)
        places = self.check(bake, "EPSG:31985", "--crs", "EPSG:31985")
        self.assertGreater(len(places), 1000)
        out = self.folder / "x"
        for wrong, says in (("EPSG:4326", "no projected system"), ("EPSG:999999", "EPSG:999999"), ("terrain", "no rasters"),
                            ("EPSG:2263", "metres")):
            self.refused("export", bake, "-f", "3dtiles", "-o", out, "--crs", wrong, says=[says])
        self.refused("export", bake, "-f", "glb", "-o", out, "--crs", "EPSG:31985", says=["3dtiles"])

    @needs_shared
    def test_olinda(self):
        bake = self.folder / "bake"
        self.ok("bake", SOURCE / "tools/worlds/olinda.json", "-o", bake, "-D", f"OLINDA={SHARED}",
                "--region", "292000,9112000,293000,9113000")
        crs = subprocess.run(["gdalsrsinfo", "-o", "wkt", str(SHARED / "olinda_dem_utm25s.tif")], capture_output=True, text=True,
                             check=True).stdout.strip()
        self.check(bake, crs, "--crs", "terrain", "--upright")  # mangos lean with the slope otherwise


if __name__ == "__main__":
    unittest.main()
