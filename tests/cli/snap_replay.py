"""The published algorithm once more, in plain Python and from its description alone: random parameter sets over the
published kits, compared with strew snap --reference piece by piece, draw by draw."""
import json
import math
import random
import unittest

from command import SHARED, CommandTest

KITS = ["benchmark_unity_lh.json", "artistic_unity_lh.json", "artistic_v2/artistic_v2_unity_lh.json"]
SETS = 108
MOST_TENTATIVES = 3000  # a star whose arms are stuck may go on for ever: such sets are drawn again


# ---- vectors: tuples of three; rotations: tuples of three columns (right, up, forward)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def plus(a, b, s=1.0):
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


def unit(a):
    size = math.sqrt(dot(a, a))
    return (a[0] / size, a[1] / size, a[2] / size)


def turn(r, v):
    return tuple(r[0][i] * v[0] + r[1][i] * v[1] + r[2][i] * v[2] for i in range(3))


def compose(a, b):
    return tuple(turn(a, column) for column in b)


def inverse(r):
    return tuple(tuple(r[j][i] for j in range(3)) for i in range(3))


def look(forward, up):
    forward = unit(forward)
    right = cross(up, forward)
    if math.sqrt(dot(right, right)) < 1e-9:
        # Along the up: the smallest rotation from forward (0, 0, 1).
        if forward[2] < -1 + 1e-12:
            return ((1, 0, 0), (0, -1, 0), (0, 0, -1))
        axis = cross((0, 0, 1), forward)
        k = 1 / (1 + forward[2])
        return tuple(plus(plus(e, cross(axis, e)), cross(axis, cross(axis, e)), k)
                     for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    right = unit(right)
    return (right, cross(forward, right), forward)


def from_quaternion(q):
    x, y, z, w = q
    return ((1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
            (2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
            (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)))


def meet(a, b):
    """Oriented boxes (centre, axes, half extents): 15 separating axes, separated only if strictly greater."""
    (ca, ra, ea), (cb, rb, eb) = a, b
    apart = plus(cb, ca, -1)
    t = [dot(apart, ra[i]) for i in range(3)]
    r = [[dot(ra[i], rb[j]) for j in range(3)] for i in range(3)]
    s = [[abs(r[i][j]) + 1e-6 for j in range(3)] for i in range(3)]
    for i in range(3):
        if abs(t[i]) > ea[i] + sum(eb[j] * s[i][j] for j in range(3)):
            return False
    for j in range(3):
        if abs(sum(t[i] * r[i][j] for i in range(3))) > eb[j] + sum(ea[i] * s[i][j] for i in range(3)):
            return False
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            reach = ea[i1] * s[i2][j] + ea[i2] * s[i1][j] + eb[j1] * s[i][j2] + eb[j2] * s[i][j1]
            if abs(t[i2] * r[i1][j] - t[i1] * r[i2][j]) > reach:
                return False
    return True


class Xorshift:
    def __init__(self, seed):
        self.state = [seed & 0xFFFFFFFF]
        for _ in range(3):
            self.state.append((self.state[-1] * 1812433253 + 1) & 0xFFFFFFFF)
        self.draws = 0

    def range(self, a, b):
        if a == b:
            return a
        self.draws += 1
        x, _, _, w = self.state
        t = (x ^ (x << 11)) & 0xFFFFFFFF
        w = w ^ (w >> 19) ^ t ^ (t >> 8)
        self.state = self.state[1:] + [w & 0xFFFFFFFF]
        return a + self.state[3] % (b - a)


class TooLong(Exception):
    pass


class Placed:
    def __init__(self, piece, rotation, position, parent=None, parent_connector=None, own_connector=None):
        self.piece, self.rotation, self.position = piece, rotation, position
        self.parent, self.parent_connector, self.own_connector = parent, parent_connector, own_connector
        self.used = set()

    def free(self):
        return len(self.piece["connectors"]) - len(self.used)

    def boxes(self, centre):
        return [(plus(self.position, turn(self.rotation, box[centre])),
                 compose(self.rotation, from_quaternion(box["rotation"])), box["half_extents"])
                for box in self.piece["boxes"] if centre == "reference_center" or box["enabled"]]


class Replay:
    def __init__(self, kit, p):
        self.p = p
        pieces = [dict(piece, connectors=sorted(piece["connectors"], key=lambda c: -c["pins"]))
                  for piece in kit["pieces"]]
        self.pieces = sorted(pieces, key=lambda piece: -len(piece["connectors"]))
        by_name = {piece["name"]: piece for piece in pieces}
        self.starters = [by_name[name] for name in kit.get("starter_list", [])]
        self.random = Xorshift(p["seed"])
        self.tentatives = 0

    def matches(self, guide, own):
        if self.p["match_pins"] and abs(guide["pins"] - own["pins"]) > self.p["pin_tolerance"]:
            return False
        white = 0 in (guide["color"], own["color"])
        return not self.p["match_colours"] or white or guide["color"] == own["color"]

    def starter(self):
        candidates = self.starters if self.p["use_starter"] else self.pieces
        count = [len(piece["connectors"]) for piece in candidates]
        tolerance = self.p["starter_tolerance"]
        if self.p["method"] in ("arena", "star"):
            last = 0
            while last + 1 < len(count) and count[last + 1] >= count[0] - tolerance:
                last += 1
            chosen = self.random.range(0, last + 1)
        else:
            first = len(count) - 1
            while first > 0 and count[first - 1] <= count[-1] + tolerance:
                first -= 1
            chosen = self.random.range(first, len(count))
        return candidates[chosen]

    def snap(self, guide_index, piece):
        guide = self.placed[guide_index]
        pairs = [(t, g) for t, own in enumerate(piece["connectors"]) for g, there in enumerate(guide.piece["connectors"])
                 if g not in guide.used and self.matches(there, own)]
        while pairs:
            k = self.random.range(0, len(pairs))
            t, g = pairs[k]
            own, there = piece["connectors"][t], guide.piece["connectors"][g]
            heading = turn(guide.rotation, there["heading"])
            facing = look(tuple(-h for h in heading), turn(guide.rotation, (0, 1, 0)))
            rotation = compose(facing, inverse(look(own["heading"], own["up"])))
            joint = plus(plus(guide.position, turn(guide.rotation, there["position"])), heading, self.p["piece_distance"])
            position = plus(joint, turn(rotation, own["position"]), -1)
            new = Placed(piece, rotation, position, guide_index, g, t)
            if self.p["check_overlaps"] and any(
                    meet(asking, standing) for asking in new.boxes("reference_center")
                    for other in self.placed if other is not guide for standing in other.boxes("center")):
                del pairs[k]
                continue
            guide.used.add(g)
            new.used.add(t)
            self.placed.append(new)
            return

    def new_arm(self, length, variation):
        self.length = 0
        self.longest = self.random.range(length - variation, length + variation + 1)

    def select(self):
        p, placed = self.p, self.placed
        last = len(placed) - 1
        if p["method"] == "arena":
            if len(placed) >= p["max_pieces"]:
                return None
            if placed[self.last_guide].free() > 0:
                return self.last_guide
            self.next_guide += 1
            return self.next_guide if self.next_guide < len(placed) else None
        if p["method"] == "corridor":
            return last if len(placed) < p["max_pieces"] else None
        if p["method"] == "star":
            self.length += 1
            if self.length >= self.longest or placed[last].free() == 0:
                self.new_arm(p["arm_length"], p["arm_length_var"])
                return 0 if placed[0].free() > 0 else None
            return last
        if self.length < self.longest and placed[last].free() > 0:
            self.length += 1
            return last
        if self.created >= p["branch_count"]:
            return None
        spacing = max(1, p["branch_length"] // p["branch_count"])
        jump = spacing * self.created
        if jump >= len(placed):
            jump = max(0, self.random.range(len(placed) - spacing, len(placed)))
        guide = jump
        for i in range(spacing):
            if placed[guide].free() > 0:
                break
            step = i // 2 + 1
            guide = min(max(jump + (step if i % 2 == 0 else -step), 0), last)
        self.created += 1
        self.new_arm(p["branch_length"], p["branch_length_var"])
        return guide if placed[guide].free() > 0 else None

    def run(self):
        p = self.p
        if p["method"] == "star":
            self.new_arm(p["arm_length"], p["arm_length_var"])
        elif p["method"] == "branch":
            self.new_arm(p["branch_length"], p["branch_length_var"])
        self.created = 1
        self.next_guide = 0
        self.placed = [Placed(self.starter(), ((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0))]
        self.last_guide, last_free = 0, self.placed[0].free()
        while True:
            before = len(self.placed)
            for _ in range(p["max_fails"]):
                piece = self.pieces[self.random.range(0, len(self.pieces))]
                self.tentatives += 1
                if self.tentatives > MOST_TENTATIVES:
                    raise TooLong
                self.snap(self.last_guide, piece)
                if len(self.placed) > before:
                    break
            guide = self.select()
            if guide is None or (guide == self.last_guide and self.placed[guide].free() >= last_free):
                return
            self.last_guide, last_free = guide, self.placed[guide].free()


def draw_set(draw, starters):
    p = {"method": draw.choice(["arena", "corridor", "star", "branch"]), "seed": draw.randint(-2**31, 2**31 - 1),
         "piece_distance": draw.choice([0.0001, 0.0, 0.5, 6.0]), "max_fails": draw.choice([1, 3, 10, 25]),
         "check_overlaps": draw.random() < 0.7, "match_pins": draw.random() < 0.6, "match_colours": draw.random() < 0.6,
         "pin_tolerance": draw.choice([0, 0, 1, 2]), "starter_tolerance": draw.choice([0, 0, 1, 3]),
         "use_starter": bool(starters) and draw.random() < 0.4}
    if p["method"] in ("arena", "corridor"):
        p["max_pieces"] = draw.choice([1, 2, 5, 13, 20, 30])
    elif p["method"] == "star":
        p["arm_length"] = draw.randint(1, 8)
        p["arm_length_var"] = draw.randint(0, p["arm_length"])
    else:
        p["branch_count"] = draw.randint(1, 5)
        p["branch_length"] = draw.randint(1, 9)
        p["branch_length_var"] = draw.randint(0, 3)
    return p


class SnapReplay(CommandTest):
    @unittest.skipUnless(all((SHARED / "snapmesh" / kit).exists() for kit in KITS), f"needs snapmesh/ in {SHARED}")
    def test_random_parameter_sets(self):
        draw = random.Random(6)
        kits = [json.loads((SHARED / "snapmesh" / kit).read_text()) for kit in KITS]
        out = self.folder / "map.json"
        placed = {}
        done = 0
        while done < SETS:
            which = done % len(KITS)
            p = draw_set(draw, kits[which].get("starter_list"))
            replay = Replay(kits[which], p)
            try:
                replay.run()
            except TooLong:
                continue
            words = []
            for name, value in p.items():
                if name not in ("method", "seed"):
                    words += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
            self.ok("snap", SHARED / "snapmesh" / KITS[which], "--reference", "--method", p["method"],
                    f"--seed={p['seed']}", "--json", out, "--quiet", *words)
            got = json.loads(out.read_text())
            self.assertEqual(len(got["placements"]), len(replay.placed), p)
            for i, (ours, theirs) in enumerate(zip(got["placements"], replay.placed)):
                self.assertEqual(ours["piece"], theirs.piece["name"], (p, i))
                self.assertEqual((ours["parent"], ours["parent_connector"], ours["own_connector"]),
                                 (theirs.parent, theirs.parent_connector, theirs.own_connector), (p, i))
                for a, b in zip(ours["position"], theirs.position):
                    self.assertAlmostEqual(a, b, delta=1e-4, msg=(p, i))
                for ours_column, column in zip(from_quaternion(ours["rotation"]), theirs.rotation):
                    for a, b in zip(ours_column, column):
                        self.assertAlmostEqual(a, b, delta=1e-5, msg=(p, i))
            self.assertEqual(got["tentatives"], replay.tentatives, p)
            self.assertEqual(got["rng_draws"], replay.random.draws, p)
            self.assertEqual(got["rng_state_after"], replay.random.state, p)
            placed[p["method"]] = placed.get(p["method"], 0) + len(replay.placed)
            done += 1
        # Every method made real maps.
        for method in ("arena", "corridor", "star", "branch"):
            self.assertGreater(placed[method], 100, placed)


if __name__ == "__main__":
    unittest.main()
