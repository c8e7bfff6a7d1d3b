#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Lets every allocation, copy and kernel launch of a run on the host stand-in fail, one at a time.

    device_fault_test.py ISOVMAF PLUGIN

Each run ends with one sentence and exit code 1, or, where memory was short, a warning and the right scores.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ISOVMAF, PLUGIN = "", pathlib.Path()
WIDTH, HEIGHT, FRAMES = 48, 40, 3
MOST_OPERATIONS = 2000  # far more than such a run has
QUIET_RUNS = 3          # so many runs without an effect: the operation does not happen that often


def picture(seed):
    noise = random.Random(seed)
    return bytes(noise.randrange(256) for _ in range(WIDTH * HEIGHT * 3 // 2))


def y4m(first_seed):
    return f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 C420jpeg\n".encode() + b"".join(
        b"FRAME\n" + picture(first_seed + n) for n in range(FRAMES))


class DeviceFaultTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "ref.y4m").write_bytes(y4m(1))
        (cls.path / "dis.y4m").write_bytes(y4m(101))
        result = cls.score("")
        assert result.returncode == 0, result.stderr.decode()
        cls.frames = json.loads(result.stdout)["frames"]

    @classmethod
    def score(cls, fault, *options):
        environment = {name: value for name, value in os.environ.items() if name != "ISOVMAF_HOST_FAIL"}
        if fault:
            environment["ISOVMAF_HOST_FAIL"] = fault
        return subprocess.run(
            [ISOVMAF, "score", "-r", cls.path / "ref.y4m", "-d", cls.path / "dis.y4m", "--feature", "psnr",
             "--backend", "host", "--backend-dir", PLUGIN.parent, "--threads", "1", "--json", "--precision", "hex",
             "-o", "-", *options],
            stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=120, env=environment)

    def check_every(self, operation, message):
        """Returns how many of the operation made a run fail, and how many it went on without."""
        failed, survived, quiet = 0, 0, 0
        for number in range(1, MOST_OPERATIONS):
            result = self.score(f"{operation}:{number}")
            errors = result.stderr.decode().splitlines()
            self.assertLessEqual(len(errors), 1, errors)
            if result.returncode == 0:
                self.assertEqual(json.loads(result.stdout)["frames"], self.frames, f"{operation}:{number}")
                survived += len(errors)
                quiet = 0 if errors else quiet + 1
                if quiet == QUIET_RUNS:
                    return failed, survived
            else:
                self.assertEqual(result.returncode, 1, errors)
                self.assertRegex(errors[0], message, f"{operation}:{number}")
                self.assertEqual(result.stdout, b"", "a failed run wrote a report")
                failed, quiet = failed + 1, 0
        self.fail(f"there is no end of {operation}s")

    def test_allocations(self):
        failed, survived = self.check_every("allocation", "^isovmaf: error: .*(allocating|memory)")
        print(f"allocations: {failed} ended the run, {survived} were gone without")
        self.assertGreater(failed + survived, 4)
        self.assertGreater(survived, 0, "a smaller ring was never tried")

    def test_copies(self):
        failed, _ = self.check_every("copy", "^isovmaf: error: ")
        print(f"copies: {failed} ended the run")
        self.assertGreaterEqual(failed, 2 * FRAMES)

    def test_launches(self):
        failed, _ = self.check_every("launch", "^isovmaf: error: ")
        print(f"launches: {failed} ended the run")
        self.assertGreaterEqual(failed, 4 * FRAMES - 1)

    def test_a_lost_device_ends_the_run(self):
        failed, _ = self.check_every("lost", "^isovmaf: error: .*(lost|stopped answering)")
        self.assertGreater(failed, 0)


if __name__ == "__main__":
    ISOVMAF, PLUGIN = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
