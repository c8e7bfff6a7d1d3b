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

from score_runs import FRAMES, ScoreTest, moving_bars, picture, y4m

STATISTICS = {"--min": "min", "--min-mean": "mean", "--min-harmonic-mean": "harmonic_mean", "--min-p1": "percentile_1",
              "--min-p5": "percentile_5", "--min-p10": "percentile_10", "--min-p25": "percentile_25",
              "--min-p50": "percentile_50"}


class Limits(ScoreTest):
    PSNR = ("--no_prediction", "--feature", "psnr")

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

    def test_limits_that_cannot_be_meant(self):
        for options, words in (((*self.PSNR, "--min", "abc"), ("--min takes a number", "SCORE=NUMBER", '"abc"')),
                               ((*self.PSNR, "--min", "=3"), ("--min takes a number",)),
                               ((*self.PSNR, "--min-mean", "vmaf=3"), ("no score \"vmaf\"", "psnr_y")),
                               ((*self.PSNR, "--min", "psnr_t=3"), ('"psnr_t" (did you mean psnr_y?)',)),
                               (("--min", "psnr_y=3"), ('"psnr_y" (--feature psnr adds that feature\'s scores)',))):
            self.assert_refused(self.score(*options), *words, code=2)

    def test_features_that_were_meant_are_named(self):
        self.assert_refused(self.score("--feature", "ssim"), 'no feature "ssim" (did you mean float_ssim?)')


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
