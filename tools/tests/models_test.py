#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Scores with the version v1, which stands for a model of VMAF v1 by the rows of the pictures, and with the models that it
stands for.

    models_test.py ISOVMAF VMAF
"""

import os
import csv
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

ISOVMAF, VMAF = map(os.path.abspath, sys.argv[1:3])
HD, UHD = "vmaf_v1.0.16_3d0h", "vmaf_v1.0.16_3d0h_2160"
WIDTH = 320
ROWS = {"hd": 320, "last_of_hd": 1440, "uhd": 1442}  # 4:2:0 has even rows


def video(rows, seed):
    """One frame of blocks of 8x8 equal samples, in Y4M."""
    numbers = random.Random(seed)
    planes = []
    for width, height in ((WIDTH, rows), (WIDTH // 2, rows // 2), (WIDTH // 2, rows // 2)):
        for _ in range(0, height, 8):
            row = b"".join(bytes([numbers.randrange(16, 236)]) * 8 for _ in range(0, width, 8))
            planes += [row] * 8
        del planes[len(planes) - (-height % 8):]
    return b"YUV4MPEG2 W%d H%d F25:1 C420jpeg\nFRAME\n" % (WIDTH, rows) + b"".join(planes)


class VersionOne(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for name, rows in ROWS.items():
            for seed, side in enumerate(("ref", "dis")):
                (cls.folder / f"{name}_{side}.y4m").write_bytes(video(rows, seed))

    def run_program(self, *arguments, code=0):
        result = subprocess.run(list(map(str, arguments)), cwd=self.folder, text=True, capture_output=True, check=False,
                                stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def score(self, name, *options):
        run = self.run_program(ISOVMAF, "score", f"{name}_ref.y4m", f"{name}_dis.y4m", "--backend", "cpu", "--json",
                               *options)
        return json.loads(run.stdout)

    def test_a_report_names_the_model_for_the_rows(self):
        for name, version in (("hd", HD), ("last_of_hd", HD), ("uhd", UHD)):
            with self.subTest(name):
                chosen = self.score(name, "-m", "v1")
                self.assertEqual(chosen["isovmaf"]["models"], {"vmaf": f"version={version}"})
                self.assertEqual(chosen["isovmaf"]["options"]["model"], "v1")
                self.assertEqual(chosen["frames"], self.score(name, "-m", version)["frames"])

    def test_rows_are_counted_after_cropping(self):
        chosen = self.score("uhd", "-m", "version=v1:name=one", "--crop", f"{WIDTH}x1440+0+2")
        self.assertEqual(chosen["isovmaf"]["models"], {"one": f"version={HD}"})

    def test_rows_of_a_batch_name_theirs(self):
        (self.folder / "pairs.csv").write_text("reference,distorted\n" + "".join(
            f"{name}_ref.y4m,{name}_dis.y4m\n" for name in ("hd", "uhd")))
        self.run_program(ISOVMAF, "batch", "pairs.csv", "--run", "run", "-m", "v1", "--backend", "cpu")
        with (self.folder / "run" / "results.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["models"] for row in rows], [f"vmaf={HD}", f"vmaf={UHD}"])
        self.assertEqual([float(row["vmaf_mean"]) for row in rows],
                         [self.score(name, "-m", "v1")["pooled_metrics"]["vmaf"]["mean"] for name in ("hd", "uhd")])
        self.run_program(ISOVMAF, "rescore", "run", "-m", f"version={UHD}", "--out", "other", code=65)  # was not extracted

    def test_two_models_have_names_of_their_own(self):
        both = ("-m", "vmaf_v0.6.1", "-m", "v1")
        self.assertEqual(self.score("hd", *both)["isovmaf"]["models"],
                         {"vmaf_v0.6.1": "version=vmaf_v0.6.1", "vmaf_v1": f"version={HD}"})
        (self.folder / "two.csv").write_text("reference,distorted\nhd_ref.y4m,hd_dis.y4m\n")
        self.run_program(ISOVMAF, "batch", "two.csv", "--run", "two", *both, "--backend", "cpu")
        with (self.folder / "two" / "results.csv").open(newline="") as file:
            row, = csv.DictReader(file)
        self.assertEqual(row["models"], f"vmaf_v0.6.1=vmaf_v0.6.1 vmaf_v1={HD}")
        self.run_program(VMAF, "-r", "hd_ref.y4m", "-d", "hd_dis.y4m", "-m", "version=vmaf_v0.6.1", "-m",
                         "version=vmaf_v0.6.1neg", code=1)

    def test_a_table_names_the_model_and_has_short_names_of_features(self):
        table = self.run_program(ISOVMAF, "score", "hd_ref.y4m", "hd_dis.y4m", "--backend", "cpu", "-m", "v1").stdout
        self.assertRegex(table, rf"^vmaf \d+\.\d+ \(model {HD}\)\n\n")
        names = re.findall(r"^([a-z]\w*) +-?\d", table, re.M)
        self.assertEqual(names[:2] + names[3:6], ["vmaf", "vmaf", "speed_chroma_u", "speed_chroma_v", "speed_chroma_uv"])
        self.assertLessEqual({"cambi", "adm2", "adm3", "motion3"}, set(names))
        number = self.run_program(ISOVMAF, "score", "hd_ref.y4m", "hd_dis.y4m", "--backend", "cpu", "-m", "v1", "-q").stdout
        self.assertRegex(number, r"^\d+\.\d+\n$")
        videos = self.run_program(ISOVMAF, "score", "hd_ref.y4m", "hd_dis.y4m", "hd_ref.y4m", "--backend", "cpu").stdout
        self.assertTrue(videos.endswith("\n\nvmaf: model vmaf_v0.6.1\n"), videos)

    def test_diff_takes_it(self):
        run = self.run_program(ISOVMAF, "diff", "--backends", "cpu-ref,cpu", "-r", "hd_ref.y4m", "-d", "hd_dis.y4m", "-m",
                               "v1", "--json", "-")
        self.assertIn("speed_chroma", {tally["subject"] for tally in json.loads(run.stdout)["tallies"]})

    def test_libvmafs_program_does_not_know_it(self):
        run = self.run_program(VMAF, "-r", "hd_ref.y4m", "-d", "hd_dis.y4m", "-m", "version=v1", code=255)
        self.assertIn('there is no model "v1"', run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
