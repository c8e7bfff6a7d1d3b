# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf score` on a small clip, first without and then with faults, and checks how each run ends."""

import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

WIDTH, HEIGHT, FRAMES = 48, 40, 3


def picture(seed):
    noise = random.Random(seed)
    return bytes(noise.randrange(256) for _ in range(WIDTH * HEIGHT * 3 // 2))


def y4m(first_seed, frames=FRAMES):
    return f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 C420jpeg\n".encode() + b"".join(
        b"FRAME\n" + picture(first_seed + n) for n in range(frames))


class FaultRuns(unittest.TestCase):
    ISOVMAF, PLUGIN = "", pathlib.Path()
    BACKEND = ""
    OPTIONS = ()  # of `isovmaf score`, beside those of all runs

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "ref.y4m").write_bytes(y4m(1))
        (cls.path / "dis.y4m").write_bytes(y4m(101))
        result = cls.score()
        assert result.returncode == 0, result.stderr.decode()
        cls.frames = json.loads(result.stdout)["frames"]

    @classmethod
    def score(cls, **environment):
        return subprocess.run(
            [cls.ISOVMAF, "score", "-r", cls.path / "ref.y4m", "-d", cls.path / "dis.y4m", "--feature", "psnr",
             "--backend", cls.BACKEND, "--backend-dir", cls.PLUGIN.parent, "--threads", "1", "--json",
             "--precision", "hex", "-o", "-", *cls.OPTIONS],
            stdin=subprocess.DEVNULL, capture_output=True, check=False, env={**os.environ, **environment})

    def outcome(self, result, what, message):
        """Returns "failed" for exit code 1 with one sentence that matches `message` and no scores, "quiet" for the right
        scores, "survived" for the right scores with one warning. Anything else fails the test."""
        errors = result.stderr.decode().splitlines()
        self.assertLessEqual(len(errors), 1, (what, errors))
        if result.returncode == 0:
            self.assertEqual(json.loads(result.stdout)["frames"], self.frames, what)
            if errors:
                self.assertRegex(errors[0], "^isovmaf: warning: ", what)
            return "survived" if errors else "quiet"
        self.assertEqual(result.returncode, 1, (what, errors))
        self.assertEqual(result.stdout, b"", f"{what}: a failed run wrote a report")
        self.assertEqual(len(errors), 1, f"{what}: a failed run said nothing")
        self.assertRegex(errors[0], message, what)
        return "failed"
