"""What a bake survives: each fault is named, nothing half-written stands under its final name, and the same command
goes on once the cause is gone."""
import os
import signal
import struct
import subprocess
import time
import unittest
from pathlib import Path

from command import COMMAND, CommandTest, run
from resume_test import contents, forest

MASK = (1 << 64) - 1


def checksum(seed, data):
    """C(seed, bytes) of docs/tile_format.md."""
    def mix(v):
        v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9 & MASK
        v = (v ^ v >> 27) * 0x94D049BB133111EB & MASK
        return v ^ v >> 31
    words = struct.unpack(f"<{(len(data) + 7) // 8}Q", data + b"\0" * (-len(data) % 8))
    total = seed + sum(mix((w + (i + 1) * 0x9E3779B97F4A7C15) & MASK) for i, w in enumerate(words))
    return mix((mix(total & MASK) + len(data)) & MASK)


class Fault(CommandTest):
    def setUp(self):
        super().setUp()
        self.input = self.world(forest)
        self.out = self.folder / "bake"

    def whole(self):
        self.ok("bake", self.input, "-o", self.folder / "whole")
        return contents(self.folder / "whole")

    def nothing_half_written(self, folder):
        self.assertEqual([str(p) for p in folder.rglob("*.tmp*")], [])

    def small_disk(self, kilobytes):
        """A file system of its own; the test is skipped where none can be mounted."""
        disk = self.folder / "disk"
        disk.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", str(disk)],
                                               capture_output=True).returncode:
            self.skipTest("may not mount a small file system")
        self.addCleanup(lambda: subprocess.run(["umount", str(disk)], check=True))
        return disk

    def remount(self, disk, options):
        subprocess.run(["mount", "-o", f"remount,{options}", str(disk)], check=True)


class ReadOnly(Fault):
    """Root may write everywhere, so the command runs as nobody."""
    def setUp(self):
        super().setUp()
        self.who = {}
        if os.geteuid() == 0:
            self.who = {"user": 65534, "group": 65534, "extra_groups": []}
            os.chmod(self.folder, 0o777)
        try:
            run("--version", **self.who)
        except PermissionError:
            self.skipTest("nobody may not run the command from where it lies")

    def test_a_folder(self):
        self.out.mkdir()
        os.chmod(self.out, 0o555)
        self.refused("bake", self.input, "-o", self.out, "--quiet", says=[self.out, "Permission denied"], **self.who)
        self.assertEqual(contents(self.out), {})
        os.chmod(self.out, 0o777)
        self.ok("bake", self.input, "-o", self.out, **self.who)
        self.assertEqual(contents(self.out), self.whole())

    def test_the_tiles_of_an_unfinished_bake(self):
        self.ok("bake", self.input, "-o", self.out, **self.who)
        complete = contents(self.out)
        (self.out / "manifest.json").unlink()
        gone = sorted((self.out / "tiles").iterdir())[3]
        gone.unlink()
        os.chmod(self.out / "tiles", 0o555)
        self.refused("bake", self.input, "-o", self.out, "--quiet", code=1, says=[gone.name, "Permission denied", "write"],
                     **self.who)
        self.assertFalse((self.out / "manifest.json").exists())
        self.assertFalse(gone.exists())
        os.chmod(self.out / "tiles", 0o777)
        made = self.json("bake", self.input, "-o", self.out, **self.who)
        self.assertEqual(made["tiles_made"], 1)
        self.assertEqual(contents(self.out), complete)

    def test_the_journal_of_an_unfinished_bake(self):
        self.ok("bake", self.input, "-o", self.out, **self.who)
        complete = contents(self.out)
        (self.out / "manifest.json").unlink()
        os.chmod(self.out / "bake.journal", 0o444)
        os.chmod(self.out, 0o555)
        self.refused("bake", self.input, "-o", self.out, "--quiet", says=["Permission denied"], **self.who)
        self.assertFalse((self.out / "manifest.json").exists())
        os.chmod(self.out / "bake.journal", 0o644)
        os.chmod(self.out, 0o777)
        made = self.json("bake", self.input, "-o", self.out, **self.who)
        self.assertEqual(made["tiles_made"], 0)
        self.assertEqual(contents(self.out), complete)

    def test_the_target_of_an_export(self):
        self.ok("bake", self.input, "-o", self.out)
        target = self.folder / "there"
        target.mkdir()
        os.chmod(target, 0o555)
        for kind, name in (("csv", "out.csv"), ("glb", "out.glb"), ("3dtiles", "set"), ("glb", "tiles")):
            self.refused("export", self.out, "-f", kind, "-o", target / name,
                         says=[target / name, "Permission denied"], **self.who)
        self.assertEqual(contents(target), {})


class FullDisk(Fault):
    def test_an_export_and_a_picture(self):
        self.ok("bake", self.input, "-o", self.out)
        disk = self.small_disk(64)
        for kind, name in (("csv", "out.csv"), ("ply", "out.ply"), ("usda", "out.usda"), ("glb", "one.glb")):
            self.refused("export", self.out, "-f", kind, "-o", disk / name, code=1, says=[name, "No space left"])
            self.assertEqual(contents(disk), {})
        self.refused("export", self.out, "-f", "3dtiles", "-o", disk / "set", code=1, says=["No space left"])
        self.nothing_half_written(disk)
        self.assertFalse((disk / "set/tileset.json").exists())
        self.remount(disk, "size=64m")
        self.ok("export", self.out, "-f", "3dtiles", "-o", disk / "set")
        self.ok("export", self.out, "-f", "3dtiles", "-o", self.folder / "set")
        self.assertEqual(contents(disk / "set"), contents(self.folder / "set"))

    def test_a_merge(self):
        shards = [self.folder / f"shard{i}" for i in range(2)]
        for i, shard in enumerate(shards):
            self.ok("bake", self.input, "-o", shard, "--shard", f"{i}/2")
        disk = self.small_disk(200)
        self.refused("merge", *shards, "-o", disk / "bake", code=1, says=["No space left"])
        self.nothing_half_written(disk)
        self.assertFalse((disk / "bake/manifest.json").exists())
        self.remount(disk, "size=64m")
        self.ok("merge", *shards, "-o", disk / "bake")
        self.assertEqual(contents(disk / "bake"), self.whole())

    def test_a_file_system_that_turns_read_only(self):
        """As the kernel does after errors of the disk."""
        disk = self.small_disk(65536)
        out = disk / "bake"
        self.ok("bake", self.input, "-o", out)
        (out / "manifest.json").unlink()
        sorted((out / "tiles").iterdir())[0].unlink()
        self.remount(disk, "ro")
        self.refused("bake", self.input, "-o", out, "--quiet", says=["Read-only file system"])
        self.assertFalse((out / "manifest.json").exists())
        self.remount(disk, "rw")
        self.assertEqual(self.json("bake", self.input, "-o", out)["tiles_made"], 1)
        self.assertEqual(contents(out), self.whole())


class Versions(Fault):
    def test_a_newer_manifest(self):
        self.ok("bake", self.input, "-o", self.out)
        manifest = self.out / "manifest.json"
        text = manifest.read_text()
        manifest.write_text(text.replace('"format_version": 1', '"format_version": 9', 1))
        newer = contents(self.out)
        for command in (("verify", self.out), ("export", self.out, "-f", "csv", "-o", self.folder / "x.csv"),
                        ("preview", self.out, "-o", self.folder / "x.png"), ("bake", self.input, "-o", self.out)):
            done = run(*command)
            self.assertIn(done.returncode, (1, 2), done.stderr)
            for words in ("manifest.json", "9", "newer"):
                self.assertIn(words, done.stderr, command)
        self.assertEqual(contents(self.out), newer)
        manifest.write_text(text)
        self.assertEqual(self.json("bake", self.input, "-o", self.out)["tiles_made"], 0)

    def test_a_newer_journal(self):
        self.ok("bake", self.input, "-o", self.out)
        complete = contents(self.out)
        journal = self.out / "bake.journal"
        bytes_ = bytearray(journal.read_bytes())
        self.assertEqual(struct.unpack_from("<Q", bytes_, 56)[0], checksum(0, bytes(bytes_[:56])))
        struct.pack_into("<I", bytes_, 8, 7)
        struct.pack_into("<Q", bytes_, 56, checksum(0, bytes(bytes_[:56])))
        journal.write_bytes(bytes_)
        for finished in (True, False):
            if not finished:
                (self.out / "manifest.json").unlink()
            before = contents(self.out)
            done = run("bake", self.input, "-o", self.out, "--quiet")
            self.assertIn(done.returncode, (1, 2), done.stderr)
            for words in ("bake.journal", "7", "newer", "--force"):
                self.assertIn(words, done.stderr)
            self.assertEqual(contents(self.out), before)
        self.ok("bake", self.input, "-o", self.out, "--force")
        self.assertEqual(contents(self.out), complete)


class Tiles(Fault):
    def test_a_truncated_tile(self):
        self.ok("bake", self.input, "-o", self.out)
        complete = contents(self.out)
        tile = sorted((self.out / "tiles").iterdir())[7]
        for size in (0, 5, 70, tile.stat().st_size - 1):
            tile.write_bytes(complete[f"tiles/{tile.name}"][:size])
            done = run("verify", self.out)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(tile.name, done.stdout)
            self.refused("export", self.out, "-f", "npy", "-o", self.folder / "x.npy", code=1, says=[tile.name])
            self.assertFalse((self.folder / "x.npy").exists())
            done = self.ok("bake", self.input, "-o", self.out)
            self.assertIn(tile.name, done.stdout + done.stderr)
            self.assertEqual(contents(self.out), complete)

    def test_a_missing_and_a_swapped_tile(self):
        self.ok("bake", self.input, "-o", self.out)
        complete = contents(self.out)
        one, other = sorted((self.out / "tiles").iterdir())[3:5]

        def swap():
            first, second = one.read_bytes(), other.read_bytes()
            one.write_bytes(second)
            other.write_bytes(first)
        for damage, words in ((one.unlink, "is missing"), (swap, "is not the tile that the manifest lists")):
            damage()
            done = run("verify", self.out)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(one.name, done.stdout)
            for command in (("export", self.out, "-f", "csv", "-o", self.folder / "x.csv"),
                            ("preview", self.out, "--quiet", "-o", self.folder / "x.png")):
                self.refused(*command, code=1, says=[one.name, words, "bake again"])
            done = self.ok("bake", self.input, "-o", self.out)
            self.assertIn(one.name, done.stdout)
            self.assertEqual(contents(self.out), complete)


class Twice(Fault):
    def test_two_bakes_into_one_folder(self):
        first = subprocess.Popen([COMMAND, "bake", str(self.input), "-o", str(self.out), "--threads", "1", "--quiet"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        journal = self.out / "bake.journal"
        deadline = time.monotonic() + 60
        while first.poll() is None and not journal.exists() and time.monotonic() < deadline:
            time.sleep(0.0005)
        first.send_signal(signal.SIGSTOP)
        self.assertIsNone(first.poll(), "it was over before it was stopped")
        for options in ([], ["--force"], ["--seed", "8"]):
            self.refused("bake", self.input, "-o", self.out, "--quiet", *options, says=[self.out, "being baked into"])
        first.send_signal(signal.SIGCONT)
        _, errors = first.communicate(timeout=120)
        self.assertEqual(first.returncode, 0, errors)
        self.assertEqual(contents(self.out), self.whole())


if __name__ == "__main__":
    unittest.main()
