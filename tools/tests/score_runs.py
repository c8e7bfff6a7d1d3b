# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf score` on a small pair of generated videos."""

import functools
import json
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

WIDTH, HEIGHT, FRAMES = 97, 65, 6  # odd on purpose
OLD_REPORT = b'{ "version": "3.0.0", "fps": 31.21 }'  # as much of one as has to be recognised


@functools.cache  # tests make the same pictures again and again
def picture(seed, width=WIDTH, height=HEIGHT):
    """A frame of 4:2:0 8-bit noise on a ramp, chroma rounded up as files hold it."""
    noise = random.Random(seed)
    chroma = ((width + 1) // 2) * ((height + 1) // 2)
    luma = bytes((x + 2 * y + seed + noise.randrange(24)) % 256 for y in range(height) for x in range(width))
    return luma + bytes(noise.randrange(100, 140) for _ in range(2 * chroma))


def y4m(frames, width=WIDTH, height=HEIGHT, tags="C420jpeg"):
    return f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 {tags}\n".encode() + b"".join(
        b"FRAME\n" + frame for frame in frames)


def moving_bars(first):
    """16 frames of bars that move, from frame `first` of them on. Of noise alone nobody can tell whether it is shifted."""
    return y4m([bytes((x + 2 * y + 9 * (n + first)) // 16 % 5 * 40 + n % 3 for y in range(HEIGHT) for x in range(WIDTH))
                + bytes([128]) * (2 * 49 * 33) for n in range(16)])


class ScoreTest(unittest.TestCase):
    ISOVMAF = ""  # the program

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.reference = self.write("ref.y4m", y4m([picture(n) for n in range(FRAMES)]))
        self.distorted = self.write("dis.y4m", y4m([picture(n + 3) for n in range(FRAMES)]))

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def score(self, *options, reference=None, distorted=None, stdin=None):
        return subprocess.run(
            [self.ISOVMAF, "score", "-r", reference or self.reference, "-d", distorted or self.distorted, *map(str, options)],
            input=stdin, stdin=subprocess.DEVNULL if stdin is None else None, capture_output=True, check=False)

    def report(self, *options, expect=0, **files):
        path = self.folder / "report.json"
        result = self.score("--json", "-o", path, "--quiet", *options, **files)
        self.assertEqual(result.returncode, expect, result.stderr.decode())
        return json.loads(path.read_text())

    def assert_refused(self, result, *words, code=1):
        """One sentence on standard error, nothing on standard output, no report."""
        text = result.stderr.decode()
        self.assertEqual(result.returncode, code, text)
        self.assertEqual(result.stdout, b"")
        errors = [line for line in text.splitlines() if "error:" in line]
        self.assertEqual(len(errors), 1, text)
        for word in words:
            self.assertIn(word, text)
        left = [path.name for path in self.folder.iterdir() if "report" in path.name]
        self.assertEqual(left, [], text)
