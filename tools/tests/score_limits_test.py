#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf score` as CI does that wants scores above limits, and no warning.

    score_limits_test.py ISOVMAF
"""

import html
import json
import os
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from score_runs import FRAMES, ScoreTest, moving_bars, picture, y4m

STATISTICS = {"--min": "min", "--min-mean": "mean", "--min-harmonic-mean": "harmonic_mean", "--min-p1": "percentile_1",
              "--min-p5": "percentile_5", "--min-p10": "percentile_10", "--min-p25": "percentile_25",
              "--min-p50": "percentile_50"}


class Limits(ScoreTest):
    PSNR = ("--no_prediction", "--feature", "psnr")
    APSNR = ("--no_prediction", "--feature", "psnr:enable_apsnr=true")

    def test_each_limit_is_that_of_its_statistic(self):
        pooled = self.report(*self.PSNR, "--precision", "max")["pooled_metrics"]["psnr_y"]
        for option, statistic in STATISTICS.items():
            kept = self.score(*self.PSNR, option, repr(pooled[statistic]))
            self.assertEqual((kept.returncode, kept.stderr), (0, b""), option)
            broken = self.score(*self.PSNR, option, repr(pooled[statistic] + 1e-9))
            self.assertEqual(broken.returncode, 4, option)
            self.assertRegex(broken.stderr.decode(), rf"^isovmaf: the .* of psnr_y is {re.escape(repr(pooled[statistic]))}, "
                             rf"below the limit .* of {option}\n$")
            self.assertIn(b"psnr_y", broken.stdout)

    def test_limits_name_other_scores_and_are_repeated(self):
        path = self.folder / "report.json"
        result = self.score("--feature", "psnr", "--min-mean", "psnr_cb=99", "--min-mean", 1, "--min", "vmaf=101",
                            "-o", path, "-q")
        self.assertEqual(result.returncode, 4)
        self.assertEqual(re.findall(r"the .* of (\w+) is", result.stderr.decode()), ["vmaf", "psnr_cb"])
        self.assertIn("vmaf", json.loads(path.read_text())["pooled_metrics"])

    def test_scores_of_the_whole_video_have_limits(self):
        total = self.report(*self.APSNR, "--precision", "max")["aggregate_metrics"]["apsnr_cb"]
        junit = self.folder / "limits.xml"
        kept = self.score(*self.APSNR, "--min", f"apsnr_cb={total!r}", "--min", "psnr_y=1")
        self.assertEqual((kept.returncode, kept.stderr), (0, b""))
        broken = self.score(*self.APSNR, "--min", f"apsnr_cb={total + 1e-9!r}", "--junit", junit)
        self.assertEqual(broken.returncode, 4)
        self.assertEqual(broken.stderr.decode(),
                         f"isovmaf: apsnr_cb is {total!r}, below the limit {total + 1e-9!r} of --min\n")
        case = xml.etree.ElementTree.parse(junit).getroot().find(".//testcase")
        self.assertEqual(case.get("name"), f"apsnr_cb, at least {total + 1e-9!r}")
        self.assertIsNotNone(case.find("failure"))
        for path in (self.folder / "report.json", junit):
            path.unlink()
        for option in list(STATISTICS)[1:]:
            self.assert_refused(self.score(*self.APSNR, option, "apsnr_y=30"), f"{option}: apsnr_y is one score of the whole "
                                "video, and has no", "give --min apsnr_y=30", code=2)
        self.assert_refused(self.score(*self.PSNR, "--min", "apsnr_y=30"), 'no score "apsnr_y"', code=2)
        self.assert_refused(self.score(*self.APSNR, "--min", "apsnr_x=30"), "did you mean apsnr_y?", code=2)

    def test_limits_that_cannot_be_meant(self):
        for options, words in (((*self.PSNR, "--min", "abc"), ("--min takes a number", "SCORE=NUMBER", '"abc"')),
                               ((*self.PSNR, "--min", "=3"), ("--min takes a number",)),
                               ((*self.PSNR, "--min-mean", "vmaf=3"), ("no score \"vmaf\"", "psnr_y")),
                               ((*self.PSNR, "--min", "psnr_t=3"), ('"psnr_t" (did you mean psnr_y?)',)),
                               (("--min", "psnr_y=3"), ('"psnr_y" (--feature psnr adds that feature\'s scores)',))):
            self.assert_refused(self.score(*options), *words, code=2)

    def test_features_that_were_meant_are_named(self):
        self.assert_refused(self.score("--feature", "ssim"), 'no feature "ssim" (did you mean float_ssim?)')


class NotBelow(ScoreTest):
    """Limits relative to a stored report."""
    PSNR = ("--no_prediction", "--feature", "psnr")

    def base(self, name="base.json", *options, distorted=None):
        path = self.folder / name
        result = self.score("-q", "-o", path, *options, distorted=distorted)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return path

    def junit(self):
        return xml.etree.ElementTree.parse(self.folder / "limits.xml").getroot()

    def test_equal_scores_are_above_every_form_of_report(self):
        for name in ("base.json", "base.xml", "base.csv"):
            for precision in ("legacy", "max"):
                with self.subTest(name, precision=precision):
                    base = self.base(name, "--precision", precision)
                    kept = self.score("--not-below", f"{base}:0")
                    self.assertEqual((kept.returncode, kept.stderr), (0, b""))

    def test_a_loss_breaks_the_limit(self):
        base = self.base(distorted=self.reference)
        before = json.loads(base.read_text())["pooled_metrics"]["vmaf"]
        broken = self.score("--not-below", f"{base}:0.5", "--junit", self.folder / "limits.xml", "--min-mean", 1)
        self.assertEqual(broken.returncode, 4)
        found = re.findall(rf"^isovmaf: the (.*) of vmaf is (\S+), more than 0\.5 below the (\S+) of {base} "
                           r"\(--not-below\)$", broken.stderr.decode(), re.MULTILINE)
        self.assertEqual([name for name, _, _ in found], ["mean", "1 % percentile", "5 % percentile"])
        for (_, now, then), key in zip(found, ("mean", "percentile_1", "percentile_5")):
            self.assertLess(float(now), float(then) - 0.5)
            self.assertAlmostEqual(float(then), before[key], places=5)
        self.assertIn(b"vmaf", broken.stdout)
        suites = self.junit()
        self.assertEqual([suites.get(key) for key in ("name", "tests", "failures", "errors")],
                         ["isovmaf score", "4", "3", "0"])
        self.assertEqual(suites[0].get("name"), str(self.distorted))
        cases = suites[0].findall("testcase")
        self.assertEqual([case.get("name") for case in cases][:2],
                         ["mean of vmaf, at least 1", f"mean of vmaf, at most 0.5 below {base}"])
        self.assertIsNone(cases[0].find("failure"))
        self.assertIn("more than 0.5 below", cases[1].find("failure").get("message"))
        largest = max(float(then) - float(now) for _, now, then in found)
        for share, code in ((0.999, 4), (1.001, 0)):
            self.assertEqual(self.score("--not-below", f"{base}:{share * largest}").returncode, code)

    def test_scores_that_are_compared(self):
        base = self.base("base.json", "--feature", "psnr", distorted=self.reference)
        for options, names in ((("--not-below", f"{base}:1", "--feature", "psnr"),
                                {"vmaf", "psnr_y", "psnr_cb", "psnr_cr"}),
                               (("--not-below", f"{base}:1"), {"vmaf"}),
                               (("--not-below", f"{base}:psnr_y=1", *self.PSNR), {"psnr_y"}),
                               (("--not-below", f"{base}:psnr_y=1000", "--not-below", f"{base}:psnr_cb=1", *self.PSNR),
                                {"psnr_cb"})):
            with self.subTest(options):
                broken = self.score(*options)
                self.assertEqual(broken.returncode, 4)
                self.assertEqual(set(re.findall(r"the .* of (\w+) is", broken.stderr.decode())), names)
        part = self.score("--feature", "psnr", "--not-below", f"{self.base('less.json')}:0")
        self.assertEqual(part.returncode, 0)
        self.assertRegex(part.stderr.decode(), r"less\.json has no psnr_y, psnr_cb, psnr_cr: not compared\n$")

    def test_scores_of_the_whole_video_are_compared(self):
        apsnr = ("--no_prediction", "--feature", "psnr:enable_apsnr=true")
        for name in ("base.json", "base.xml"):
            with self.subTest(name):
                base = self.base(name, *apsnr, distorted=self.reference)
                broken = self.score(*apsnr, "--not-below", f"{base}:apsnr_y=0.5")
                self.assertEqual(broken.returncode, 4)
                self.assertRegex(broken.stderr.decode(), rf"^isovmaf: apsnr_y is \S+, more than 0\.5 below the \S+ of {base} "
                                 r"\(--not-below\)\n$")
                kept = self.score(*apsnr, "--not-below", f"{base}:apsnr_y=1000")
                self.assertEqual((kept.returncode, kept.stderr), (0, b""))
        base = self.base("less.csv", *apsnr)
        self.assert_refused(self.score(*apsnr, "--not-below", f"{base}:apsnr_y=1"),
                            "less.csv: it has no apsnr_y, which is a score of the whole video: reports in JSON and XML")
        self.assert_refused(self.score(*self.PSNR, "--not-below", f"{base}:apsnr_y=1"), 'no score "apsnr_y"', code=2)

    def test_other_runs_are_an_error_and_no_broken_limit(self):
        neg = ("-m", "version=vmaf_v0.6.1neg")
        old = self.base("old.json", "--compat", "libvmaf-3.0")
        interrupted = self.base("interrupted.csv")
        interrupted.write_text(interrupted.read_text() + "# incomplete: the run was interrupted\n")
        for base, options, words in (
                (self.base(), neg, ("base.json", "version=vmaf_v0.6.1,", "version=vmaf_v0.6.1neg")),
                (self.base("base.csv"), neg, ("base.csv", "another model", "reads")),
                (old, (), ("old.json", "libvmaf 3.0", "--compat")),
                (self.base("base.xml"), self.PSNR, ("it has integer_adm2", "this run compares psnr_y")),
                (self.base("psnr.csv", *self.PSNR), (), ("it has psnr_y", "this run compares vmaf")),
                (interrupted, (), ("interrupted.csv", "was interrupted"))):
            with self.subTest(base.name):
                self.assert_refused(self.score("--not-below", f"{base}:50", *options), *words)

    def test_other_frames_are_an_error_beside_the_scores(self):
        path = self.folder / "scores.csv"
        for options, words in ((("--frame_cnt", 5), "it has 3 frames, and this run has 5 frames"),
                               (("--frame_cnt", 3), "it has frame 2 where this run has frame 1")):
            result = self.score("--not-below", f"{self.base('base.json', '--subsample', 2)}:50", *options, "-o", path,
                                "--junit", self.folder / "limits.xml")
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"isovmaf: error: cannot compare with {self.folder / 'base.json'}: {words}",
                          result.stderr.decode())
            self.assertIn("vmaf", path.read_text())
            self.assertEqual((self.junit().get("failures"), self.junit().get("errors")), ("0", "1"))

    def test_texts_that_cannot_be_meant(self):
        base = self.base()
        for text in (base, f"{base}:", f"{base}:half", f"{base}:-1", ":1", f"{base}:=1", f"{base}:vmaf="):
            with self.subTest(text):
                self.assert_refused(self.score("--not-below", text), "--not-below takes REPORT:LOSS", code=2)
        self.assert_refused(self.score("--not-below", f"{base}:vmaff=1"), "--not-below", "did you mean vmaf?", code=2)
        self.assert_refused(self.score("--not-below", f"{base}:integer_motion2=1"),
                            "a lower integer_motion2 is no loss", code=2)
        self.assert_refused(self.score("--not-below", "none.json:1"), "none.json", "No such file")
        self.assert_refused(self.score("--junit", self.folder / "limits.xml"), "--junit", "--not-below", code=2)
        self.assert_refused(self.score("--not-below", f"{base}:1", "-o", base, "--force"), str(base), code=2)

    def test_several_videos_have_a_report_and_a_suite_each(self):
        other = self.write("other.y4m", self.reference.read_bytes())
        self.base("dis.json")
        self.base("other.json", distorted=other)
        files = {"reference": self.reference, "distorted": self.distorted}
        command = ("-d", other, "--not-below", self.folder / "{stem}.json:0", "--junit", self.folder / "limits.xml")
        self.assertEqual(self.score(*command, **files).returncode, 0)
        self.assertEqual([(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in self.junit()],
                         [(str(self.distorted), "3", "0"), (str(other), "3", "0")])
        self.base("dis.json", distorted=self.reference)
        broken = self.score(*command, **files)
        self.assertEqual(broken.returncode, 4)
        self.assertRegex(broken.stderr.decode(), r"^isovmaf: \S*dis\.y4m: the mean of vmaf is ")
        self.assertEqual([suite.get("failures") for suite in self.junit()], ["3", "0"])


class Strict(ScoreTest):
    PSNR = ("--no_prediction", "--feature", "psnr")

    def assert_warns(self, kind, *options, **files):
        """The warning stands in the report and on the page, and is an error with --strict."""
        page = self.folder / "page.html"
        warnings = self.report(*self.PSNR, *options, "--html", page, **files)["isovmaf"]["warnings"]
        self.assertEqual([warning["kind"] for warning in warnings], [kind])
        text = html.escape(warnings[0]["text"], quote=False).replace("\"", "&quot;")
        self.assertIn(f"<b>Warning:</b> {text}", page.read_text())
        (self.folder / "report.json").unlink()
        page.unlink()
        self.assert_refused(self.score(*self.PSNR, *options, "--strict", **files))

    def test_lengths(self):
        self.assert_warns("lengths", distorted=self.write("short.y4m", y4m([picture(n) for n in range(FRAMES - 1)])))

    def test_colours(self):
        self.assert_warns("colours", distorted=self.write("top.y4m", self.distorted.read_bytes().replace(b" Ip ", b" It ", 1)))

    def test_rates(self):
        self.assert_warns("timing", "--sync", "index",
                          distorted=self.write("fast.y4m", self.distorted.read_bytes().replace(b"F25:1", b"F30:1", 1)))

    def test_streams(self):
        both = self.folder / "both.mkv"
        subprocess.run(["ffmpeg", "-v", "error", "-i", self.distorted, "-i", self.distorted, "-map", "0", "-map", "1", "-c:v",
                        "ffv1", both], check=True)
        self.assert_warns("streams", distorted=both)
        chosen = self.report(*self.PSNR, "--strict", "--dis-stream", "v:1", distorted=both)
        self.assertEqual(chosen["isovmaf"]["warnings"], [])

    def test_alignment(self):
        self.assert_warns("alignment", reference=self.write("a.y4m", moving_bars(0)), distorted=self.write("b.y4m", moving_bars(2)))


if __name__ == "__main__":
    ScoreTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
