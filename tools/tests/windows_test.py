#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Coded videos with a cropping window: what the stream states is scored, as a video that was cropped before.

    windows_test.py ISOVMAF
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from batch_pairs import FFMPEG, encoders, ffmpeg
from batch_runs import SCRATCH

WIDTH, HEIGHT, FRAMES = 160, 96, 4
# Encoder, pixel format, and windows: left, top, right and bottom edges in samples.
WINDOWS = (
    ("libx264", "yuv420p", ((16, 0, 0, 0), (2, 2, 2, 2), (50, 8, 14, 6))),
    ("libx264", "yuv420p10le", ((6, 4, 2, 0),)),
    ("libx264", "yuv444p", ((1, 1, 0, 0), (33, 3, 7, 9))),
    ("libx265", "yuv420p", ((16, 8, 16, 8), (10, 0, 0, 0))),
    ("libx265", "yuv422p10le", ((4, 3, 2, 1),)),
)
LOSSLESS = {"libx264": ("-qp", "0"), "libx265": ("-x265-params", "lossless=1:log-level=none")}


def words_of(encoder, window):
    """The bitstream filter of ffmpeg that states a window."""
    name = {"libx264": "h264_metadata", "libx265": "hevc_metadata"}[encoder]
    return name + "=" + ":".join(f"crop_{edge}={samples}" for edge, samples in zip(("left", "top", "right", "bottom"), window))


@unittest.skipUnless(FFMPEG, "there is no ffmpeg to encode with")
class Windows(unittest.TestCase):
    ISOVMAF = ""  # the program

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.known = encoders()

    def run_tool(self, *arguments):
        result = subprocess.run([self.ISOVMAF, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def frames(self, distorted, *options):
        """The scores of all frames beside `reference.y4m`."""
        self.run_tool("score", "-q", "-r", "reference.y4m", "-d", distorted, "--feature", "psnr", "-o", "report.json", "--force",
                      *options)
        return json.loads((self.folder / "report.json").read_text())["frames"]

    def make(self, encoder, pixels, window):
        """`coded.mp4`, `cropped.y4m` with its window, and `reference.y4m`, which has other pictures of that size."""
        left, top, right, bottom = window
        size = f"{WIDTH - left - right}:{HEIGHT - top - bottom}"
        ffmpeg("-y", "-f", "lavfi", "-i", f"testsrc2=size={WIDTH}x{HEIGHT}:rate=25", "-frames:v", FRAMES, "-pix_fmt", pixels,
               "-strict", -1, self.folder / "whole.y4m")
        ffmpeg("-y", "-i", self.folder / "whole.y4m", "-c:v", encoder, *LOSSLESS[encoder], "-bsf:v", words_of(encoder, window),
               self.folder / "coded.mp4")
        ffmpeg("-y", "-i", self.folder / "whole.y4m", "-vf", f"crop={size}:{left}:{top}:exact=1", "-strict", -1,
               self.folder / "cropped.y4m")
        ffmpeg("-y", "-i", self.folder / "cropped.y4m", "-vf", "gblur=sigma=1", "-pix_fmt", pixels, "-strict", -1,
               self.folder / "reference.y4m")
        return size.replace(":", "x")

    def test_the_stated_window_is_scored(self):
        for encoder, pixels, windows in WINDOWS:
            for window in windows:
                with self.subTest(encoder, pixels=pixels, window=window):
                    if encoder not in self.known:
                        self.skipTest(f"this ffmpeg has no {encoder}")
                    size = self.make(encoder, pixels, window)
                    self.assertIn(f" {size} ", self.run_tool("probe", "coded.mp4"))
                    self.assertEqual(self.frames("coded.mp4"), self.frames("cropped.y4m"))

    def test_every_level_of_the_cpu_gives_the_same(self):
        if "libx264" not in self.known:
            self.skipTest("this ffmpeg has no libx264")
        self.make("libx264", "yuv444p", (33, 3, 7, 9))
        expected = self.frames("cropped.y4m", "--cpu", "scalar")
        for level in json.loads(self.run_tool("backends", "--json"))["cpu_levels"]:
            self.assertEqual(self.frames("coded.mp4", "--cpu", level), expected, level)


if __name__ == "__main__":
    Windows.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
