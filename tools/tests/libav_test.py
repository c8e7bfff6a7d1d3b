#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""FFmpeg's libraries are loaded when a file needs them, and files that do not need them are scored without.

    libav_test.py ISOVMAF CLIP [UNITTEST OPTIONS]

CLIP is a video that FFmpeg reads. FFmpeg is hidden behind empty files with the names of its libraries.
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from score_runs import ScoreTest, picture, y4m

OF_FFMPEG = re.compile(r"find library=(lib(?:av|sw)\w+\.so\.\d+)")
LIBRARIES = ["libavcodec", "libavformat", "libavutil", "libswscale"]
MISSING = r"FFmpeg's libraries cannot be loaded: .*libav\w+.*file too short; install libavformat, .*apt install ffmpeg"
CLIP = None


class Libav(ScoreTest):
    def setUp(self):
        super().setUp()
        self.video = self.write("a.y4m", y4m([picture(n) for n in range(3)]))
        self.raw = self.write("a.yuv", b"".join(picture(n) for n in range(3)))

    def searched(self, *arguments):
        """The libraries of FFmpeg that a run of the program looks for."""
        result = subprocess.run([self.ISOVMAF, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                                check=False, env=os.environ | {"LD_DEBUG": "libs"}, cwd=self.folder)
        self.assertIn(b"find library=", result.stderr, "the dynamic linker says what it looks for")
        return set(OF_FFMPEG.findall(result.stderr.decode(errors="replace")))

    def without_ffmpeg(self, *arguments):
        """Runs the program where FFmpeg's libraries are empty files. Returns the exit code and standard error."""
        hidden = self.folder / "hidden"
        hidden.mkdir(exist_ok=True)
        for library in self.searched("probe", CLIP):
            (hidden / library).touch()
        paths = os.pathsep.join(filter(None, (str(hidden), os.environ.get("LD_LIBRARY_PATH"))))
        result = subprocess.run([self.ISOVMAF, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                                check=False, env=os.environ | {"LD_LIBRARY_PATH": paths}, cwd=self.folder)
        return result.returncode, result.stderr.decode()

    def runs_without_ffmpeg(self):
        """Command lines that need none of it, and their exit codes."""
        stated = ("--width", 97, "--height", 65, "--pixel_format", 420, "--bitdepth", 8)
        scored = ("score", "-q", "--force", "-o", "a.json")
        return [(("--version",), 0), (("score", "--help"), 0), (("score", "nothing.mkv", self.video), 1),
                ((*scored, self.video, self.video), 0), ((*scored, self.raw, self.raw, *stated), 0), (("probe", self.video), 0),
                (("diff", "--size", "64x64", "--backends", "cpu-ref,cpu", "--feature", "psnr"), 0),
                (("bench", "--width", 192, "--height", 192, "--frames", 1), 0)]

    def test_what_needs_no_ffmpeg_loads_none_of_it(self):
        self.assertEqual(sorted(re.match(r"lib[a-z]+", name)[0] for name in self.searched("probe", CLIP)
                                if name.startswith(tuple(LIBRARIES))), LIBRARIES)
        for arguments, _ in self.runs_without_ffmpeg():
            with self.subTest(arguments):
                self.assertEqual(self.searched(*arguments), set())

    def test_what_needs_no_ffmpeg_runs_without_it(self):
        deeper = ("score", "-q", self.video, self.video, "--convert", "dis:10", "--convert", "ref:10")
        for arguments, expected in [*self.runs_without_ffmpeg(), (deeper, 0)]:
            with self.subTest(arguments):
                code, errors = self.without_ffmpeg(*arguments)
                self.assertEqual(code, expected, errors)
                self.assertNotIn("FFmpeg", errors)

    def test_what_needs_ffmpeg_says_what_to_install(self):
        small = self.write("small.y4m", y4m([picture(n, 32, 24) for n in range(3)], 32, 24))
        self.write("1.png", b"")
        for arguments in (("score", CLIP, self.video), ("probe", CLIP), ("score", self.video, small, "--resize", "dis"),
                          ("score", self.video, "%d.png"), ("score", "http://127.0.0.1:1/a.mkv", self.video)):
            with self.subTest(arguments):
                code, errors = self.without_ffmpeg(*arguments)
                self.assertEqual(code, 1, errors)
                self.assertRegex(errors, MISSING)

    def test_without_ffmpeg_an_html_report_has_no_pictures(self):
        code, errors = self.without_ffmpeg("score", self.video, self.video, "--html", "a.html")
        self.assertEqual(code, 0, errors)
        self.assertRegex(errors, "warning: the HTML report has no pictures.*" + MISSING)


if __name__ == "__main__":
    ScoreTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    CLIP = os.path.abspath(sys.argv.pop(1))
    unittest.main()
