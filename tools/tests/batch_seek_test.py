#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Segments of coded videos, whose decoding starts at a key frame: they change no byte of the results.

    batch_seek_test.py ISOVMAF
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from batch_pairs import FFMPEG, encoders, ffmpeg
from batch_runs import SCRATCH, BatchRuns

FRAMES, GROUP = 64, 8  # of pictures
# Name, encoder, and options of ffmpeg. All have key frames at least every 8 frames.
X264 = f"-preset veryfast -g {GROUP} -bf 2 -sc_threshold 0"
CLIPS = (
    ("closed.mp4", "libx264", X264),
    ("open.mkv", "libx264", X264 + " -x264-params open-gop=1"),
    ("interlaced.mkv", "libx264", X264 + " -flags +ilme+ildct"),
    ("hevc.ts", "libx265", f"-preset ultrafast -x265-params keyint={GROUP}:min-keyint={GROUP}:bframes=3:log-level=none"),
    ("vp9.webm", "libvpx-vp9", f"-deadline realtime -cpu-used 8 -g {GROUP}"),
    ("mpeg2.ts", "mpeg2video", f"-q:v 5 -g {GROUP} -bf 2"),
    ("mpeg4.avi", "mpeg4", f"-q:v 5 -g {GROUP}"),
)
FROM_THE_START = {"open.mkv": "decoding can start with no other key frame", "mpeg4.avi": "it is coded as mpeg4",
                  "late.mp4": "its edit list leaves frames out"}


@unittest.skipUnless(FFMPEG, "there is no ffmpeg to encode with")
class Seek(BatchRuns):
    @classmethod
    def setUpClass(cls):
        cls.clips = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
        cls.addClassCleanup(shutil.rmtree, cls.clips)
        known, outputs, cls.names = encoders(), [], []
        for name, encoder, options in CLIPS:
            if encoder in known:
                outputs += ["-c:v", encoder, "-pix_fmt", "yuv420p", *options.split(), cls.clips / name]
                cls.names.append(name)
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=size=96x64:rate=25:duration={FRAMES / 25}", *outputs)
        if "libx264" in known:
            ffmpeg("-ss", "0.2", "-i", cls.clips / "closed.mp4", "-c", "copy", cls.clips / "late.mp4")
            cls.names.append("late.mp4")

    def setUp(self):
        super().setUp()
        if "closed.mp4" not in self.names:
            self.skipTest("this ffmpeg has no libx264")

    def write_manifest(self, pairs):
        self.manifest = self.write("m.csv", "reference,distorted\n" + "".join(
            f"{self.clips / reference},{self.clips / distorted}\n" for reference, distorted in pairs))

    def test_segments_change_no_byte(self):
        self.write_manifest([("closed.mp4", name) for name in self.names] + [("hevc.ts", "closed.mp4")])
        expected = self.results(self.run_folder("whole"))
        for length, options in ((7, ("--workers", 2)), (17, ("--group", 1)), (5, ("--feature", "psnr", "--no_prediction"))):
            with self.subTest(length):
                if "--no_prediction" in options: # without temporal features
                    expected = self.results(self.run_folder("spatial", *options))
                self.assertEqual(self.results(self.run_folder(f"cut{length}", "--segment-frames", length, *options)), expected)

    def test_what_is_decoded_from_the_start_is_named(self):
        self.write_manifest([("closed.mp4", name) for name in self.names])
        said = self.batch(self.manifest, "--run", self.folder / "run", "--backend", "cpu", "--segment-frames", 11).stderr
        for name in self.names:
            sentence = f"each part of {self.clips / name} is decoded from the first frame on: "
            self.assertEqual(said.count(sentence), int(name in FROM_THE_START), said)
            self.assertIn(sentence + FROM_THE_START[name] if name in FROM_THE_START else "", said)

    def test_units_do_not_decode_what_lies_before_their_key_frame(self):
        """Damage is an error of the units that decode it, and of no other."""
        content = bytearray((self.clips / "closed.mp4").read_bytes())
        place = int(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "packet=pos", "-of", "csv=p=0",
                                    self.clips / "closed.mp4"], check=True, capture_output=True, text=True)
                    .stdout.split()[4 * GROUP + 3].rstrip(","))
        content[place + 4:place + 24] = bytes(20)
        (self.folder / "damaged.mp4").write_bytes(content)
        self.manifest = self.write("m.csv", f"reference,distorted\n{self.clips}/closed.mp4,damaged.mp4\n")
        run = self.run_folder("run", "--segment-frames", GROUP, expect=65)
        failed = ["error" in record for record in self.records(run)]
        self.assertEqual(failed, [n in (4, 5) for n in range(FRAMES // GROUP)])  # 5 also reads a frame of 4


if __name__ == "__main__":
    BatchRuns.ISOVMAF = sys.argv.pop(1)
    unittest.main()
