"""strew life: against an independent implementation in NumPy, against Golly where it is installed, and bad input."""
import re
import shutil
import subprocess
import unittest

import numpy as np

from command import CommandTest

BGOLLY = shutil.which("bgolly") or shutil.which("bgolly", path="/usr/games:/usr/bin")


def read_rle(path):
    """Cells with row 0 at the top, and the header, by a reader of its own."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    header = re.fullmatch(r"x = (\d+), y = (\d+), rule = (\S+)", lines[0])
    grid = np.zeros((int(header[2]), int(header[1])), dtype=np.uint8)
    x = y = 0
    for count, what in re.findall(r"(\d*)([bo$!])", "".join(lines[1:])):
        count = int(count or 1)
        if what == "$":
            x, y = 0, y + count
        elif what == "!":
            break
        else:
            grid[y, x:x + count] = what == "o"
            x += count
    return grid, header[3]


def step(grid, rule, border):
    birth, survival = re.fullmatch(r"B(\d*)/S(\d*)", rule).groups()
    pad = {"dead": dict(constant_values=0), "alive": dict(constant_values=1)}.get(border)
    padded = np.pad(grid, 1, mode="wrap") if pad is None else np.pad(grid, 1, **pad)
    height, width = grid.shape
    near = sum(padded[dy:dy + height, dx:dx + width].astype(int) for dy in range(3) for dx in range(3)) - grid
    return np.where(grid == 1, np.isin(near, [int(c) for c in survival]),
                    np.isin(near, [int(c) for c in birth])).astype(np.uint8)


class Life(CommandTest):
    def test_agrees_with_numpy(self):
        cases = [("B3678/S34678", "dead"), ("B3/S23", "periodic"), ("B5678/S45678", "alive"), ("B1357/S02468", "dead"),
                 ("B01/S8", "periodic")]
        for number, (rule, border) in enumerate(cases):
            first, last = self.folder / "first.npy", self.folder / "last.npy"
            common = ["life", "--rule", rule, "--size", "137x59", "--seed", number, "--fill", "0.6", "--border", border]
            self.ok(*common, "--generations", 0, "-o", first)
            said = self.json(*common, "--generations", 7, "-o", last)
            grid = np.load(first)
            self.assertEqual(grid.shape, (59, 137))
            for _ in range(7):
                grid = step(grid, rule, border)
            np.testing.assert_array_equal(np.load(last), grid, f"{rule} {border}")
            self.assertEqual(said["living"], int(grid.sum()))
            # From the file of generation 0, and by every variant, the same.
            for variant in ("ref", "swar", "best"):
                again = self.json("life", "--in", first, "--rule", rule, "--border", border, "--generations", 7,
                                  "--variant", variant)
                self.assertEqual(again["hash"], said["hash"])

    def test_rle_reads_back_elsewhere(self):
        rle, npy = self.folder / "a.rle", self.folder / "a.npy"
        self.ok("life", "--size", "90x40", "--fill", "0.4", "--generations", 3, "-o", rle)
        self.ok("life", "--size", "90x40", "--fill", "0.4", "--generations", 3, "-o", npy)
        grid, rule = read_rle(rle)
        self.assertEqual(rule, "B3678/S34678:P90,40")
        np.testing.assert_array_equal(grid[::-1], np.load(npy))

    @unittest.skipUnless(BGOLLY, "Golly's bgolly is not installed (apt-get install golly)")
    def test_golly_opens_what_we_write_and_agrees(self):
        for border, rule in (("periodic", "B3678/S34678"), ("periodic", "B3/S23"), ("dead", "B36/S23")):
            first, theirs, ours = (self.folder / name for name in ("first.rle", "theirs.rle", "ours.npy"))
            self.ok("life", "--rule", rule, "--size", "100x80", "--fill", "0.45", "--border", border, "--generations", 0,
                    "-o", first)
            self.ok("life", "--in", first, "--generations", 12, "-o", ours)
            subprocess.run([BGOLLY, "-q", "-q", "-m", "12", "-o", theirs, first], check=True, capture_output=True)
            # Golly writes the smallest rectangle that holds the living cells, with its place: ours reads that.
            back = self.folder / "back.npy"
            self.ok("life", "--in", theirs, "--generations", 0, "-o", back)
            np.testing.assert_array_equal(np.load(back), np.load(ours), f"{rule} {border}")

    def test_region_and_statistics_equal_the_whole(self):
        common = ["life", "--size", "3000x700", "--seed", 5]
        self.ok(*common, "-o", self.folder / "whole.npy")
        part = self.json(*common, "--region", "1001,13,2500,400", "--regions", "-o", self.folder / "part.npy")
        whole = np.load(self.folder / "whole.npy")
        np.testing.assert_array_equal(np.load(self.folder / "part.npy"), whole[13:400, 1001:2500])
        self.assertEqual(part["living"], int(whole[13:400, 1001:2500].sum()))
        self.assertEqual(part["dead_regions"]["cells"] + part["living_regions"]["cells"], 387 * 1499)
        self.assertEqual(self.json(*common)["hash"], self.json(*common, "--threads", 2, "--depth", 3)["hash"])

    def test_populations_and_frames(self):
        frames = self.folder / "frames"
        said = self.json("life", "--size", "64x64", "--generations", 4, "--population", "--animate", frames)
        self.assertEqual(len(said["populations"]), 5)
        self.assertEqual(said["populations"][-1], said["living"])
        self.assertEqual(sorted(f.name for f in frames.iterdir()), [f"{g:04}.png" for g in range(5)])

    def test_bad_input(self):
        rle = self.folder / "a.rle"
        rle.write_text("x = 3, y = 1, rule = B3/S23\n3o!\n")
        short = self.folder / "short.rle"
        short.write_text("x = 3, y = 1, rule = B3/S23\n3o")
        out = self.folder / "out.rle"
        for arguments, says in [
            (["--rule", "B9/S", "--size", "9x9"], ["--rule", "character 2"]),
            (["--size", "0x9"], ["--size"]),
            (["--size", "9x2147483649"], ["--size"]),
            ([], ["--size"]),
            (["--size", "9x9", "--fill", "1.5"], ["--fill"]),
            (["--size", "9x9", "--border", "torus"], ["--border", "periodic"]),
            (["--size", "9x9", "--generations", "-1"], ["--generations"]),
            (["--size", "9x9", "--region", "0,0,10,9"], ["--region"]),
            (["--size", "9x9", "--border", "alive"], ["alive border"]),
            (["--in", short], [short, "truncated"]),
            (["--in", rle, "--rule", "B36/S23"], ["--rule", "B3/S23"]),
            (["--in", rle, "--size", "2x2"], ["--size"]),
            (["--in", self.folder / "absent.rle"], ["absent.rle"]),
            (["--size", "9x9", "--variant", "gpu"], ["--variant"]),
        ]:
            self.refused("life", *arguments, "-o", out, says=says)
            self.assertFalse(out.exists())
        noted = self.ok("life", "--rule", "23/3", "--size", "9x9")
        self.assertIn("survival/birth", noted.stderr)


if __name__ == "__main__":
    unittest.main()
