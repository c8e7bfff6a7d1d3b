#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Bit rates that `isovmaf batch` measures.

    batch_rates_test.py ISOVMAF
"""

import os
import shutil
import subprocess
import sys
import unittest

from batch_runs import BatchRuns
from score_runs import moving_bars


@unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "there is no ffmpeg to make videos with")
class Rates(BatchRuns):
    OPTIONS = ("--feature", "psnr", "-n")

    def setUp(self):
        super().setUp()
        (self.folder / "ref.y4m").write_bytes(moving_bars(0))
        self.encodes = [f"q{quality}.mkv" for quality in (2, 9, 20, 31)]
        for name in self.encodes:
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", self.folder / "ref.y4m", "-f", "lavfi", "-i", "anoisesrc=d=0.64",
                            "-c:a", "flac", "-c:v", "mpeg4", "-q:v", name[1:-4], self.folder / name], check=True)
        self.manifest = self.write("m.csv", "".join(["reference,distorted\n", "ref.y4m,ref.y4m\n",
                                                     *(f"ref.y4m,{name}\n" for name in self.encodes)]))

    def rates(self, run):
        return [row["bit_rate"] for row in self.rows(run)]

    def test_the_video_stream_alone_counts_however_the_work_is_done(self):
        run = self.run_folder("whole", *self.OPTIONS)
        expected = [""]
        for name in self.encodes:
            sizes = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=size", "-of", "csv=p=0",
                                    self.folder / name], capture_output=True, text=True, check=True).stdout
            expected.append(str(int(sum(int(size.strip(",")) for size in sizes.split()) * 8 * 25 / 16 + 0.5)))
        self.assertEqual([rate.removesuffix(".0") for rate in self.rates(run)], expected)
        self.assertIn("Quality over bit rate", (run / "report.html").read_text())
        for options in (("--segment-frames", 5), ("--workers", 3, "--group", 1)):
            self.assertEqual(self.results(self.run_folder("other" + options[0], *self.OPTIONS, *options)), self.results(run), options)
        again = self.folder / "again"
        subprocess.run([self.ISOVMAF, "rescore", run, "--out", again, *self.OPTIONS], check=True, capture_output=True)
        self.assertEqual(self.rates(again), self.rates(run))

    def test_a_column_of_the_manifest_counts_alone(self):
        rows = ["reference,distorted,bit_rate\n", *(f"ref.y4m,{name},{7 if name == 'q9.mkv' else ''}\n" for name in self.encodes)]
        self.manifest.write_text("".join(rows))
        run = self.run_folder("stated", *self.OPTIONS)
        self.assertEqual([rate.removesuffix(".0") for rate in self.rates(run)], ["", "7", "", ""])


if __name__ == "__main__":
    BatchRuns.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
