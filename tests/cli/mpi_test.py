"""mpirun -n N strew bake: one world for any N, and a lost rank costs only its tiles; and without STREW_WITH_MPI, a clear refusal."""
import json
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

from command import COMMAND, CommandTest
from resume_test import contents, forest

MPIRUN = os.environ.get("STREW_MPIRUN", "")


@unittest.skipUnless(MPIRUN, "needs a strew built with STREW_WITH_MPI")
class Mpi(CommandTest):
    def start(self, ranks, *arguments, recover=False):
        options = ["--oversubscribe", "-n", str(ranks)] + (["--enable-recovery"] if recover else [])
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return subprocess.Popen([MPIRUN, *options, COMMAND, *map(str, arguments)], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_any_number_of_ranks_gives_the_same_files(self):
        world = self.world(forest)
        whole = self.folder / "whole"
        self.ok("bake", world, "-o", whole)
        for ranks in (1, 2, 4):
            out = self.folder / f"ranks{ranks}"
            process = self.start(ranks, "bake", world, "-o", out, "--quiet")
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
            self.assertEqual(contents(out), contents(whole))

    def test_a_killed_rank_costs_its_tiles_only(self):
        world = self.world(forest)
        out = self.folder / "bake"
        process = self.start(3, "bake", world, "-o", out, "--quiet")
        deadline = time.monotonic() + 60
        while not (out / "bake.journal").exists() and time.monotonic() < deadline:
            time.sleep(0.001)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if children:
            os.kill(int(children[-1]), signal.SIGKILL)
        process.communicate(timeout=120)
        # The installation ended the job, or it had finished; either way the same command completes it.
        whole = self.folder / "whole"
        self.ok("bake", world, "-o", whole)
        process = self.start(2, "bake", world, "-o", out, "--quiet")
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(contents(out), contents(whole))

    def test_ranks_notice_that_rank_0_is_gone(self):
        """Where the installation lets the others live on, they must not wait for ever."""
        def longer(world):
            forest(world)
            world["extent"]["size_m"] = [3000, 2400]
        world = self.world(longer)
        out = self.folder / "bake"
        process = self.start(3, "bake", world, "-o", out, "--quiet", recover=True)
        deadline = time.monotonic() + 60
        while len(list(out.glob("tiles/*"))) < 30 and time.monotonic() < deadline:
            time.sleep(0.01)
        for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
            if b"OMPI_COMM_WORLD_RANK=0" in Path(f"/proc/{child}/environ").read_bytes().split(b"\0"):
                os.kill(int(child), signal.SIGKILL)
        _, errors = process.communicate(timeout=120)
        self.assertIn("rank 0, which owns this bake, is gone", errors)
        self.assertFalse((out / "manifest.json").exists())
        process = self.start(2, "bake", world, "-o", out, "--quiet")
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)
        self.ok("bake", world, "-o", self.folder / "whole")
        self.assertEqual(contents(out), contents(self.folder / "whole"))

    def test_a_painted_map_changes_its_tiles_only(self):
        def paint(corner):
            rows = [["0.1" if row < 3 and column < corner else "0.9" for column in range(20)] for row in range(15)]
            (self.folder / "mask.asc").write_text("ncols 20\nnrows 15\nxllcorner 0\nyllcorner 0\ncellsize 10\n" +
                                                  "\n".join(map(" ".join, rows)) + "\n")

        def masked(world):
            world["terrain"] = {"maps": [{"name": "wet", "path": "mask.asc"}], "assume_same_crs": True}
            world["layers"][0]["constraints"] = {"maps": [{"map": "wet", "accept": [0.5, None]}]}
            world["output"] = {"tile_size_m": 25}
        world = self.world(masked)
        out = self.folder / "bake"
        for ranks, corner, most in ((2, 0, 48), (3, 4, 8), (2, 4, 0)):
            paint(corner)
            process = self.start(ranks, "bake", world, "-o", out, "--quiet", "--json")
            said, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
            made = json.loads(said)
            self.assertEqual(made["tiles_changed"], 0 if corner == 0 else made["tiles_made"])
            self.assertLessEqual(made["tiles_made"], most)
            self.assertEqual(made["tiles_made"] == 0, most == 0)
            fresh = self.folder / f"fresh{ranks}{corner}"
            self.ok("bake", world, "-o", fresh)
            self.assertEqual(contents(out), contents(fresh))

    def test_a_refusal_is_said_once(self):
        world = self.world(forest)
        out = self.folder / "bake"
        self.ok("bake", world, "-o", out)
        process = self.start(3, "bake", world, "-o", out, "--seed", "8", "--quiet")
        _, errors = process.communicate(timeout=120)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(errors.count("another world"), 1, errors)


@unittest.skipIf(MPIRUN, "of a strew built without MPI")
class WithoutMpi(CommandTest):
    def test_several_ranks_are_refused_but_for_shards(self):
        out = self.folder / "bake"
        for variable in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"):
            ranks = {**os.environ, variable: "2"}
            self.refused("bake", self.world(), "-o", out, env=ranks, says=["without MPI", "--shard"])
            self.assertFalse(out.exists())
            self.ok("bake", self.world(), "-o", self.folder / variable, "--shard", "0/2", env=ranks)
        self.ok("bake", self.world(), "-o", out, env={**os.environ, "OMPI_COMM_WORLD_SIZE": "1"})


if __name__ == "__main__":
    unittest.main()
