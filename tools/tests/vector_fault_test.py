#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""`isovmaf diff` finds each fault of vector code at its stage, column and row, and only at the level that has it.

    vector_fault_test.py PROGRAM PROGRAM_WITH_FAULTY_VECTORS LEVEL FOLDER_OF_DOUBLES_PY
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOUND, FAULTY, LEVEL = "", "", ""
NOISE = ["--generate", "noise", "--size", "150x40", "--chroma", "420", "--depth", "8", "--seed", "1", "--frames", "3"]


class VectorFaultTest(unittest.TestCase):
    def compare(self, program, backends):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            features = [word for fault in VECTOR_FAULTS for word in ("--feature", fault.feature)]
            result = subprocess.run([program, "diff", "--backends", backends, *NOISE, "--no_prediction", *features,
                                     "--json", report], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                    check=False)
            return result, json.loads(report.read_text())

    def test_each_fault_is_found_where_it_is(self):
        result, report = self.compare(FAULTY, f"cpu-ref,cpu:{LEVEL}")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        findings = {finding["feature"]: finding for finding in report["findings"]}
        self.assertEqual(set(findings), {fault.feature for fault in VECTOR_FAULTS}, result.stdout)
        for fault in VECTOR_FAULTS:
            found = findings[fault.feature]["fault"]
            self.assertEqual(findings[fault.feature]["side"], f"cpu:{LEVEL}")
            self.assertIsNotNone(found, result.stdout)
            self.assertEqual((found["stage"], found["x"], found["y"]), (fault.stage, fault.column, fault.row),
                             result.stdout)
            self.assertIn(f"cpu:{LEVEL}", findings[fault.feature]["command"])

    def test_other_levels_and_the_sound_program_are_equal(self):
        result, _ = self.compare(SOUND, "cpu-ref,cpu:all")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        result, report = self.compare(FAULTY, "cpu-ref,cpu:all")
        self.assertEqual({finding["side"] for finding in report["findings"]}, {f"cpu:{LEVEL}"}, result.stdout)


if __name__ == "__main__":
    sys.dont_write_bytecode = True # in the source folder
    SOUND, FAULTY, LEVEL = sys.argv[1:4]
    sys.path.insert(0, sys.argv[4])
    from doubles import VECTOR_FAULTS

    unittest.main(argv=sys.argv[:1], verbosity=2)
