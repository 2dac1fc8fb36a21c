"""Brings a CSV of `strew export -f csv` into Blender (2.93 and later).

    blender --python tools/blender_csv.py -- world.csv                a cone for every species
    blender --background --python tools/blender_csv.py -- world.csv --save world.blend

Each species becomes an object whose faces stand where its instances do, turned as they are, with their scale (that along x:
faces have one), and a mesh that is shown on each of them: give the object "LAYER: SPECIES, shown" another mesh, and all of
them change. Nothing is copied, so that a hundred thousand trees are no burden. Places are moved to the middle, as Blender
keeps floats; the objects' property `strew_origin_m` holds what was taken off, and "strew_id" the ids as text, in the order
of the faces.
"""
import argparse
import csv
import math
import sys

import bpy


def read(path):
    """Rows by layer and species: x, y, z, turn as a quaternion (x, y, z, w), scale, id."""
    groups = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            half = math.radians(float(row["yaw_degrees"])) / 2
            # Exports have quaternions when some of their species tilt.
            turn = [float(row[name]) for name in ("qx", "qy", "qz", "qw")] if "qx" in row else [0, 0, math.sin(half), math.cos(half)]
            groups.setdefault(row["layer"] + ": " + row["species"], []).append(
                (float(row["x"]), float(row["y"]), float(row["z"]), turn, float(row["scale"]), row["id"]))
    return groups


def faces(rows, origin):
    """A square for each row, as wide as its scale: Blender takes place, rotation and size from it."""
    corners, squares = [], []
    for x, y, z, (i, j, k, w), scale, _ in rows:
        half = scale / 2
        # Where x and y of the thing point, half a side long.
        along = [half * (1 - 2 * (j * j + k * k)), half * 2 * (i * j + w * k), half * 2 * (i * k - w * j)]
        across = [half * 2 * (i * j - w * k), half * (1 - 2 * (i * i + k * k)), half * 2 * (j * k + w * i)]
        middle = (x - origin[0], y - origin[1], z)
        first = len(corners)
        for right, ahead in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            corners.append(tuple(middle[a] + right * along[a] + ahead * across[a] for a in range(3)))
        squares.append((first, first + 1, first + 2, first + 3))
    return corners, squares


def cone(name):
    sides, size = 8, 1.0
    corners = [(size * 0.4 * math.cos(2 * math.pi * i / sides), size * 0.4 * math.sin(2 * math.pi * i / sides), 0)
               for i in range(sides)] + [(0, 0, size * 1.6)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], [(i, (i + 1) % sides, sides) for i in range(sides)])
    return mesh


def bring_in(path):
    groups = read(path)
    everything = [row for rows in groups.values() for row in rows]
    if not everything:
        sys.exit("blender_csv.py: %s holds no instances" % path)
    origin = [math.floor((min(row[i] for row in everything) + max(row[i] for row in everything)) / 2) for i in (0, 1)]
    for name, rows in groups.items():
        corners, squares = faces(rows, origin)
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(corners, [], squares)
        carrier = bpy.data.objects.new(name, mesh)
        carrier.instance_type = "FACES"
        carrier.use_instance_faces_scale = True
        carrier.show_instancer_for_viewport = carrier.show_instancer_for_render = False
        carrier["strew_origin_m"] = [float(part) for part in origin]
        carrier["strew_id"] = ",".join(row[5] for row in rows)
        shown = bpy.data.objects.new(name + ", shown", cone(name))
        shown.parent = carrier
        for one in (carrier, shown):
            bpy.context.scene.collection.objects.link(one)
    print("strew: %d instances of %d species around (%d, %d) m" % (len(everything), len(groups), *origin))


def main():
    parser = argparse.ArgumentParser(prog="blender_csv.py", description="Bring instances of strew into Blender.")
    parser.add_argument("csv")
    parser.add_argument("--save", metavar="FILE", help="write a .blend file")
    options = parser.parse_args(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])
    bring_in(options.csv)
    if options.save:
        bpy.ops.wm.save_as_mainfile(filepath=options.save)


if __name__ == "__main__":
    main()
