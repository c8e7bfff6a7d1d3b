#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Compares reports of `vmaf` and of our C library with those of libvmaf 3.2.0 on command lines that are no part of the
recordings: the client of the C interface does with libvmaf's library what libvmaf's program does.

    vmaf_original_test.py CAPI_TESTS CLIENT LIBRARY VMAF

libvmaf's library is that of PyPI's wheel of av. Without it nothing is compared with it, and the other tests run.
"""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv.pop(1))
import stock_ffmpeg

CLIENT, LIBRARY, VMAF = map(os.path.abspath, sys.argv[1:4])
WIDTH, HEIGHT, FRAMES = 160, 90, 4
PLAIN_C = ("--cpumask", "4294967295")
MODEL, NEG, BAGGING = (f"version=vmaf_{name}" for name in ("v0.6.1", "v0.6.1neg", "b_v0.6.3"))
LINES = (
    # columns of a model that carries options of features
    f"-m {MODEL}:motion.motion_force_zero=true --csv",
    f"-m {MODEL}:motion.motion_force_zero=true --feature motion --feature psnr --xml",
    f"-m {MODEL}:name=a:adm.adm_norm_view_dist=3.5 -m {NEG}:name=b:vif.vif_enhn_gain_limit=1.5 --json",
    f"-m {MODEL}:name=a:vif.vif_enhn_gain_limit=1.5 -m {MODEL}:name=b --feature vif --csv --subsample 2",
    f"-m {MODEL}:motion.motion_force_zero=true --feature psnr --csv --threads 1",
    # collections beside models
    f"-m {BAGGING}:name=b -m {MODEL}:name=a --csv",
    f"-m {MODEL}:name=a -m {BAGGING}:name=b -m {NEG}:name=c --xml",
    f"-m {BAGGING}:name=b -m {BAGGING}:name=c:adm.adm_norm_view_dist=3.5 --json",
    # one feature with several sets of options
    f"-m {MODEL} --feature vif=debug=true --feature adm --csv",
    "-n --feature psnr --feature psnr=enable_mse=true --csv",
    "-n --feature psnr=enable_chroma=false --feature psnr=enable_mse=true:enable_apsnr=true --json",
    "-n --feature psnr=min_sse=0.5 --feature psnr=min_sse=2 --csv",
    "-n --feature vif=debug=true --feature vif --feature vif=vif_enhn_gain_limit=2 --csv",
    "-n --feature motion=motion_force_zero=true --feature motion=debug=true --feature psnr --xml",
    f"-m {MODEL}:name=a:adm.debug=true -m {NEG}:name=b:vif.debug=true -m {MODEL}:name=c:motion.debug=true --json",
    # features beside those of models
    "-n --feature ciede --feature psnr_hvs --feature float_ssim=enable_lcs=true:scale=1 --csv",
    "-n --feature float_ssim=enable_db=true --feature float_ssim=enable_lcs=true --feature ciede --xml --subsample 2",
    # numbers
    "-n --feature vif=vif_enhn_gain_limit=0x2 --csv",
    "-n --feature adm=adm_ref_display_height=0x870 --csv",
    "-n --feature vif=vif_enhn_gain_limit=0x1p1 --feature vif=vif_enhn_gain_limit=2e0 --csv",
    f"-m {MODEL}:vif.vif_enhn_gain_limit=0x2 --csv",
)
# Aliases of options, which libvmaf ignores: so does the library, with a warning, but not `vmaf`.
ALIASES = ("-n --feature vif=egl=1.5 --csv", "-n --feature motion=force_0=true --json", f"-m {MODEL}:adm.nvd=3.5 --csv")
# Numbers of `vmaf` itself, which libvmaf's program reads as strtoul with base 0, and the same in decimal.
NUMBERS = (("--frame_cnt 0x3", "--frame_cnt 3"), ("--frame_cnt 03", "--frame_cnt 3"), ("--frame_cnt -1", ""),
           ("--subsample 0x2", "--subsample 2"), ("--frame_skip_ref +1 --frame_skip_dist 0x1",
                                                  "--frame_skip_ref 1 --frame_skip_dist 1"),
           ("--threads 0X2", "--threads 2"))


def comparable(report):
    return re.sub(r'(fps|version)(="[^"]*"|": [^,]*)', r"\1", report)


class Original(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for seed, name in enumerate(("ref.y4m", "dis.y4m")):
            frames = (b"FRAME\n" + random.Random(seed + n).randbytes(WIDTH * HEIGHT * 3 // 2) for n in range(FRAMES))
            (cls.folder / name).write_bytes(b"YUV4MPEG2 W%d H%d F25:1 C420jpeg\n" % (WIDTH, HEIGHT) + b"".join(frames))

    def report(self, *command):
        report = self.folder / "report"
        report.unlink(missing_ok=True)
        result = subprocess.run([*command, "-r", "ref.y4m", "-d", "dis.y4m", "-o", report], cwd=self.folder, text=True,
                                stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                env={**os.environ, "ISOVMAF_BACKEND": "cpu"})
        self.assertEqual((result.returncode, result.stderr), (0, ""), command)
        return comparable(report.read_text())

    def test_command_lines_give_its_reports(self):
        original = stock_ffmpeg.libvmaf_of(stock_ffmpeg.wheel()) if stock_ffmpeg.wheel() else None
        if not original:
            self.skipTest(stock_ffmpeg.why_not())
        for line in LINES:
            with self.subTest(line):
                theirs = self.report(CLIENT, original, "score", *line.split(), *PLAIN_C)
                self.assertEqual(self.report(CLIENT, LIBRARY, "score", *line.split()), theirs)
                self.assertEqual(self.report(VMAF, *line.split(), "--gpumask", "1"), theirs)
        for line in ALIASES:
            with self.subTest(line):
                theirs = self.report(CLIENT, original, "score", *line.split(), *PLAIN_C)
                self.assertEqual(self.report(CLIENT, LIBRARY, "score", *line.split()), theirs)

    def test_numbers_are_read_as_by_strtoul(self):
        for text, decimal in NUMBERS:
            with self.subTest(text):
                read = [self.report(VMAF, "-n", "--feature", "psnr", "--csv", "--gpumask", "1", *options.split())
                        for options in (text, decimal)]
                self.assertEqual(*read)

    def test_a_model_without_prediction_leaves_its_features(self):
        without, with_it = (self.report(VMAF, "-m", f"{NEG}:vif.debug=true", "--feature", "psnr", "--csv", "--gpumask", "1",
                                        *options).splitlines() for options in (["-n"], []))
        self.assertEqual([line + line_of_model[len(line):] for line, line_of_model in zip(without, with_it)], with_it)
        self.assertEqual(with_it[0], without[0] + "vmaf,")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
