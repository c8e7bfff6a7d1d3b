#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What tools/research/amd_speed.py prints of counts that are made up."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "research" / "amd_speed.py"
CLASSES = ("vector_32", "vector_64", "vector_f64", "multiplication", "transcendental", "transcendental_f64", "dual",
           "scalar", "scalar_memory", "local_memory", "global_memory", "control")
MICROSECOND = 110 * 1700  # passes of vector instructions or LDS of MI250X


def kernel(lanes, counts=(), **instructions):
    return {"vector_registers": 64, "spilled_registers": 0, "lds_bytes": 8192, "group_threads": 128, "lanes": lanes,
            "launches": 1, "local_passes": 0, "local_conflicts": 0, "global_bytes": 0, "global_lines": 0,
            "launch_lines": 0, **dict(counts), "instructions": {**dict.fromkeys(CLASSES, 0), **instructions}}


class Speed(unittest.TestCase):
    def printed(self, kernels, *arguments, gpu="gfx90a", size="1920x1080", before=None):
        """Lines without what aligns their cells."""
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / name for name in ("after.json", "before.json")]
            for file, side in zip(files, (kernels, before)):
                file.write_text(json.dumps({f"vmaf-8, {size}": {gpu: side}}), encoding="utf-8")
            against = ["--against", files[1]] if before else []
            text = subprocess.run([sys.executable, SCRIPT, files[0], *against, *arguments], stdout=subprocess.PIPE,
                                  text=True, check=True).stdout
        return [" ".join(line.split()) for line in text.splitlines()]

    def test_the_largest_time_of_each_kernel_is_added(self):
        lines = self.printed({
            "adm": kernel(64, vector_32=10 * MICROSECOND),
            "vif": kernel(64, {"local_passes": 15 * MICROSECOND, "local_conflicts": 5 * MICROSECOND},
                          vector_32=4 * MICROSECOND, transcendental=MICROSECOND)})
        self.assertIn("| adm | 10.00 | 0.00 | 0.00 | 0.00 | vector |", lines)
        self.assertIn("| vif | 8.00 | 20.00 | 0.00 | 0.00 | LDS |", lines)
        self.assertIn("* MI250X, one GCD: bound 30.0 µs, 33,333 frames/s, 66,667 with both", lines)
        self.assertIn("| adm | 64 | 0 | 8192 | 4096 | 8 | 4 |", lines)

    def test_memory(self):
        lines = self.printed({"adm": kernel(64, {"global_lines": 3 * MICROSECOND, "launch_lines": 128_000})})
        self.assertIn("| adm | 0.00 | 0.00 | 3.00 | 5.00 | memory |", lines)

    def test_smaller_pictures_are_scaled(self):
        lines = self.printed({"adm": kernel(64, vector_32=10 * MICROSECOND)}, size="960x540")
        self.assertIn("* MI250X, one GCD: bound 40.0 µs, 25,000 frames/s, 50,000 with both", lines)

    def test_rdna(self):
        passes = 96 * 2500 * 2
        lines = self.printed({"adm": kernel(32, vector_32=passes, vector_f64=passes, multiplication=passes)},
                             gpu="gfx1100")
        self.assertIn("* RX 7900 XTX: bound 21.0 µs, 47,619 frames/s", lines)

    def test_before_and_after(self):
        before = {"adm": kernel(64, vector_32=10 * MICROSECOND, multiplication=10 * MICROSECOND)}
        after = copy.deepcopy(before)
        after["adm"]["instructions"]["vector_32"] = 0
        after["adm"]["vector_registers"] = 200
        row = next(line for line in self.printed(after, before=before) if line.startswith("| sum"))
        self.assertTrue(row.endswith("| 20.00 | 10.00 | 0.50 | | |"), row)
        self.assertIn("| sum | 115 → 58 | | 20.0 → 10.0 |", self.printed(after, "--summary", before=before))
        self.assertIn("| adm | 115 → 58 | 4 → 2 | 50.0 → 40.0 |",
                      self.printed(after, "--summary", "--multiplication", "4", before=before))


if __name__ == "__main__":
    unittest.main(verbosity=2)
