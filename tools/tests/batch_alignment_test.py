#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""`isovmaf batch` warns of videos that do not fit as `isovmaf score` does, with the same bytes however it is run.

    batch_alignment_test.py ISOVMAF
"""

import functools
import json
import os
import random
import shutil
import subprocess
import sys
import unittest

from batch_runs import BatchRuns
from score_runs import picture, y4m

WIDTH, HEIGHT = 96, 54


@functools.cache
def scene(number, film=0):
    """A picture of 8 x 6 grey squares that no other number has."""
    greys = random.Random(1000 * film + number)
    squares = [[greys.randrange(16, 236) for _ in range(8)] for _ in range(6)]
    luma = bytes(squares[y // 9][x // 12] for y in range(HEIGHT) for x in range(WIDTH))
    return luma + bytes([128]) * (2 * (WIDTH // 2) * (HEIGHT // 2))


@functools.cache
def bars(number):
    """A picture of bars that move by nine samples with each number."""
    luma = bytes(int(x + 2 * y + 9 * number) // 16 % 5 * 40 + int(number) % 3 for y in range(HEIGHT) for x in range(WIDTH))
    return luma + bytes([128]) * (2 * (WIDTH // 2) * (HEIGHT // 2))


class Alignment(BatchRuns):
    def clip(self, name, pictures, rate="25:1"):
        (self.folder / name).write_bytes(y4m(pictures, WIDTH, HEIGHT).replace(b"F25:1", b"F" + rate.encode(), 1))
        return name

    def manifest_of(self, rows):
        """Of pairs, each with options."""
        self.manifest = self.write("m.jsonl", "".join(
            json.dumps({"reference": reference, "distorted": distorted, **options}) + "\n"
            for reference, distorted, options in rows))

    def score(self, reference, distorted, *options):
        """The warnings and the hint of the report of `isovmaf score`."""
        report = self.folder / "score.json"
        subprocess.run([self.ISOVMAF, "score", self.folder / reference, self.folder / distorted, "--backend", "cpu", "-q",
                        "--json", "--force", "-o", report, *map(str, options)], check=True, stdin=subprocess.DEVNULL,
                       capture_output=True, cwd=self.folder)
        report = json.loads(report.read_text())["isovmaf"]
        for warning in report["warnings"]:
            warning["text"] = warning["text"].replace(f"{self.folder}/", "")
        return report["warnings"], report["sync"]["hint"]

    def shifted(self):
        """A reference and videos that are late, early, cut, and other films, with the kinds of the warnings of each."""
        self.clip("ref.y4m", [bars(n) for n in range(40)])
        self.clip("film.y4m", [scene(n) for n in range(60)])
        clips = (("good", "ref", [bars(n) for n in range(40)], []),
                 ("early", "ref", [bars(n + 2) for n in range(40)], ["alignment"]),
                 ("late", "ref", [bars(n - 1) for n in range(40)], ["alignment"]),
                 ("dropped", "ref", [bars(n) for n in (*range(20), *range(21, 41))], ["alignment"]),
                 ("seconds", "film", [scene(n + 19) for n in range(60)], ["alignment"]),
                 ("other", "film", [scene(n, film=1) for n in range(60)], ["alignment"]))
        self.manifest_of([(f"{reference}.y4m", self.clip(f"{name}.y4m", pictures), {"feature": ["psnr"], "no_prediction": True})
                          for name, reference, pictures, _ in clips])
        return [kinds for *_, kinds in clips]

    def test_rows_have_the_hints_of_score(self):
        kinds = self.shifted()
        run = self.run_folder("run")
        lines = self.lines(run)
        self.assertEqual([[warning["kind"] for warning in line["warnings"]] for line in lines], kinds)
        for line in lines:
            warnings, _ = self.score(line["reference"], line["distorted"], "--feature", "psnr", "-n")
            self.assertEqual(line["warnings"], warnings)
        texts = [line["warnings"][0]["text"] for line in lines[1:]]
        for text, words in zip(texts, ("2 frames early", "1 frame late", "from reference frame 20 on it seems 1 frame early",
                                       "19 frames early", "do not look alike"), strict=True):
            self.assertIn(words, text)
        page = (run / "report.html").read_text()
        self.assertIn("6 pairs scored, 5 with warnings", page)
        self.assertIn("&#9888; distorted seems 2 frames early", page)

    def test_results_are_the_same_however_a_batch_is_run(self):
        self.shifted()
        run = self.run_folder("run")
        expected = self.results(run)
        for options in (("--segment-frames", 1), ("--segment-frames", 7), ("--segment-frames", 11, "--workers", 2),
                        ("--segment-frames", 13, "--threads", 1), ("--group", 1), ("--workers", 3, "--threads", 3)):
            other = self.run_folder("".join(map(str, options)), *options)
            self.assertEqual(self.results(other), expected, options)
        parts = [self.run_folder(f"part{i}", "--shard", f"{i}/2", "--segment-frames", 9) for i in range(2)]
        self.batch("merge", *parts, "--out", self.folder / "merged")
        self.assertEqual(self.results(self.folder / "merged"), expected)

    def test_segments_of_a_store_that_was_cut_are_computed_again(self):
        self.shifted()
        expected = self.results(self.run_folder("run"))
        run = self.run_folder("cut", "--segment-frames", 7)
        words, = (run / "stores").glob("*.words")
        with words.open("r+b") as file:
            file.truncate(words.stat().st_size // 2)
        count = len(self.records(run))
        self.assertEqual(self.results(self.run_folder("cut", "--segment-frames", 7)), expected)
        self.assertGreater(len(self.records(run)), count)

    def test_damaged_pictures_are_named(self):
        self.shifted()
        run = self.run_folder("run", "--segment-frames", 7)
        record = next(record for record in self.records(run) if "pictures" in record)
        words, = (run / "stores").glob("*.words")
        with words.open("r+b") as file:
            file.seek(record["pictures"]["offset"] + 50)
            file.write(b"damage")
        self.run_folder("run", "--segment-frames", 7, expect=65)
        row, = self.rows(run, "failures.csv")
        self.assertIn(f"remove {words.stem}.jsonl", row["message"])

    def test_videos_that_are_paired_by_time(self):
        self.clip("ref.y4m", [bars(n) for n in range(30)])
        self.clip("fast.y4m", [bars(max(n - 3, 0) / 2) for n in range(60)], rate="50:1")
        self.manifest_of([("ref.y4m", "fast.y4m", {"feature": ["psnr"], "no_prediction": True})])
        expected, hint = self.score("ref.y4m", "fast.y4m", "--feature", "psnr", "-n")
        self.assertIn("3 frames of the distorted video late", hint)
        for options in ((), ("--segment-frames", 7)):
            line, = self.lines(self.run_folder("".join(map(str, options)) or "run", *options))
            self.assertEqual(line["warnings"], expected)
            self.assertEqual([warning["kind"] for warning in expected], ["timing", "alignment"])

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg")
    def test_start_times_that_differ_count_where_pictures_disagree(self):
        for name, first in (("ref.mkv", 0), ("good.ts", 0), ("early.ts", 2)): # transport streams begin at 1.4 s
            raw = self.clip("raw.y4m", [bars(n + first) for n in range(24)])
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", self.folder / raw, "-c:v", "mpeg2video", "-q:v", "2",
                            "-g", "6", self.folder / name], check=True)
        self.manifest_of([("ref.mkv", name, {"sync": "index"}) for name in ("good.ts", "early.ts")])
        run, cut = self.run_folder("run"), self.run_folder("cut", "--segment-frames", 7)
        self.assertEqual(self.results(cut), self.results(run))
        good, early = self.lines(run)
        self.assertEqual(good["warnings"], [])
        self.assertEqual([warning["kind"] for warning in early["warnings"]], ["timing", "alignment"])
        self.assertIn("early.ts at 1.4", early["warnings"][0]["text"])

    def test_a_row_that_takes_warnings_for_errors_fails(self):
        self.shifted()
        self.manifest_of([("ref.y4m", name, {"strict": True}) for name in ("good.y4m", "early.y4m", "late.y4m")])
        for group in (1, 8):
            run = self.run_folder(f"run{group}", "--group", group, expect=65)
            self.assertEqual([row["distorted"] for row in self.rows(run)], ["good.y4m"])
            failures = self.rows(run, "failures.csv")
            self.assertEqual([(row["distorted"], row["kind"]) for row in failures],
                             [("early.y4m", "permanent"), ("late.y4m", "permanent")])
            self.assertIn("distorted seems 2 frames early", failures[0]["message"])

    def test_options_that_hints_add_to(self):
        self.shifted()
        options = {"offset": 1, "frame_skip_ref": 2, "frame_skip_dis": 2, "feature": ["psnr"], "no_prediction": True}
        self.manifest_of([("ref.y4m", "early.y4m", options)])
        run, cut = self.run_folder("run"), self.run_folder("cut", "--segment-frames", 7)
        self.assertEqual(self.results(cut), self.results(run))
        line, = self.lines(run)
        self.assertEqual(line["warnings"][-1], self.score("ref.y4m", "early.y4m", "--offset", 1, "--frame_skip_ref", 2,
                                                          "--frame_skip_dis", 2, "--feature", "psnr", "-n")[0][-1])
        self.assertIn("try --offset -2", line["warnings"][-1]["text"])


class Models(BatchRuns):
    def check(self, rows, *options):
        """The sentences of each row, which are those of `isovmaf score`, cut or not."""
        self.manifest = self.write("m.csv", "reference,distorted,model\n" + "".join(f"{a},{a},{model}\n" for a, model in rows))
        run, cut = self.run_folder("run", *options), self.run_folder("cut", "--segment-frames", 1, *options)
        self.assertEqual(self.results(cut), self.results(run))
        for line, (clip, model) in zip(self.lines(run), rows, strict=True):
            report = self.folder / "score.json"
            subprocess.run([self.ISOVMAF, "score", self.folder / clip, self.folder / clip, "-m", model, "-q", "--json", "--force",
                            "-o", report, "--backend", "cpu"], check=True, stdin=subprocess.DEVNULL, capture_output=True)
            self.assertEqual(line["warnings"], json.loads(report.read_text())["isovmaf"]["warnings"])
            self.assertEqual({warning["kind"] for warning in line["warnings"]} - {"model"}, set())
        return [" ".join(warning["text"] for warning in line["warnings"]) for line in self.lines(run)]

    def write_clip(self, name, width, height, rate):
        (self.folder / name).write_bytes(y4m([picture(n, width, height) for n in range(2)], width, height)
                                         .replace(b"F25:1", b"F" + rate, 1))

    def test_for_other_sizes(self):
        self.write_clip("large.y4m", 64, 2160, b"25:1")
        other, fitting = self.check([("large.y4m", "version=vmaf_v0.6.1"), ("large.y4m", "version=vmaf_4k_v0.6.1")])
        self.assertIn("2160 rows, and vmaf_v0.6.1 was trained for 1080 rows", other)
        self.assertEqual(fitting, "")
        subprocess.run([self.ISOVMAF, "rescore", self.folder / "run", "-m", "version=vmaf_4k_v0.6.1", "--out",
                        self.folder / "again"], check=True, stdout=subprocess.DEVNULL)
        self.assertEqual([line["warnings"] for line in self.lines(self.folder / "again")], [[], []])

    def test_for_other_rates(self):
        for name, rate in (("fast.y4m", b"60000:1001"), ("slow.y4m", b"25:1")):
            self.write_clip(name, 320, 216, rate)
        usual, high = "version=vmaf_v1.0.16_3d0h", "version=vmaf_v1.0.16_hfr_3d0h"
        texts = self.check([("fast.y4m", usual), ("fast.y4m", high), ("slow.y4m", usual), ("slow.y4m", high), ("fast.y4m", "v1")])
        self.assertEqual(texts[1:3], ["", ""])
        self.assertEqual(texts[0], "the videos have 59.94 frames per second, and vmaf_v1.0.16_3d0h is for about 25: score with "
                         f"-m {high}")
        self.assertEqual(texts[3], "the videos have 25 frames per second, and vmaf_v1.0.16_hfr_3d0h is for about 50 or 60: score "
                         f"with -m {usual}")
        self.assertEqual(texts[4], texts[0])


if __name__ == "__main__":
    BatchRuns.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
