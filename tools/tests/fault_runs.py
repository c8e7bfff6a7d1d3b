# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs of `isovmaf score` on a small clip, of which all but the first have a fault, and what each has to end with."""

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


def y4m(first_seed):
    return f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 C420jpeg\n".encode() + b"".join(
        b"FRAME\n" + picture(first_seed + n) for n in range(FRAMES))


class FaultRuns(unittest.TestCase):
    ISOVMAF, PLUGIN = "", pathlib.Path()
    BACKEND = ""

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
             "--precision", "hex", "-o", "-"],
            stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60, env={**os.environ, **environment})

    def outcome(self, result, what, message):
        """One sentence that has the pattern `message`, exit code 1 and no scores: "failed". The right scores: "quiet",
        or "survived" with one warning."""
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
