#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs the C client's checks with our library, and with the libvmaf that PyPI's wheel of av carries, and compares the lines.

    client_test.py CLIENT LIBRARY MODELS Comparison|Misuse|Sanitized

Where our library deliberately answers otherwise, DIFFERENCES says so, with the reason; every other difference fails, and so
does an entry that nothing shows. Calls that crash or hang libvmaf are made with ours alone: misuse.txt holds their results.
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
MISUSE = pathlib.Path(__file__).with_name("misuse.txt").read_text().splitlines()

NUMBER = re.compile(r"-?[\d.]+(e-?\d+)?")
PRINTED = ("error: scale below 1x1!",)  # by libvmaf on standard output, among the lines of the client
READ_ORDER = "frames are compared in the order of reading, also where indices are out of order or have gaps"

# Start of a check, libvmaf's result (a pattern), ours (a replacement, or a pattern), and the reason.
DIFFERENCES = [
    ("dictionaries | 12abc | use_feature_with", "0", "-22", "a text that is no number is refused"),
    ("dictionaries | 12abc | integer_vif_scale0_egl_12", NUMBER, "-22", "a text that is no number is refused"),
    ("models | same name | hd == uhd", "1", "0", "scores are kept by model, not by its name"),
    ("collections | asked again | vmaf.score_at", "-22", "0", "stored scores are given again"),
    ("collections | asked again | again[", "0", "1", "stored scores are given again"),
    ("registration | names | null", "0", "-22", "an extractor that computes nothing"),
    ("features | too small | read_pair", "1", "-22", "codes are 0, -22 and -12"),
    ("registration | after the first picture | vmaf.use_feature", "0", "-22", "features are chosen before the first picture"),
    ("indices | motion, out of order | VMAF_integer_feature_motion2", NUMBER, NUMBER, READ_ORDER),
    ("indices | motion, out of order | VMAF_integer_feature_motion3", NUMBER, NUMBER, READ_ORDER),
    ("indices | motion, with a gap | VMAF_integer_feature_motion", "-22", NUMBER, READ_ORDER),
    ("indices | motion, from two | read_pair", "-22", "0", "a picture is remembered although its frame failed"),
    ("indices | motion, from two | VMAF_integer_feature_motion", "-22", NUMBER, READ_ORDER),
    ("formats | 9 bit 4:2:0 | flush", "0", "-22", "no frame was accepted"),
    ("formats | 14 bit 4:4:4 | flush", "0", "-22", "no frame was accepted"),
    ("reports | holes | report", r"([03],[0-9.]+,)", r"\1,", "a value that is missing is an empty cell"),
    ("reports | refused | remove", "0", "-1", "a format that is unknown leaves the file alone"),
    ('reports | refused | vmaf.write_output(context, "/dev/full"', "0", "-22", "errors of writing are noticed"),
    ("handlers | of a model | report", r"(.*,)([^,]+,)([^,]+,)", r"\1\3\2", "models come after all features"),
    ("threads | repeated index | read_pair", "0", "-22", "a repeated index is refused with threads, too"),
]


def without_fps(line):
    return re.sub(r'fps="[^"]*"|"fps": [^,]*', "FPS", line)


def run(library, folder, *options):
    """Lines of all checks."""
    result = subprocess.run([CLIENT, library, "checks", folder, MODELS / "vmaf_v0.6.1.json", MODELS / "vmaf_b_v0.6.3.json",
                             *options], text=True, capture_output=True, check=False)
    lines = [without_fps(line) for line in result.stdout.splitlines() if line not in PRINTED]
    if result.returncode != 0:
        raise AssertionError(f"code {result.returncode} after {lines[-1:]}:\n{result.stderr}")
    return lines


def split(line):
    """The check and its result. A line of a report may hold what separates them."""
    check, _, result = line.partition(" | report = " if " | report = " in line else " = ")
    return (f"{check} | report" if " | report = " in line else check), result


def is_listed(our_line, their_line, used):
    """Whether DIFFERENCES has this difference; adds the number of the entry to `used`."""
    (check, ours), (_, theirs) = split(our_line), split(their_line)
    for number, (start, pattern, wanted, _) in enumerate(DIFFERENCES):
        match = re.fullmatch(pattern, theirs)
        if check.startswith(start) and match:
            if NUMBER.fullmatch(ours) if wanted is NUMBER else match.expand(wanted) == ours:
                used.add(number)
                return True
    return False


class Checks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.ours = run(LIBRARY, cls.folder)


class Comparison(Checks):
    def test_answers_are_those_of_libvmaf(self):
        theirs, used = run(stock_ffmpeg.libvmaf_of(stock_ffmpeg.wheel()), self.folder), set()
        self.assertEqual([split(line)[0] for line in self.ours], [split(line)[0] for line in theirs])
        for our_line, their_line in zip(self.ours, theirs):
            if our_line != their_line and not is_listed(our_line, their_line, used):
                with self.subTest(split(our_line)[0]):
                    self.assertEqual(our_line, their_line)
        self.assertEqual(used, set(range(len(DIFFERENCES))), "an entry of DIFFERENCES shows no more")


class Misuse(Checks):
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


class Sanitized(unittest.TestCase):
    def test_checks_end_without_a_report(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertLessEqual(set(MISUSE), set(run(LIBRARY, folder, "--ours")))


if __name__ == "__main__":
    CLIENT, LIBRARY, MODELS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    del sys.argv[1:4]
    os.environ.setdefault("ISOVMAF_BACKEND", "cpu")
    if "Comparison" in sys.argv and not stock_ffmpeg.wheel():
        print(stock_ffmpeg.why_not())
        sys.exit(77)
    unittest.main()
