#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""`isovmaf diff` finds each fault of a CPU path where it is, and nothing in a sound CPU path.

    cpu_path_test.py PROGRAM_WITH_SOUND_PATHS PROGRAM_WITH_FAULTY_PATHS FOLDER_OF_DOUBLES_PY CLIPS
"""

import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

SOUND, FAULTY, CLIPS = "", "", pathlib.Path()
EQUAL, DIFFER = 0, 1
NOISE = ["--generate", "noise", "--size", "150x40", "--chroma", "420", "--depth", "8", "--seed", "1", "--frames", "3"]


class CpuPathTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.report_file = pathlib.Path(temporary.name) / "report.json"

    def isovmaf(self, program, arguments):
        return subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False)

    def compare(self, program, expected, backends="cpu-ref,cpu"):
        features = [word for fault in PATH_FAULTS for word in ("--feature", fault.feature)]
        result = self.isovmaf(program, ["diff", "--backends", backends, *NOISE, "--no_prediction", *features, "--json",
                                        self.report_file])
        self.assertEqual(result.returncode, expected, result.stdout + result.stderr)
        return result.stdout, json.loads(self.report_file.read_text())

    def codes(self, report):
        return {proof["side"]: {feature: place["code"] for feature, place in proof["placement"].items()}
                for proof in report["proofs"]}

    def test_a_sound_path_is_equal(self):
        stdout, report = self.compare(SOUND, EQUAL)
        self.assertEqual((report["verdict"], report["different"], report["findings"]), ("equal", 0, []))
        self.assertGreater(report["words"], 0)
        self.assertEqual(self.codes(report), {"cpu-ref": dict.fromkeys(PATHS, "definition"),
                                              "cpu": dict.fromkeys(PATHS, "double")})
        self.assertIn("psnr by double", stdout)

    def test_a_fault_is_found_where_it_is(self):
        stdout, report = self.compare(FAULTY, DIFFER)
        findings = {finding["feature"]: finding for finding in report["findings"]}
        self.assertEqual(set(findings), set(PATHS), stdout)
        for fault in PATH_FAULTS:
            finding = findings[fault.feature]
            self.assertEqual(finding["side"], "cpu")
            found = finding["fault"]
            self.assertIsNotNone(found, stdout)
            self.assertEqual((found["stage"], found["x"], found["y"]), (fault.stage, fault.column, fault.row), stdout)
            self.assertIn(f"column {fault.column}, row {fault.row}", stdout)
            self.check_command(finding["command"])

    def check_command(self, command):
        """What the report says repeats the fault, and repeats it only where the fault is."""
        program, *arguments = shlex.split(command)
        self.assertEqual(program, "isovmaf")
        for isovmaf, expected in ((FAULTY, DIFFER), (SOUND, EQUAL)):
            result = self.isovmaf(isovmaf, arguments)
            self.assertEqual(result.returncode, expected, f"{command}\n{result.stdout}{result.stderr}")

    def test_the_definition_has_no_path_to_look_into(self):
        stdout, report = self.compare(FAULTY, DIFFER, backends="cpu,cpu-ref")
        for finding in report["findings"]:
            self.assertEqual((finding["side"], finding["fault"]), ("cpu-ref", None), stdout)
            self.assertIn("by its definition", finding["remark"])

    def test_scores_come_from_the_path_unless_definitions_are_asked_for(self):
        scores = {backend: self.scores(FAULTY, backend) for backend in ("cpu", "cpu-ref")}
        self.assertNotEqual(scores["cpu"], scores["cpu-ref"])
        self.assertEqual(scores["cpu-ref"], self.scores(SOUND, "cpu"))

    def scores(self, program, backend):
        arguments = ["score", "--backend", backend, "-r", CLIPS / "landscape_640x360_8b_ref.mkv",
                     "-d", CLIPS / "landscape_640x360_8b_dis.mkv", "--no_prediction", "--feature", "psnr",
                     "-q", "--frame_cnt", "2", "--json", "-o", self.report_file]
        result = self.isovmaf(program, arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(self.report_file.read_text())["frames"]


if __name__ == "__main__":
    sys.dont_write_bytecode = True # in the source folder
    SOUND, FAULTY, CLIPS = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[4])
    sys.path.insert(0, sys.argv[3])
    from doubles import PATH_FAULTS, PATHS

    unittest.main(argv=sys.argv[:1], verbosity=2)
