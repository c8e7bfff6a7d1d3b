#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""How often isovmaf batch reads its inputs: raw video once, to be scored and hashed.

    batch_reading_test.py ISOVMAF
"""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unittest

from batch_runs import BatchRuns
from score_runs import picture, y4m

WIDTH, HEIGHT, FRAMES, ENCODES = 480, 270, 6, 3
OPTIONS = ("--feature", "psnr", "--no_prediction")


def bytes_read():
    """The bytes that this process has read, and those of its children that have ended. Only root may read the counts of an
    ended child itself. None where the system does not count."""
    counts = pathlib.Path("/proc/self/io")
    return int(re.search(r"^rchar: (\d+)$", counts.read_text(), re.M)[1]) if counts.exists() else None


class Reading(BatchRuns):
    def setUp(self):
        super().setUp()
        for i, name in enumerate(("ref", *(f"dis{i}" for i in range(ENCODES)))):
            pictures = [picture(17 * i + n, WIDTH, HEIGHT) for n in range(FRAMES)]
            (self.folder / f"{name}.y4m").write_bytes(y4m(pictures, WIDTH, HEIGHT))
        self.bytes = (self.folder / "ref.y4m").stat().st_size
        self.manifest = self.write_manifest("ref", range(ENCODES))

    def write_manifest(self, reference, encodes):
        return self.write("m.csv", "reference,distorted\n" + "".join(f"{reference}.y4m,dis{i}.y4m\n" for i in encodes))

    def files_read(self, *arguments):
        """How many videos' bytes a command reads."""
        before = bytes_read()
        process = subprocess.run(self.command(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
        self.assertEqual(process.returncode, 0)
        if before is None:
            self.skipTest("the system does not count the bytes that a process reads (/proc/PID/io)")
        return (bytes_read() - before) / self.bytes

    def batch_files_read(self, name, *options):
        return self.files_read(self.manifest, "--run", self.folder / name, "--quiet", "--backend", "cpu", *OPTIONS, *options)

    def test_raw_video_is_read_once(self):
        """A group has the reference and each encode; alone, the reference is read for each unit."""
        group, again, alone = (self.batch_files_read(*options) for options in (("run",), ("run",), ("alone", "--group", 1)))
        self.assertAlmostEqual(group - again, 1 + ENCODES, delta=0.3)
        self.assertAlmostEqual(alone - again, 2 * ENCODES, delta=0.3)
        self.assertEqual(self.results(self.folder / "run"), self.results(self.folder / "alone"))

    def digests(self, run):
        return {record["input"]: record["digest"] for record in self.records(run, "input")}

    def test_digests_are_those_of_frames_or_of_whole_files(self):
        group, alone = self.run_folder("group", *OPTIONS), self.run_folder("alone", *OPTIONS, "--group", 1)
        before = self.run_folder("before", *OPTIONS, "--segment-frames", 4)
        self.assertEqual(len(self.digests(group)), 1 + ENCODES)
        self.assertEqual(self.digests(group), self.digests(alone))
        self.assertFalse(set(self.digests(group).values()) & set(self.digests(before).values()))
        for run in (alone, before):
            self.assertEqual(self.results(group), self.results(run))

    def test_words_are_found_by_any_digest(self):
        run = self.run_folder("run", *OPTIONS)
        self.run_folder("run", *OPTIONS, "--segment-frames", 4) # hashes whole files, and computes its own units
        units = len(self.records(run))
        self.run_folder("run", *OPTIONS)
        self.assertEqual(len(self.records(run)), units)

    def test_chroma_that_no_feature_reads_is_not_read(self):
        luma = ("--feature", "vif", "--no_prediction")
        read, again = (self.files_read(self.manifest, "--run", self.folder / "run", "--quiet", "--backend", "cpu", *luma)
                       for _ in range(2))
        start = 2 * 65536 / self.bytes # of each file, which is recognised by it: read once more, and hashed
        self.assertAlmostEqual(read - again, (1 + ENCODES) * (2 / 3 + start), delta=0.3)
        results = self.results(self.folder / "run")
        for plane, computed in ((4 / 5, 0), (1 / 3, 1)): # of the last frame: chroma, and luma
            with open(self.folder / "dis1.y4m", "r+b") as video:
                video.seek(round(self.bytes * (FRAMES - 1 + plane) / FRAMES))
                video.write(bytes(64))
            units = len(self.records(self.folder / "run"))
            self.run_folder("run", *luma)
            self.assertEqual(len(self.records(self.folder / "run")) - units, computed)
            self.assertEqual(self.results(self.folder / "run") == results, not computed)

    def test_samples_above_the_depth_are_refused_where_they_are_read(self):
        """By both commands, whether the file is hashed while it is read, before, or not."""
        size, chroma = WIDTH * HEIGHT, 2 * (WIDTH // 2) * (HEIGHT // 2)
        good = struct.pack(f"<{size}H", *(i % 1024 for i in range(size))) + b"\0\2" * chroma
        for name, frames in (("ref", [good] * FRAMES), ("dis0", [good] * (FRAMES - 1) + [good[:-2] + b"\0\4"])):
            (self.folder / f"{name}.y4m").write_bytes(b"".join(frames))
        self.write_manifest("ref", [0])
        raw = ("-w", WIDTH, "-h", HEIGHT, "-p", 420, "-b", 10, "--no_prediction")
        videos = ("-r", self.folder / "ref.y4m", "-d", self.folder / "dis0.y4m")
        for feature, refused in (("motion", False), ("psnr", True)):
            score = subprocess.run(list(map(str, (self.ISOVMAF, "score", *videos, *raw, "--feature", feature, "-q"))),
                                   capture_output=True, text=True, check=False)
            self.assertEqual(score.returncode, 1 if refused else 0, score.stderr)
            for how in ((), ("--segment-frames", 4), ("--fast-keys",)):
                run = self.run_folder(f"{feature}{how}", *raw, "--feature", feature, *how, expect=65 if refused else 0)
                if refused:
                    message, = (row["message"] for row in self.rows(run, "failures.csv"))
                    self.assertIn(f"frame {FRAMES - 1} of dis0.y4m has samples above 1023 in row {HEIGHT // 2 - 1} of plane 2",
                                  message)
                    self.assertIn(message.replace("dis0.y4m", str(videos[3])), score.stderr)

    def test_copies_are_not_scored_again_and_changed_files_are(self):
        run = self.run_folder("run", *OPTIONS)
        os.rename(self.folder / "ref.y4m", self.folder / "moved.y4m")
        shutil.copy(self.folder / "dis0.y4m", self.folder / "dis7.y4m")
        self.write_manifest("moved", (7, 1))
        self.run_folder("run", *OPTIONS)
        self.assertEqual(len(self.records(run)), ENCODES)
        with open(self.folder / "dis1.y4m", "r+b") as video: # in none of the places that samples are taken from
            video.seek(self.bytes * 3 // 10)
            video.write(bytes(64))
        self.run_folder("run", *OPTIONS)
        self.assertEqual(len(self.records(run)), ENCODES + 1)

    def test_a_video_that_fails_is_known_by_its_content(self):
        frames = (self.folder / "dis1.y4m").read_bytes().split(b"FRAME\n")
        (self.folder / "dis1.y4m").write_bytes(b"FRAME\n".join(frames[:3]) + b"frame\n" + b"FRAME\n".join(frames[3:]))
        run = self.run_folder("run", *OPTIONS, "--group", 1, expect=65)
        failed = [record for record in self.records(run) if "error" in record]
        self.assertEqual(len(failed), 1)
        self.assertTrue(failed[0]["key"] and failed[0]["permanent"], failed)
        os.rename(self.folder / "dis1.y4m", self.folder / "dis5.y4m")
        self.write_manifest("ref", (0, 5))
        self.run_folder("run", *OPTIONS, expect=65)
        self.assertEqual(len(self.records(run)), ENCODES) # it was not tried again


if __name__ == "__main__":
    BatchRuns.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
