#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""--fit and --offset auto do what the options that they name do by hand, however the videos are read.

    fit_test.py ISOVMAF [TEST]...
"""

import atexit
import functools
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from batch_pairs import FFMPEG, ffmpeg
from batch_runs import BatchRuns, HeldFile
from score_runs import ScoreTest

FEATURES = ("--feature", "psnr", "-m", "version=vmaf_v0.6.1", "--backend", "cpu")
CHROMA, SIZE = "--convert ref:420p8", "--resize dis:bicubic+exact"
# Each encode, and what it needs beside master.mkv: 192x108, 4:2:2, limited range.
LADDER = {"same.mkv": [CHROMA], "half.mkv": [CHROMA, SIZE], "third.mkv": [CHROMA, SIZE],
          "full.mkv": [CHROMA, "--convert dis:range", SIZE], "bars.mkv": [CHROMA, "--crop dis:192x108+0+18"],
          "small-bars.mkv": [CHROMA, "--crop dis:96x54+0+10", SIZE]}


@functools.cache
def clips():
    """A folder with clips of 25 frames: pictures that move, and encodes of them with errors of their own."""
    folder = pathlib.Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    def output(name, filters, color_range="tv"):
        return ("-vf", f"{filters},noise=alls=6,format=yuv420p", "-color_range", color_range, "-c:v", "ffv1", "-g", "5",
                "-strict", "-1", folder / name)
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=1", "-vf", "format=yuv422p", "-color_range", "tv",
           "-c:v", "ffv1", "-g", "5", folder / "master.mkv")
    ffmpeg("-i", folder / "master.mkv", *output("same.mkv", "null"), *output("half.mkv", "scale=96:54"),
           *output("third.mkv", "scale=64:36"), *output("full.mkv", "scale=96:54:in_range=tv:out_range=pc", "pc"),
           *output("bars.mkv", "noise=alls=6,pad=192:144:0:18"),
           *output("small-bars.mkv", "scale=96:54,pad=96:72:0:10"),
           *output("late.mkv", "tpad=start=2:start_mode=clone"),
           *output("drop.mkv", "select=not(between(n\\,10\\,11)),setpts=N/25/TB"),
           *output("wide.mkv", "crop=192:80"), *output("dark.mkv", "lutyuv=y=16:u=128:v=128,pad=192:144:0:18"))
    return folder


@unittest.skipUnless(FFMPEG, "there is no ffmpeg to make videos with")
class FitTest(ScoreTest):
    def setUp(self):
        self.clips = clips()
        super().setUp()
        self.reference = self.clips / "master.mkv"

    def scored(self, distorted, *options, reference="master.mkv"):
        """The report, and what was said on standard error without the folder's name."""
        path = self.folder / "report.json"
        result = self.score(*FEATURES, "-q", "--json", "-o", path, "--force", *options,
                            reference=self.clips / reference, distorted=self.clips / distorted)
        self.said = result.stderr.decode().replace(f"{self.clips}/", "")
        self.assertEqual(result.returncode, 0, self.said)
        return json.loads(path.read_text())

    def steps(self, report, option="--fit"):
        """The options that a report says were chosen; each step was said in the terminal, too."""
        notes = [note.replace(f"{self.clips}/", "") for note in report["isovmaf"]["notes"] if note.startswith(option)]
        for note in notes:
            self.assertIn(f"isovmaf: {note}\n", self.said)
        return ["--" + note.rpartition(": --")[2] for note in notes if ": --" in note]

    def assert_same_scores(self, a, b):
        for key in ("frames", "pooled_metrics"):
            self.assertEqual(a[key], b[key])
        for key in ("reference", "distorted", "resize", "sync"):
            self.assertEqual(a["isovmaf"].get(key), b["isovmaf"].get(key))


class Fit(FitTest):
    def test_a_ladder_is_scored_as_by_hand(self):
        for distorted, options in LADDER.items():
            with self.subTest(distorted=distorted):
                fitted = self.scored(distorted, "--fit")
                self.assertEqual(self.steps(fitted), options)
                self.assertEqual(fitted["isovmaf"]["options"]["fit"], "true")
                self.assert_same_scores(fitted, self.scored(distorted, *shlex.split(" ".join(options))))

    def test_the_reference_may_have_the_bars(self):
        fitted = self.scored("half.mkv", "--fit", reference="bars.mkv")
        self.assertEqual(self.steps(fitted), ["--crop ref:192x108+0+18", SIZE])
        self.assertIn("--fit: reference bars.mkv has 18 black rows at the top and 18 at the bottom, which the other video "
                      "has not: --crop ref:192x108+0+18\n", self.said)
        self.assert_same_scores(fitted, self.scored("half.mkv", "--crop", "ref:192x108+0+18", "--resize",
                                                    "dis:bicubic+exact", reference="bars.mkv"))

    def test_bars_that_are_not_clear_stay(self):
        for distorted, why in (("wide.mkv", "neither video has black bars, so that nothing is cropped"),
                               ("dark.mkv", "but only 0 of 16 pictures that were looked at are bright enough to tell, so that "
                                            "nothing is cropped; --crop does it by hand")):
            self.assertEqual(self.steps(self.scored(distorted, "--fit")), [CHROMA, SIZE])
            self.assertIn(why, self.said)

    def test_options_by_hand_come_first(self):
        by_hand = ("--resize", "ref:bilinear", "--crop", "dis:64x36+0+0")
        fitted = self.scored("full.mkv", "--fit", *by_hand)
        self.assertEqual(self.steps(fitted), [CHROMA, "--convert dis:range"])
        self.assertEqual(fitted["isovmaf"]["resize"], "ref:bilinear")

    def test_luma_alone_leaves_chroma(self):
        luma = ("--no_prediction", "--feature", "psnr:enable_chroma=false", "--backend", "cpu")
        path = self.folder / "report.json"
        result = self.score(*luma, "-o", path, "--fit", distorted=self.clips / "same.mkv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"isovmaf: --fit: the two videos can be compared as they are\n", result.stderr)
        self.assertEqual(json.loads(path.read_text())["isovmaf"]["reference"]["conversions"],
                         ["luma alone, as ffmpeg -vf extractplanes=y"])

    def test_errors_name_it_where_it_helps(self):
        for distorted in ("same.mkv", "half.mkv", "full.mkv"):
            self.assert_refused(self.score(*FEATURES, distorted=self.clips / distorted), "--fit to let isovmaf choose")

    def test_several_videos_and_parts_decide_the_same(self):
        encodes = ("half.mkv", "full.mkv", "bars.mkv")
        alone = [self.scored(distorted, "--fit", "--offset", "auto") for distorted in encodes]
        for parts in (("--decoders", 2, "--part-frames", 4), ("--decoders", 3, "--part-frames", 1)):
            self.assertEqual([self.scored(distorted, "--fit", "--offset", "auto", *parts) for distorted in encodes], alone)
        subprocess.run([self.ISOVMAF, "score", self.reference, *(self.clips / name for name in encodes), *FEATURES, "--fit",
                        "--offset", "auto", "-o", self.folder / "{stem}.json"], check=True, capture_output=True)
        for name, report in zip(encodes, alone):
            together = json.loads((self.folder / name).with_suffix(".json").read_text())
            self.assert_same_scores(together, report)
            self.assertEqual(together["isovmaf"]["notes"], report["isovmaf"]["notes"])


class Offset(FitTest):
    def test_the_one_that_is_clear_is_applied(self):
        for reference, distorted, offset in (("same.mkv", "late.mkv", 2), ("late.mkv", "same.mkv", -2),
                                             ("master.mkv", "same.mkv", 0)):
            found = self.scored(distorted, "--fit", "--offset", "auto", reference=reference)
            self.assertEqual(self.steps(found, "--offset auto"), [f"--offset {offset}"])
            self.assertEqual((found["isovmaf"]["sync"]["offset"], found["isovmaf"]["sync"]["hint"]), (offset, None))
            self.assertEqual(found["isovmaf"]["options"]["offset"], "auto")
            self.assert_same_scores(found, self.scored(distorted, "--fit", "--offset", offset, reference=reference))

    def test_several_videos_may_have_several(self):
        encodes = ("same.mkv", "late.mkv")
        alone = [self.scored(distorted, "--offset", "auto", reference="late.mkv") for distorted in encodes]
        self.assertEqual([report["isovmaf"]["sync"]["offset"] for report in alone], [-2, 0])
        result = subprocess.run([self.ISOVMAF, "score", self.clips / "late.mkv", *(self.clips / name for name in encodes),
                                 *FEATURES, "--offset", "auto", "-o", self.folder / "{stem}.json"], check=True,
                                capture_output=True, text=True)
        self.assertIn("late.mkv is decoded for each distorted video, as it begins at another frame for each", result.stderr)
        for name, report in zip(encodes, alone):
            self.assert_same_scores(json.loads((self.folder / name).with_suffix(".json").read_text()), report)

    def test_it_adds_to_frames_that_are_left_out(self):
        skips = ("--frame_skip_ref", 4, "--frame_skip_dis", 3, "--frame_cnt", 12)
        found = self.scored("late.mkv", "--offset", "auto", *skips, reference="same.mkv")
        self.assertEqual(self.steps(found, "--offset auto"), ["--offset 3"])
        self.assert_same_scores(found, self.scored("late.mkv", "--offset", 3, *skips, reference="same.mkv"))

    def test_what_is_not_clear_is_refused(self):
        self.assert_refused(self.score(*FEATURES, "--fit", "--offset", "auto", distorted=self.clips / "drop.mkv"),
                            "finds no offset of", "that is clear", "from reference frame", "give --offset N")
        self.assert_refused(self.score(*FEATURES, "--fit", "--offset", "auto", distorted=self.clips / "dark.mkv"),
                            "finds no offset of", "do not fit as they are paired")

    def test_pipes_are_refused(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for distorted in ("-", pipe):
            self.assert_refused(self.score(*FEATURES, "--offset", "auto", distorted=distorted), "--offset auto looks at both",
                                "can be read once", code=2)
            self.assert_refused(self.score(*FEATURES, "--fit", distorted=distorted), "--fit looks at both", code=2)
        self.assert_refused(self.score(*FEATURES, "--offset", "soon", distorted=self.distorted),
                            "--offset takes auto, or a whole number", code=2)
        self.assert_refused(self.score("--offset", "auto", "--sync", "pts-absolute", distorted=self.distorted),
                            "no offset changes", code=2)


class Batch(BatchRuns, FitTest):
    """Rows decide alone, and the same however a batch is run."""

    def setUp(self):
        self.clips = clips()
        super().setUp()
        for clip in self.clips.iterdir():
            (self.folder / clip.name).symlink_to(clip)
        self.manifest = self.write("m.csv", "reference,distorted,fit,offset,feature,label\n" + "".join(
            f"master.mkv,{name},true,,psnr,\n" for name in LADDER) + "same.mkv,late.mkv,,auto,,late\n"
            "late.mkv,same.mkv,,auto,,early\nlate.mkv,late.mkv,,auto,,itself\n"
            "master.mkv,drop.mkv,true,auto,,drop\nmaster.mkv,half.mkv,,,,plain\n")

    def test_results_are_those_of_score_however_a_batch_is_run(self):
        run = self.run_folder("run", expect=65)
        *ladder, late, early, itself = self.lines(run)
        for line, (distorted, options) in zip(ladder, LADDER.items()):
            asked = {"fit": ["true"], "feature": ["psnr"]}
            for option in options:
                name, value = option.removeprefix("--").split()
                asked.setdefault(name, []).append(value)
            self.assertEqual(line["options"], asked, distorted)
            report = self.scored(distorted, "--fit")
            self.assertAlmostEqual(line["scores"]["vmaf"]["mean"], report["pooled_metrics"]["vmaf"]["mean"], 5)
        self.assertEqual([line["options"]["offset"] for line in (late, early, itself)], [["2"], ["-2"], ["0"]])
        failures = {row["label"]: row for row in self.rows(run, "failures.csv")}
        self.assertEqual(set(failures), {"drop", "plain"})
        expected = self.results(run)
        for options in (("--segment-frames", 9, "--workers", 2), ("--group", 1)):
            other = self.run_folder("-".join(map(str, options)), *options, expect=65)
            self.assertEqual(self.results(other), expected, options)
        with HeldFile(self.clips / "late.mkv") as held: # which stops the run at a row, where it is killed
            process = self.start(self.folder / "killed")
            held.wait_for(process)
            process.kill()
            process.wait()
        self.assertEqual(self.results(self.run_folder("killed", expect=65)), expected)
        shards = [self.run_folder(f"shard{i}", "--shard", f"{i}/2", expect={0, 65}) for i in range(2)]
        self.batch("merge", *shards, "--out", self.folder / "merged", expect=65)
        self.assertEqual(self.results(self.folder / "merged"), expected)


if __name__ == "__main__":
    ScoreTest.ISOVMAF = BatchRuns.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
