#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs the C client's checks with our library, and with the libvmaf that PyPI's wheel of av carries, and compares the lines.

    client_test.py CLIENT LIBRARY MODELS

Where our library deliberately answers otherwise, DIFFERENCES says so, with the reason; every other difference fails, and so does
an entry that nothing shows. Calls that crash or hang libvmaf are made with ours alone: MISUSE holds their results.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import stock_ffmpeg

CLIENT, LIBRARY, MODELS = "", "", pathlib.Path()

# Start of a check's line, libvmaf's result, our result, reason.
DIFFERENCES = [
]

# Checks that only our library takes part in: their lines, in order.
MISUSE = """
""".strip().split("\n")


def without_fps(line):
    return re.sub(r'fps="[^"]*"|"fps": [^,]*', "FPS", line)


def run(library, folder, *options):
    """Lines of all checks."""
    result = subprocess.run([CLIENT, library, "checks", folder, MODELS / "vmaf_v0.6.1.json", MODELS / "vmaf_b_v0.6.3.json",
                             *options], text=True, capture_output=True, check=False, timeout=200)
    lines = [without_fps(line) for line in result.stdout.splitlines()]
    if result.returncode != 0:
        raise AssertionError(f"code {result.returncode} after {lines[-1:]}:\n{result.stderr}")
    return lines


def split(line):
    """The check and its result. A report's line is a result, and may hold whatever separates."""
    check, _, result = line.partition(" = ") if " | report = " not in line else line.partition(" | report = ")
    return check, result


def expected_of(line, used):
    """What our library prints where libvmaf prints `line`."""
    check, result = split(line)
    for number, (start, theirs, ours, _) in enumerate(DIFFERENCES):
        if check.startswith(start) and re.fullmatch(theirs, result):
            used.add(number)
            return ours
    return re.escape(result)


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.ours = run(LIBRARY, cls.folder)

    def test_answers_are_those_of_libvmaf(self):
        if not stock_ffmpeg.wheel():
            self.skipTest(stock_ffmpeg.why_not())
        theirs, used = run(stock_ffmpeg.libvmaf_of(stock_ffmpeg.wheel()), self.folder), set()
        self.assertEqual([split(line)[0] for line in self.ours], [split(line)[0] for line in theirs])
        for our_line, their_line in zip(self.ours, theirs):
            with self.subTest(their_line):
                self.assertRegex(split(our_line)[1], f"^(?:{expected_of(their_line, used)})$")
        self.assertEqual(used, set(range(len(DIFFERENCES))), "an entry of DIFFERENCES shows no more")

    def test_misuse_is_answered(self):
        remaining = iter(self.ours)
        expected = next(remaining)
        added = []
        for line in run(LIBRARY, self.folder, "--ours"):
            if line == expected:
                expected = next(remaining, None)
            else:
                added.append(line)
        self.assertIsNone(expected, "a check has another result beside the misuse")
        self.assertEqual(added, MISUSE)


if __name__ == "__main__":
    CLIENT, LIBRARY, MODELS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    del sys.argv[1:4]
    unittest.main()
