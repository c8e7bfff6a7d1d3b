#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Scores are the same where the processor has no fused multiply-add and no AVX2, and where the C library uses none.

    machines_test.py ISOVMAF GOLDEN_TEST GOLDEN_FOLDER CLIPS_FOLDER MATH_PROOF DIGESTS

An older processor is played: glibc is told to leave out what it lacks (GLIBC_TUNABLES), core/math computes the fused
multiply-add in integers (ISOVMAF_FMA=software), and the code of the CPU is of an older level (--cpu).
"""

import json
import math
import os
import platform
import re
import subprocess
import sys
import unittest

ISOVMAF, GOLDEN_TEST, GOLDEN_FOLDER, CLIPS_FOLDER, MATH_PROOF, DIGESTS = "", "", "", "", "", ""

OLDER = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2", "ISOVMAF_FMA": "software"}
OLDER_LEVELS = ("scalar", "sse4") if platform.machine() == "x86_64" else ("scalar",)
CLIPS = ("landscape_640x360_8b", "landscape_576x324_10b")
# Models and options between them call every function of core/math: exp, log2, log10, pow and powf.
OPTIONS = ("--model", "version=vmaf_b_v0.6.3:name=b", "--model", "version=vmaf_v0.6.1", "--feature",
           "psnr:enable_apsnr=true:enable_mse=true", "--feature", "adm:adm_csf_mode=2:adm_norm_view_dist=5.0")

# Prints the bits of a function that models need, as the machine's own library computes it.
OWN_EXPONENTIALS = "import math; print([math.exp(-i / 3000).hex() for i in range(20000)])"


def run(*command, older):
    kept = {name: value for name, value in os.environ.items() if name not in OLDER}
    return subprocess.run(command, env=kept | (OLDER if older else {}), stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def values(node, path=()):
    """Pairs of a place in a report and the text of the number that is there."""
    if isinstance(node, dict):
        return [pair for key, below in node.items() for pair in values(below, (*path, key))]
    return [(path, node)]

MOST_PIXELS = 256 * 256  # of a golden clip: fused steps in integers take long

class Machines(unittest.TestCase):
    def score(self, clip, level, older):
        files = [f"{CLIPS_FOLDER}/{clip}_{side}.mkv" for side in ("ref", "dis")]
        result = run(ISOVMAF, "score", "-r", files[0], "-d", files[1], *OPTIONS, "--backend", "cpu", "--cpu", level,
                     "--precision", "hex", "--json", "-o", "-", older=older)
        self.assertEqual(result.returncode, 0, result.stdout)
        report = json.loads(result.stdout[result.stdout.index("{"):])
        frames = {frame["frameNum"]: frame["metrics"] for frame in report["frames"]}
        self.assertGreaterEqual(len(frames), 10)
        return dict(values({"frames": frames, "pooled": report["pooled_metrics"], "totals": report["aggregate_metrics"]}))

    def test_bundled_clips(self):
        compared, different = 0, []
        for clip in CLIPS:
            expected = self.score(clip, "auto", older=False)
            for older, level in [(True, "auto"), *((True, level) for level in OLDER_LEVELS)]:
                found = self.score(clip, level, older)
                self.assertEqual(found.keys(), expected.keys())
                compared += len(expected)
                different += [(clip, level, place, found[place], value) for place, value in expected.items()
                              if found[place] != value]
        print(f"compared {compared} values of bundled clips on an older processor, {len(different)} differ")
        self.assertEqual(different[:20], [])

    def test_golden_values(self):
        result = run(GOLDEN_TEST, "--most-pixels", str(MOST_PIXELS), GOLDEN_FOLDER, older=True)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"compared [1-9]\d* values, 0 differ")

    def test_the_multiply_add_is_computed_in_integers(self):
        result = run(MATH_PROOF, "check", DIGESTS, "0", older=True)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"compared [1-9]\d* digests, 0 differ; fused multiply-add: in integers")

    def test_what_the_older_processor_would_change(self):
        """Says how much the scores would depend on the machine if they were computed with its own library."""
        here, there = (run(sys.executable, "-c", OWN_EXPONENTIALS, older=older).stdout for older in (False, True))
        numbers = [re.findall(r"'(.+?)'", text) for text in (here, there)]
        self.assertEqual([len(side) for side in numbers], [20000, 20000], here + there)
        differing = [(float.fromhex(a), float.fromhex(b)) for a, b in zip(*numbers) if a != b]
        self.assertTrue(all(math.isclose(a, b, rel_tol=1e-15) for a, b in differing), differing[:3])
        print(f"this machine's own library gives {len(differing)} of 20000 exponentials other bits on the older one")


if __name__ == "__main__":
    ISOVMAF, GOLDEN_TEST, GOLDEN_FOLDER, CLIPS_FOLDER, MATH_PROOF, DIGESTS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1], verbosity=2)
