#!/usr/bin/env python3
"""Reads a bake with NumPy alone. The format is described in docs/tile_format.md.

    read_tiles.py DIR               counts per slot
    read_tiles.py DIR --csv FILE    one line per instance: layer, species, x, y, z, yaw, scale
    read_tiles.py DIR --raw FILE    one line per instance: the integers as stored; exact
                                    altitudes as the bits of a double

Compressed payloads need the module `zstandard` or, without it, the command `zstd`.
"""

import argparse
import json
import os
import subprocess
import sys

import numpy as np

UNITS_PER_METRE = 2.0 ** 32
MASK = (1 << 64) - 1
COLUMNS = ("z", "species", "yaw", "scale")
EXACT = ("z", "yaw", "scale")


def mix(v):
    v = v ^ (v >> np.uint64(30))
    v = v * np.uint64(0xBF58476D1CE4E5B9)
    v = v ^ (v >> np.uint64(27))
    v = v * np.uint64(0x94D049BB133111EB)
    return v ^ (v >> np.uint64(31))


def mix_one(v):
    return int(mix(np.array([v & MASK], dtype=np.uint64))[0])


def checksum(seed, data):
    words = np.frombuffer(data + b"\0" * (-len(data) % 8), dtype="<u8")
    keys = np.arange(1, len(words) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    total = int(mix(words + keys).sum(dtype=np.uint64)) if len(words) else 0
    return mix_one(mix_one(seed + total) + len(data))


def decompress(data, size):
    try:
        import zstandard
    except ImportError:
        return subprocess.run(["zstd", "-d", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return zstandard.ZstdDecompressor().decompress(data, max_output_size=size)


def integer(data, offset, size, signed=False):
    return int.from_bytes(data[offset:offset + size], "little", signed=signed)


def read_column(payload, at, count, size, delta):
    """Returns the unsigned values of a column."""
    planes = np.frombuffer(payload, dtype=np.uint8, count=count * size, offset=at).reshape(size, count)
    values = np.ascontiguousarray(planes.T).view("<u%d" % size).reshape(count).astype("u%d" % size)
    if delta:
        one = values.dtype.type(1)
        steps = (values >> one) ^ (values.dtype.type(0) - (values & one))
        values = np.cumsum(steps, dtype=values.dtype)
    return values


def read_tile(path):
    """The tile's x and y, its content checksum, and one dict of columns per slot. A slot of a bake with exact
    columns has z_exact (metres), yaw_exact and scale_exact beside the others, which are rounded from them."""
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < 72 or data[:8] != b"STREWTL\n":
        raise ValueError(path + ": is not a tile file")
    if checksum(0, data[:-8]) != integer(data, len(data) - 8, 8):
        raise ValueError(path + ": fails its checksum")
    version = integer(data, 8, 4)
    if version not in (1, 2):
        raise ValueError(path + ": format version %d is not 1 or 2" % version)
    size, stored = integer(data, 32, 8), integer(data, 48, 8)
    payload = data[64:64 + stored]
    if integer(data, 40, 4) == 1:
        payload = decompress(payload, size)
    if len(payload) != size or checksum(checksum(0, data[:40]), payload) != integer(data, 56, 8):
        raise ValueError(path + ": the content fails its checksum")

    slots, at = [], 48 * integer(data, 12, 4)
    for entry in range(0, at, 48):
        count, width = integer(payload, entry + 4, 4), payload[entry + 40]
        slot = {"slot": integer(payload, entry, 4), "count": count, "pitch": integer(payload, entry + 8, 8),
                "identity_step": integer(payload, entry + 16, 8)}
        for axis, base, code in (("x", 24, 41), ("y", 32, 42)):
            offsets = read_column(payload, at, count, width, payload[entry + code] == 1).astype(np.uint64)
            slot[axis] = (offsets + np.uint64(integer(payload, entry + base, 8))).view(np.int64)
            at += width * count
        exact = version >= 2 and payload[entry + 44] == 1
        for name, size_of_value in zip(COLUMNS, (8, 2, 4, 4) if exact else (4, 2, 2, 2)):
            delta = name == "z" and payload[entry + 43] == 1
            slot[name] = read_column(payload, at, count, size_of_value, delta)
            at += size_of_value * count
        if exact:
            for name in EXACT:
                slot[name + "_exact"] = slot[name]
            slot["z_exact"] = slot["z"].view(np.float64)
            slot["z"] = np.floor(slot["z_exact"] * 1024 + 0.5).astype(np.int32)
            for name in ("yaw", "scale"):
                slot[name] = (slot[name] >> 16).astype(np.uint16)
        else:
            slot["z"] = slot["z"].view(np.int32)
        slots.append(slot)
    if at != len(payload):
        raise ValueError(path + ": has columns of another size than its payload")
    return {"x": integer(data, 16, 8, True), "y": integer(data, 24, 8, True), "checksum": integer(data, 56, 8),
            "slots": slots}


def instance_ids(slot):
    """Ids of a slot's instances."""
    mask = (1 << 29) - 1
    x = (slot["x"] // slot["identity_step"] & mask).astype(np.uint64)
    y = (slot["y"] // slot["identity_step"] & mask).astype(np.uint64)
    return np.uint64(slot["slot"] << 58) | y << np.uint64(29) | x


def read_manifest(folder):
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    if manifest.get("format") != "strew-bake" or manifest.get("format_version") not in (1, 2):
        raise ValueError(folder + ": is not a bake of format version 1 or 2")
    return manifest


def tiles(folder, manifest):
    """Yields every tile of a bake, checked against the manifest."""
    for listed in manifest["tiles"]:
        tile = read_tile(os.path.join(folder, listed["file"]))
        if tile["checksum"] != int(listed["checksum"], 16) or \
                [slot["count"] for slot in tile["slots"]] != listed["counts"]:
            raise ValueError(listed["file"] + ": is not the tile that the manifest lists")
        yield tile


def write_raw(file, tile):
    for slot in tile["slots"]:
        columns = [instance_ids(slot)] + [slot[name] for name in ("x", "y") + COLUMNS]
        if "z_exact" in slot:
            columns += [slot["z_exact"].view(np.int64), slot["yaw_exact"], slot["scale_exact"]]
        for row in zip(*(column.tolist() for column in columns)):
            file.write("%d %d %d " % (tile["x"], tile["y"], slot["slot"]) + " ".join(map(str, row)) + "\n")


def metres_and_degrees(slot, kinds):
    """x, y, z in metres, yaw in degrees and the scale factor of a slot, as precise as they are stored; `kinds` are
    its species in the manifest."""
    exact = "z_exact" in slot

    def ranged(name, key, steps):
        low = np.array([kind[key][0] for kind in kinds])[slot["species"]]
        high = np.array([kind[key][1] for kind in kinds])[slot["species"]]
        return low + (high - low) * slot[name + "_exact" if exact else name] / steps

    # The product is exact in 64 bits, so each coordinate is rounded once.
    return (slot["x"] * slot["pitch"] / UNITS_PER_METRE, slot["y"] * slot["pitch"] / UNITS_PER_METRE,
            slot["z_exact"] if exact else slot["z"] / 1024.0,
            ranged("yaw", "yaw_degrees", 2.0 ** 32 if exact else 65536.0),
            ranged("scale", "scale", 2.0 ** 32 - 1 if exact else 65535.0))


def write_csv(file, tile, manifest):
    for slot, info in zip(tile["slots"], manifest["slots"]):
        kinds = info["species"]
        if slot["count"] == 0:
            continue
        columns = metres_and_degrees(slot, kinds)
        for kind, row in zip(slot["species"].tolist(), zip(*(column.tolist() for column in columns))):
            file.write(",".join([info["name"], kinds[kind]["name"]] + [repr(value) for value in row]) + "\n")


def main():
    parser = argparse.ArgumentParser(description="Read a bake of strew.")
    parser.add_argument("folder")
    parser.add_argument("--csv", metavar="FILE", help="write one line per instance, in metres and degrees")
    parser.add_argument("--raw", metavar="FILE", help="write one line per instance, as the stored integers")
    options = parser.parse_args()
    try:
        manifest = read_manifest(options.folder)
        counts = [0] * len(manifest["slots"])
        csv = open(options.csv, "w", encoding="utf-8") if options.csv else None
        raw = open(options.raw, "w", encoding="utf-8") if options.raw else None
        if csv:
            csv.write("layer,species,x,y,z,yaw_degrees,scale\n")
        for tile in tiles(options.folder, manifest):
            counts = [total + slot["count"] for total, slot in zip(counts, tile["slots"])]
            if csv:
                write_csv(csv, tile, manifest)
            if raw:
                write_raw(raw, tile)
        for file in (csv, raw):
            if file:
                file.close()
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit("read_tiles.py: %s" % error)
    for info, count in zip(manifest["slots"], counts):
        print("%12d  %s" % (count, info["name"]))


if __name__ == "__main__":
    main()
