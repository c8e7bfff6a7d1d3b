#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Tables of `isovmaf score`: --per and --table.

    score_tables_test.py ISOVMAF
"""

import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import unittest

from score_runs import HEIGHT, WIDTH, ScoreTest, y4m

CUTS = (0, 7, 30)  # frames at which another picture begins
FRAMES = 40


def frames(noise):
    """Pictures that move slowly, and change wholly at each cut."""
    shots = [sum(n >= cut for cut in CUTS) for n in range(FRAMES)]
    return y4m([bytes((97 * shot + (3 + shot) * (x // 8 + y // 8) * 11) % 150 + n + noise * (x * y % 7) for y in range(HEIGHT)
                      for x in range(WIDTH)) + bytes([128]) * (2 * 49 * 33) for n, shot in enumerate(shots)])


class Tables(ScoreTest):
    def setUp(self):
        super().setUp()
        self.reference = self.write("ref.y4m", frames(0))
        self.distorted = self.write("dis.y4m", frames(2))

    def rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as table:
            return list(csv.DictReader(table))

    def run_score(self, *options, **files):
        result = self.score(*options, **files)
        self.assertEqual((result.returncode, result.stderr), (0, b""), result.stderr)
        return result.stdout.decode()

    def test_shots_and_seconds(self):
        means = {}
        for per, starts in (("shot", CUTS), ("second", (0, 25))):
            with self.subTest(per):
                name = self.folder / f"{per}.csv"
                text = self.run_score("--per", per, "--table", name, "-o", self.folder / "r.json", "--precision", "max", "--force")
                report = json.loads((self.folder / "r.json").read_text())["frames"]
                rows = [row for row in self.rows(name) if row["score"] == "vmaf"]
                ends = (*starts[1:], FRAMES)
                self.assertEqual([(int(row["first_frame"]), int(row["last_frame"]), int(row["frames"]), row["time"]) for row in rows],
                                 [(start, end - 1, end - start, f"{start / 25:.3f}") for start, end in zip(starts, ends)])
                for row, start, end in zip(rows, starts, ends):
                    scores = [frame["metrics"]["vmaf"] for frame in report[start:end]]
                    self.assertAlmostEqual(float(row["mean"]), statistics.fmean(scores), 9)
                    self.assertEqual((float(row["min"]), float(row["max"])), (min(scores), max(scores)))
                listed = [line.split() for line in text[text.index(f"per {per} "):].splitlines()[1:]]
                self.assertEqual([(line[1], line[4]) for line in listed],
                                 [(str(start), f"{float(row['mean']):.4f}") for start, row in zip(starts, rows)])
                means[per] = [row["mean"] for row in rows]
                self.run_score("--per", per, "--table", self.folder / "t.json", "--precision", "max", "--force", "-q")
                table = json.loads((self.folder / "t.json").read_text())
                self.assertEqual(table["per"], per)
                self.assertEqual([str(span["scores"]["vmaf"]["mean"]) for span in table["videos"][0]["spans"]], means[per])
        self.run_score("--table", self.folder / "shot.csv")  # a table that may be replaced
        self.assertEqual([row["frames"] for row in self.rows("shot.csv") if row["score"] == "vmaf"], [str(FRAMES)])

    def test_what_cannot_be_cut_is_refused(self):
        self.assert_refused(self.score("--per", "shot", "-n", "--feature", "psnr"), "add --feature motion", code=2)
        self.assert_refused(self.score("--per", "shot", "--subsample", "2"), "leave out --subsample", code=2)
        self.assert_refused(self.score("--per", "second", "-q"), "add --table FILE", code=2)
        self.assert_refused(self.score("--table", "t.txt"), "name it NAME.csv or NAME.json", code=2)
        self.assert_refused(self.score("--table", self.distorted.rename(self.folder / "dis.csv"), "--force",
                                       distorted=self.folder / "dis.csv"), "same file as the input", code=2)
        raw = self.write("raw.yuv", b"\x80" * (WIDTH * HEIGHT + 2 * 49 * 33))
        self.assert_refused(self.score("--per", "second", "-w", WIDTH, "-h", HEIGHT, "-p", "420", "-b", "8", reference=raw,
                                       distorted=raw), "give --per shot", code=2)

    def test_videos_have_their_sizes_and_bit_rates(self):
        if shutil.which("ffmpeg") is None:
            self.skipTest("there is no ffmpeg")
        coded = self.folder / "dis.mkv"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", self.distorted, "-f", "lavfi", "-i", "anoisesrc=d=1.6", "-c:a", "flac",
                        "-c:v", "mpeg4", "-shortest", coded], stdin=subprocess.DEVNULL, check=True)
        packets = subprocess.run(["ffprobe", "-loglevel", "error", "-select_streams", "v:0", "-show_entries", "packet=size", "-of",
                                  "csv=p=0", coded], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
        result = subprocess.run([self.ISOVMAF, "score", self.reference, self.distorted, coded, "--table", "t.csv", "-q"],
                                cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        plain, mkv = [row for row in self.rows("t.csv") if row["score"] == "vmaf"]
        self.assertEqual([row["video"] for row in (plain, mkv)], [str(self.distorted), str(coded)])
        self.assertEqual([int(row["bytes"]) for row in (plain, mkv)], [self.distorted.stat().st_size, coded.stat().st_size])
        self.assertEqual((plain["bit_rate"], mkv["codec"], mkv["width"], mkv["height"]), ("", "mpeg4", str(WIDTH), str(HEIGHT)))
        sizes = sum(int(line.strip(",")) for line in packets.split())
        self.assertEqual(int(mkv["bit_rate"]), int(sizes * 8 * 25 / FRAMES + 0.5))


if __name__ == "__main__":
    ScoreTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
