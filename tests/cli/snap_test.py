"""strew snap: published maps, searches that are killed and resumed, outputs, refusals."""
import csv
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from command import COMMAND, SHARED, CommandTest

SETTINGS = {"pieceDistance": "piece_distance", "checkOverlaps": "check_overlaps", "usePins": "match_pins",
            "useColours": "match_colours", "pinCountTolerance": "pin_tolerance", "maxFailures": "max_fails",
            "starterConTol": "starter_tolerance", "useStarter": "use_starter", "maxPieces": "max_pieces",
            "armLength": "arm_length", "armLengthVar": "arm_length_var"}


class Snap(CommandTest):
    @unittest.skipUnless((SHARED / "snapmesh/golden_maps.json").exists(), f"needs snapmesh/ in {SHARED}")
    def test_published_maps(self):
        for name, golden in json.loads((SHARED / "snapmesh/golden_maps.json").read_text()).items():
            out = self.folder / "map.json"
            words = []
            for key, value in {**golden, **golden["selection_params"]}.items():
                if key in SETTINGS:
                    words += ["--set", f"{SETTINGS[key]}={str(value).lower() if isinstance(value, bool) else value}"]
            self.ok("snap", SHARED / f"snapmesh/{golden['set']}_unity_lh.json", "--reference", "--method",
                    golden["selection"].lower(), f"--seed={golden['seed']}", "--json", out, *words)
            got = json.loads(out.read_text())
            self.assertEqual(got["rng_draws"], golden["rng_draws"], name)
            self.assertEqual(got["rng_state_after"], golden["rng_state_after"], name)
            self.assertEqual(len(got["placements"]), len(golden["placement"]), name)
            for ours, theirs in zip(got["placements"], golden["placement"]):
                for key in ("piece", "parent", "parent_connector", "own_connector"):
                    self.assertEqual(ours[key], theirs.get(key), (name, theirs["i"]))
                for a, b in zip(ours["position"], theirs["position"]):
                    self.assertAlmostEqual(a, b, delta=1e-4)

    def search(self, folder, *more):
        return ["snap", "builtin", "--seeds=-50..2949", "--set", "max_pieces=8", "--set", "agent_radius=0.6", "--objective",
                "A_r_max + 0.01 * loops", "--require", "dead_ends <= 14", "--top", "2", "-o", folder, *more]

    def test_search_is_the_same_for_any_workers_and_after_a_resume(self):
        self.ok(*self.search(self.folder / "one", "--threads", "1"))
        ranking = (self.folder / "one/ranking.csv").read_text()
        state = (self.folder / "one/search.state").read_bytes()
        for number, cut in enumerate((len(state) // 2, len(state) - 5)):
            # As a kill leaves it: some parts, the last cut short.
            folder = self.folder / f"cut{number}"
            folder.mkdir()
            (folder / "search.state").write_bytes(state[:cut])
            done = self.ok(*self.search(folder, "--threads", "2"))
            self.assertIn("resuming", done.stderr)
            self.assertEqual((folder / "ranking.csv").read_text(), ranking)
        self.refused(*self.search(self.folder / "one", "--require", "pieces > 2"), says=["another kit"])
        rows = list(csv.DictReader(ranking.splitlines()))
        self.assertEqual([row["rank"] for row in rows], ["1", "2"])
        self.assertGreaterEqual(float(rows[0]["objective"]), float(rows[1]["objective"]))
        found = next((self.folder / "one").glob("01_seed_*"))
        names = {path.name for path in found.iterdir()}
        self.assertEqual(names, {"map.json", "map.glb", "navmesh.glb", "map.png", "log.txt", "log.json", "scores.json"})
        scores = json.loads((found / "scores.json").read_text())
        self.assertAlmostEqual(scores["fast"]["A_r_max"], scores["exact"]["A_r_max"], delta=0.01)
        self.assertTrue((self.folder / "one/histogram.png").exists())

    def test_a_killed_search_resumes(self):
        long = ["snap", "builtin", "--seeds", "0..60000", "--objective", "loops", "--top", "1", "--no-exact", "-o"]
        self.ok(*long, self.folder / "whole", "--quiet")
        killed = self.folder / "killed"
        process = subprocess.Popen([COMMAND, *map(str, long), str(killed), "--quiet"])
        state = killed / "search.state"
        until = time.time() + 60
        while time.time() < until and process.poll() is None and not (state.exists() and state.stat().st_size > 30000):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.ok(*long, killed, "--quiet")
        self.assertEqual((killed / "ranking.csv").read_text(), (self.folder / "whole/ranking.csv").read_text())

    def test_nothing_qualifies_is_a_result(self):
        done = self.ok("snap", "builtin", "--seeds", "0..20", "--set", "max_pieces=4", "--require", "pieces >= 5",
                       "--no-exact", "-o", self.folder / "out")
        self.assertIn("no seed of 21 qualifies", done.stdout)
        self.assertIn("ruled out 21", done.stdout)
        self.assertEqual(len(list((self.folder / "out").glob("closest_*"))), 1)

    def test_exported_kit_makes_the_same_map(self):
        self.ok("snap", "builtin", "--export-kit", self.folder / "kit")
        maps = []
        for kit in ("builtin", self.folder / "kit/kit.json"):
            self.ok("snap", kit, "--seed", "5", "--json", self.folder / "map.json")
            maps.append(json.loads((self.folder / "map.json").read_text())["placements"])
        self.assertEqual(maps[0], maps[1])

    def test_a_connecting_pass_makes_one_of_several_clusters(self):
        before, after, log = [], [], ""
        for seed in (3, 4, 7):
            for scores, passes in ((before, []), (after, ["--pass", "connect,bridge_pieces=6"])):
                out = self.folder / f"{seed}-{len(passes)}"
                self.ok("snap", "builtin", f"--seed={seed}", "--set", "max_pieces=15", "--no-exact", "-o", out, "--quiet", *passes)
                scores.append(json.loads((out / "scores.json").read_text())["fast"])
                log += (out / "log.txt").read_text()
        self.assertIn("Bridge of", log)
        self.assertLess(sum(s["regions"] for s in after), sum(s["regions"] for s in before) - 2)
        self.assertGreater(sum(s["c_bar"] for s in after), sum(s["c_bar"] for s in before) + 0.2)
        # A floor of its own, nine metres up.
        out = self.folder / "map.json"
        self.ok("snap", "builtin", "--seed", "3", "--set", "max_pieces=4", "--pass", "arena,max_pieces=5,origin_z=9",
                "--json", out, "--quiet")
        placements = json.loads(out.read_text())["placements"]
        self.assertEqual([p["parent"] for p in placements].count(None), 2)
        self.assertEqual((len(placements), placements[4]["position"]), (9, [0, 0, 9]))
        self.refused("snap", "builtin", "--seed", "3", "--method", "connect", says=["nothing to connect"])
        self.refused("snap", "builtin", "--seed", "3", "--pass", "connect,bridge_pieces=9", says=["bridge_pieces"])

    def test_a_ranking_alone_is_the_same_ranking(self):
        search = ["snap", "builtin", "--seeds", "0..2999", "--objective", "100 * loops + longest_path", "--require",
                  "dead_ends < 30", "--top", "3", "--no-exact", "--quiet", "-o"]
        self.ok(*search, self.folder / "all")
        self.ok(*search, self.folder / "few", "--ranking-only")
        for name in ("ranking.csv", "ranking.json"):
            self.assertEqual((self.folder / "few" / name).read_text(), (self.folder / "all" / name).read_text())
        self.assertTrue((self.folder / "all/histogram.csv").exists())
        self.assertFalse((self.folder / "few/histogram.csv").exists())
        self.refused(*search, self.folder / "few", says=["another kit"])

    def test_pieces_without_meshes_are_scored_with_a_note(self):
        kit = self.folder / "kit.json"
        ends = [{"position": [x, 0, 0], "heading": [x, 0, 0]} for x in (2, -2)]
        kit.write_text(json.dumps({"version": 1, "pieces": [
            {"name": "bar", "connectors": ends, "boxes": [{"centre": [0, 0, 1], "half_extents": [1.9, 1, 1]}]}]}))
        done = self.ok("snap", kit, "--seed", "1", "--set", "max_pieces=3", "-o", self.folder / "m")
        self.assertIn("note: these pieces have no mesh", done.stdout)
        scores = json.loads((self.folder / "m/scores.json").read_text())
        self.assertIn("bar", scores["note"])
        self.assertAlmostEqual(scores["fast"]["area"], 3 * 3.8 * 2)
        self.assertIn("no mesh", scores["no_exact_score"])

    def test_schemas_describe_kits_and_maps(self):
        kit, outcome = (json.loads(self.ok("schema", which).stdout) for which in ("kit", "map"))
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs python3-jsonschema")
        self.ok("snap", "builtin", "--export-kit", self.folder / "kit")
        written = json.loads((self.folder / "kit/kit.json").read_text())
        jsonschema.validate(written, kit)
        del written["pieces"][0]["name"]
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(written, kit)
        for words in (["--reference"], ["--pass", "connect"], ["--set", "prefer_loops=true"]):
            self.ok("snap", "builtin", "--seed=-4", "--json", self.folder / "map.json", "--quiet", *words)
            jsonschema.validate(json.loads((self.folder / "map.json").read_text()), outcome)

    def glb_files(self):
        """A map of the own kit and its ground."""
        self.ok("snap", "builtin", "--seed", "3", "--set", "max_pieces=6", "--set", "agent_radius=0.6", "-o", self.folder / "m")
        return [self.folder / "m/map.glb", self.folder / "m/navmesh.glb"]

    @unittest.skipUnless(shutil.which("assimp"), "needs assimp (Debian: assimp-utils)")
    def test_glb_opens_with_assimp(self):
        for path in self.glb_files():
            done = subprocess.run(["assimp", "info", str(path)], capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"Meshes: +[1-9]")

    @unittest.skipUnless(os.environ.get("STREW_GLTF_VALIDATOR"),
                         "needs STREW_GLTF_VALIDATOR, the folder where npm installed gltf-validator")
    def test_glb_passes_the_khronos_validator(self):
        script = ("const v = require('gltf-validator'), fs = require('fs');"
                  "v.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1]))).then(r => "
                  "console.log(JSON.stringify(r.issues)))")
        for path in self.glb_files():
            done = subprocess.run(["node", "-e", script, str(path)], capture_output=True, text=True, timeout=100,
                                  cwd=os.environ["STREW_GLTF_VALIDATOR"])
            issues = json.loads(done.stdout)
            self.assertEqual((issues["numErrors"], issues["numWarnings"]), (0, 0), done.stdout)

    def test_what_a_kill_or_another_run_leaves_is_dealt_with(self):
        self.ok(*self.search(self.folder / "a", "--no-exact"))
        state = (self.folder / "a/search.state").read_bytes()
        header = state.index(b"\n", state.index(b"\n") + 1) + 1
        for number, cut in enumerate((0, 7, header - 3)):
            folder = self.folder / f"head{number}"
            folder.mkdir()
            (folder / "search.state").write_bytes(state[:cut])
            self.ok(*self.search(folder, "--no-exact"))
            self.assertEqual((folder / "ranking.csv").read_text(), (self.folder / "a/ranking.csv").read_text())
        (self.folder / "a/search.state").write_bytes(state + state[header:])  # as two searches at once leave it
        (self.folder / "a/02_seed_mine").mkdir()
        one = ["1" if word == "2" else word for word in self.search(self.folder / "a", "--no-exact")]  # --top 1
        done = self.ok(*one)
        self.assertIn("after 3,000 seeds", done.stderr)
        self.assertEqual(sorted(p.name[:8] for p in (self.folder / "a").glob("*_seed_*")), ["01_seed_", "02_seed_"])
        self.assertEqual([p.name for p in (self.folder / "a").glob("02_*")], ["02_seed_mine"])
        (self.folder / "a/search.state").write_bytes(state.replace(b"search 1", b"search 9", 1))
        self.refused(*self.search(self.folder / "a", "--no-exact"), says=["version"])

    def test_a_map_short_of_a_minimum_says_so(self):
        piece = {"name": "way", "minimum": 9, "connectors": [
            {"position": [2, 0, 0], "heading": [1, 0, 0]}, {"position": [-2, 0, 0], "heading": [-1, 0, 0]}]}
        kit = self.folder / "kit.json"
        kit.write_text(json.dumps({"version": 1, "pieces": [piece]}))
        words = ("snap", kit, "--seed", "1", "-o", self.folder / "m", "--set")
        self.assertIn("5 of 'way' where the kit asks for 9", self.ok(*words, "max_pieces=5").stdout)
        self.assertIn("5 of 'way'", json.loads((self.folder / "m/scores.json").read_text())["shortage"])
        self.assertIn("5 of 'way'", (self.folder / "m/log.txt").read_text())
        self.assertNotIn("asked for", self.ok(*words, "max_pieces=9").stdout)

    def test_an_objective_that_is_no_number_is_told(self):
        done = self.ok("snap", "builtin", "--seeds", "0..9", "--no-exact", "--objective", "sqrt(-1)", "-o", self.folder / "n")
        self.assertIn("no number", done.stderr)

    def test_refusals(self):
        self.refused("snap", "builtin", says=["--seed"])
        self.refused("snap", "none.json", "--seed", "1", code=2, says=["none.json"])
        self.refused("snap", "builtin", "--seed", "x", says=["--seed"])
        self.refused("snap", "builtin", "--seed", "1", "--method", "arenna", says=["arena"])
        self.refused("snap", "builtin", "--seed", "1", "--set", "max_piece=3", says=["max_pieces"])
        self.refused("snap", "builtin", "--seed", "1", "--method", "branch", "--set", "branch_count=0",
                     says=["branch_count", "1"])
        for setting in ("agent_radius=nan", "jump_distance=1e9", "nav_points=1e7"):
            self.refused("snap", "builtin", "--seed", "1", "--json", self.folder / "m.json", "--set", setting,
                         says=[setting.split("=")[0], "to"])
        self.assertFalse((self.folder / "m.json").exists())
        self.refused("snap", "builtin", "--seed", "1", "--require", "pieces > 3", says=["--require", "--seeds"])
        self.refused("snap", "builtin", "--seeds", "0..9", "-o", self.folder / "o", "--json", self.folder / "m.json",
                     says=["--json", "--seed"])
        self.refused("snap", "builtin", "--seed", "1", "--export-kit", self.folder / "k", says=["--export-kit"])
        self.refused("snap", "Builtin", "--seed", "1", says=["builtin"])
        self.refused("snap", "builtin", "--seeds", "0..9", says=["folder"])
        self.refused("snap", "builtin", "--seeds", "9..0", "-o", self.folder / "o", says=["--seeds"])
        self.refused("snap", "builtin", "--seeds", "0..9", "--objective", "A_r_maxx", "-o", self.folder / "o",
                     says=["--objective", "A_r_max"])


if __name__ == "__main__":
    unittest.main()
