#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Scores of a feature that depends on the frame rate: which rate is taken, where it is said, and that no score is computed
by that of another video.

    facts_test.py ISOVMAF VMAF [PLUGIN]

With PLUGIN, the host stand-in is the device in one of the tests.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from batch_runs import BatchRuns
from score_runs import picture, y4m

VMAF, PLUGIN = "", None
WIDTH, HEIGHT, FRAMES = 97, 65, 6
XPSNR = ("-n", "--feature", "xpsnr")


def at_rate(rate):
    """The option of a run whose rate is stated."""
    return "-n", "--feature", f"xpsnr:frame_rate={rate}"


class FactsTest(BatchRuns):
    def setUp(self):
        super().setUp()
        self.clip("ref24.y4m", "24:1")
        self.clip("dis24.y4m", "24:1", shift=2)
        self.clip("dis60.y4m", "60:1", shift=4)

    def clip(self, name, rate, shift=0, frames=FRAMES):
        content = y4m([picture(n + shift) for n in range(frames)])
        (self.folder / name).write_bytes(content.replace(b"F25:1", f"F{rate}".encode(), 1))
        return name

    def raw(self, name):
        """The samples of a Y4M file alone."""
        frames = (self.folder / name).read_bytes().split(b"FRAME\n")[1:]
        (self.folder / name).with_suffix(".yuv").write_bytes(b"".join(frames))
        return pathlib.Path(name).with_suffix(".yuv").name

    def run_score(self, *arguments, expect=0):
        result = subprocess.run([self.ISOVMAF, "score", *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, check=False,
                                env=os.environ | ({"ISOVMAF_BACKEND_DIR": str(PLUGIN.parent)} if PLUGIN else {}))
        self.assertEqual(result.returncode, expect, result.stderr)
        return result

    def report(self, *arguments):
        self.run_score(*arguments, "-q", "-o", "one.json", "--force", "--precision", "hex", "--backend", "cpu")
        return json.loads((self.folder / "one.json").read_text())

    @staticmethod
    def scores(report):
        return [report[key] for key in ("frames", "pooled_metrics", "aggregate_metrics")]

    def assert_fact(self, report, value, source, meaning):
        self.assertEqual(report["isovmaf"]["facts"], [{"feature": "xpsnr", "option": "frame_rate", "value": value,
                                                       "source": source, "meaning": meaning}])
        self.assertEqual(len([note for note in report["isovmaf"]["notes"] if note.startswith("xpsnr takes the frame_rate ")]), 1)


class Rates(FactsTest):
    def test_the_distorted_videos_rate_is_taken(self):
        slow, fast = self.report("ref24.y4m", "dis24.y4m", *XPSNR), self.report("ref24.y4m", "dis60.y4m", *XPSNR, "--sync", "index")
        self.assert_fact(slow, 24, "distorted video", "first order")
        self.assert_fact(fast, 60, "distorted video", "second order")
        for name, report, own, other in ("dis24.y4m", slow, 24, 60), ("dis60.y4m", fast, 60, 24):
            stated = self.report("ref24.y4m", name, *at_rate(own), "--sync", "index")
            self.assert_fact(stated, own, "option", report["isovmaf"]["facts"][0]["meaning"])
            self.assertEqual(self.scores(report)[0::2], self.scores(stated)[0::2])
            self.assertNotEqual(self.scores(report)[0], self.scores(self.report("ref24.y4m", name, *at_rate(other), "--sync", "index"))[0])

    def test_then_the_references_then_25_with_a_note(self):
        raw = self.raw("dis60.y4m"), "--dis-format", f"{WIDTH}x{HEIGHT}:420"
        self.clip("ref60.y4m", "60000:1001")
        report = self.report("ref60.y4m", *raw, *XPSNR)
        self.assert_fact(report, 59.94, "reference", "second order")
        both = (self.raw("ref24.y4m"), raw[0], "-w", WIDTH, "-h", HEIGHT, "-p", 420, "-b", 8)
        report = self.report(*both, *XPSNR)
        self.assert_fact(report, 25, "assumed", "first order")
        self.assertRegex(self.run_score(*both, *XPSNR).stderr, r"xpsnr takes the frame_rate 25 \(first order\): assumed, as "
                         r"neither video states it; --feature xpsnr:frame_rate=NUMBER sets it")
        stated = self.report("ref24.y4m", raw[0], raw[1], raw[2] + "@60", *XPSNR, "--sync", "index")
        self.assert_fact(stated, 60, "distorted video", "second order")

    def test_limits_of_the_rate(self):
        for rate, value, meaning in (("31:1", 31, "first order"), ("32000:1001", 31.968, "first order"), ("32:1", 32, "second order"),
                                     ("319999999:10000000", 31.9999, "first order"), ("60000:1001", 59.94, "second order")):
            with self.subTest(rate):
                report = self.report("ref24.y4m", self.clip("dis.y4m", rate, shift=2), *XPSNR, "--sync", "index")
                self.assert_fact(report, value, "distorted video", meaning)

    def test_different_orders_are_a_warning(self):
        result = self.run_score("ref24.y4m", "dis60.y4m", *XPSNR, "--sync", "index", "-o", "two.json")
        sentence = "the frame rate of the reference is 24, and that of the distorted video 60: xpsnr means first order by the one"
        self.assertIn(f"warning: {sentence}", result.stderr)
        warnings = json.loads((self.folder / "two.json").read_text())["isovmaf"]["warnings"]
        self.assertEqual([warning["kind"] for warning in warnings if warning["text"].startswith(sentence)], ["timing"])
        self.run_score("ref24.y4m", "dis60.y4m", *XPSNR, "--sync", "index", "--strict", expect=1)
        self.assertNotIn(sentence, self.run_score("ref24.y4m", "dis60.y4m", *at_rate(60), "--sync", "index").stderr)
        self.clip("dis30.y4m", "30:1")
        self.assertNotIn("order", self.run_score("ref24.y4m", "dis30.y4m", *XPSNR, "--sync", "index").stderr)

    def test_two_rates_are_refused(self):
        result = self.run_score("ref24.y4m", "dis24.y4m", *at_rate(24), "--feature", "xpsnr:frame_rate=60", expect=2)
        self.assertIn("asked for twice with frame_rate=24 and frame_rate=60, which share one output name: ask for one", result.stderr)
        one = self.report("ref24.y4m", "dis24.y4m", *XPSNR, "--feature", "xpsnr:frame_rate=60")
        self.assert_fact(one, 60, "option", "second order")

    def test_videos_with_one_reference(self):
        self.run_score("ref24.y4m", "dis24.y4m", "dis60.y4m", *XPSNR, "--sync", "index", "-q", "-o", "{stem}.json",
                       "--precision", "hex", "--backend", "cpu")
        for name in "dis24", "dis60":
            alone = self.report("ref24.y4m", f"{name}.y4m", *XPSNR, "--sync", "index")
            self.assertEqual(json.loads((self.folder / f"{name}.json").read_text()), alone, name)

    def test_parts_of_a_video(self):
        self.clip("long24.y4m", "24:1", frames=40)
        self.clip("long60.y4m", "60:1", shift=4, frames=40)
        command = ("long24.y4m", "long60.y4m", *XPSNR, "--sync", "index")
        whole = self.scores(self.report(*command))
        self.assertEqual(self.scores(self.report(*command, "--decoders", 3, "--part-frames", 8)), whole)
        self.assertEqual(self.scores(self.report(*command, "--subsample", 1, "--threads", 3)), whole)

    @unittest.skipUnless(len(sys.argv) > 3, "there is no stand-in for a device")
    def test_frames_on_a_device(self):
        self.run_score("ref24.y4m", "dis60.y4m", *XPSNR, "--sync", "index", "-q", "-o", "host.json", "--precision", "hex",
                       "--backend", "host,cpu")
        found = json.loads((self.folder / "host.json").read_text())
        self.assertEqual(self.scores(found), self.scores(self.report("ref24.y4m", "dis60.y4m", *XPSNR, "--sync", "index")))


class Numbers(FactsTest):
    def test_plain_scores_end_with_the_minimum(self):
        lines = self.run_score("ref24.y4m", "dis24.y4m", *XPSNR, "-q").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines],
                         ["xpsnr_y", "xpsnr_u", "xpsnr_v", "axpsnr_y", "axpsnr_u", "axpsnr_v", "axpsnr_min"])
        values = [float(line.split()[1]) for line in lines]
        self.assertEqual(values[-1], min(values[3:6]))
        least = values[-1]
        self.run_score("ref24.y4m", "dis24.y4m", *XPSNR, "-q", "--min", f"axpsnr_min={least - 0.001}")
        broken = self.run_score("ref24.y4m", "dis24.y4m", *XPSNR, "-q", "--min", f"axpsnr_min={least + 0.001}", expect=4)
        self.assertRegex(broken.stderr, r"^isovmaf: axpsnr_min is \S+, below the limit \S+ of --min\n$")

    def test_what_is_infinite_is_null(self):
        report = self.report("ref24.y4m", "ref24.y4m", *XPSNR)
        self.assertEqual(set(report["aggregate_metrics"].values()), {None})
        self.assertIn("axpsnr_min inf\n", self.run_score("ref24.y4m", "ref24.y4m", *XPSNR, "-q").stdout)
        self.run_score("ref24.y4m", "ref24.y4m", *XPSNR, "-q", "--min", "axpsnr_min=100")

    def test_reports_name_the_origin(self):
        origin = "FFmpeg's filter xpsnr, 7.1 to 9.0"
        for compat in "libvmaf-3.2", "libvmaf-3.0":
            page = self.folder / "page.html"
            report = self.report("ref24.y4m", "dis24.y4m", "--feature", "xpsnr", "--compat", compat, "--html", page)
            self.assertEqual(report["isovmaf"]["origins"], {"xpsnr": origin})
            self.assertIn(f"The scores of xpsnr are those of {origin.replace(chr(39), '&#39;')}.".replace("&#39;", "'"),
                          page.read_text().replace("&#39;", "'"))
        self.assertNotIn("origins", self.report("ref24.y4m", "dis24.y4m")["isovmaf"])
        help_text = subprocess.run([self.ISOVMAF, "score", "--help"], capture_output=True, text=True, check=True).stdout
        self.assertIn(f"has the scores of {origin}", help_text)

    def test_shapes_that_are_refused(self):
        for name, width, height in ("flat.yuv", 600, 4), ("narrow.yuv", 4, 600):
            (self.folder / name).write_bytes(bytes(width * height * 3 // 2 * 2))
            refused = self.run_score(name, name, "-w", width, "-h", height, "-p", 420, "-b", 8, *XPSNR, expect=1)
            self.assertIn(f"the video is {width}x{height}", refused.stderr)

    def test_libvmafs_program_takes_the_feature(self):
        subprocess.run([VMAF, "-r", "ref24.y4m", "-d", "dis60.y4m", "-n", "--feature", "xpsnr", "--json", "-o", "vmaf.json"],
                       cwd=self.folder, check=True, capture_output=True)
        report = json.loads((self.folder / "vmaf.json").read_text())
        self.assertEqual(list(report["aggregate_metrics"]), ["axpsnr_y", "axpsnr_u", "axpsnr_v", "axpsnr_min"])
        self.run_score("ref24.y4m", "dis60.y4m", *XPSNR, "--sync", "index", "-o", "own.json")
        own = json.loads((self.folder / "own.json").read_text())
        self.assertEqual(report["aggregate_metrics"], own["aggregate_metrics"])
        self.assertEqual([frame["metrics"] for frame in report["frames"]], [frame["metrics"] for frame in own["frames"]])


class Batches(FactsTest):
    def test_one_worker_scores_encodes_of_different_rates(self):
        self.clip("dis25.y4m", "25:1", shift=6)
        self.clip("more60.y4m", "60:1", shift=8)
        self.clip("more24.y4m", "24:1", shift=9)
        names = ["dis24.y4m", "dis60.y4m", "dis25.y4m", "more60.y4m", "more24.y4m"]
        self.manifest = self.write("m.csv", "reference,distorted,label\n" + "".join(f"ref24.y4m,{name},{i}\n" for i, name in enumerate(names)))
        options = ("--workers", 1, *XPSNR, "--sync", "index")
        run = self.run_folder("alone", "--group", 1, *options)
        for form, *more in ("grouped", "--group", 8), ("segments", "--segment-frames", 3), ("both", "--group", 8, "--segment-frames", 2):
            self.assertEqual(self.results(self.run_folder(form, *more, *options)), self.results(run), form)
        rows = self.rows(run)
        lines = [json.loads(line) for line in (run / "results.jsonl").read_text().splitlines()]
        for name, row, line in zip(names, rows, lines):
            alone = self.report("ref24.y4m", name, *XPSNR, "--sync", "index")["aggregate_metrics"]
            own = {key: float.fromhex(value) for key, value in alone.items()}
            self.assertEqual(line["aggregates"], own, name)
            self.assertEqual({key: float(row[key]) for key in own}, own)
            rate = int(re.search(r"\d+", name)[0])
            self.assertEqual(line["facts"], [{"feature": "xpsnr", "option": "frame_rate", "value": rate,
                                              "meaning": "second order" if rate >= 32 else "first order"}])
            self.assertEqual(any("xpsnr means first order" in warning["text"] for warning in line["warnings"]), rate >= 32)
        self.batch("export", run, "--format", "json")
        exported = json.loads((run / "reports" / "000003-dis60.json").read_text())
        self.assert_fact(exported, 60, "distorted video", "second order")

    def test_stored_words_have_their_rate(self):
        self.manifest = self.write("m.csv", "reference,distorted\nref24.y4m,dis60.y4m\n")
        run = self.run_folder("run", *XPSNR, "--sync", "index")
        for feature, expect in ("xpsnr", 0), ("xpsnr:frame_rate=60", 0), ("xpsnr:frame_rate=24", 65):
            with self.subTest(feature):
                result = subprocess.run([self.ISOVMAF, "rescore", str(run), "-n", "--feature", feature, "--out",
                                         str(self.folder / "again")], capture_output=True, text=True, check=False)
                self.assertEqual(result.returncode, expect, result.stderr)


if __name__ == "__main__":
    BatchRuns.ISOVMAF, VMAF = map(os.path.abspath, sys.argv[1:3])
    PLUGIN = pathlib.Path(os.path.abspath(sys.argv[3])) if sys.argv[3:] else None
    unittest.main(argv=sys.argv[:1], verbosity=2)
