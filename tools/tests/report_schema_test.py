#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks JSON reports against the schema that is installed.

    report_schema_test.py ISOVMAF SCHEMA PAIR_WARNING_HPP
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import unittest

import jsonschema

from score_runs import FRAMES, ScoreTest, picture, y4m


class Schema(ScoreTest):
    schema = None
    warning_header = None

    @classmethod
    def setUpClass(cls):
        jsonschema.Draft202012Validator.check_schema(cls.schema)
        cls.validator = jsonschema.Draft202012Validator(cls.schema)

    def assert_valid(self, report):
        errors = [f"{list(error.absolute_path)}: {error.message[:200]}" for error in self.validator.iter_errors(report)]
        self.assertEqual(errors, [])

    def test_reports_of_many_kinds_are_valid(self):
        shorter = self.write("short.y4m", y4m([picture(n) for n in range(FRAMES - 2)]))
        for options, files, kinds in (
                (("-m", "version=vmaf_v0.6.1", "--subsample", 2), {}, []),
                (("-m", "version=vmaf_b_v0.6.3", "--precision", "hex", "--feature", "psnr"), {}, []),
                (("--no_prediction", "--feature", "psnr", "--timing", "--stats"), {"distorted": self.reference}, []),
                (("--backend", "cpu", "--decoders", 2, "--part-frames", 2, "--stats"), {}, []),
                (("--sync", "pts", "--precision", "max"), {}, []),
                (("--no_prediction", "--feature", "vif"), {"distorted": shorter}, ["lengths"]),
                (("--crop", "64x48+0+0", "--resize", "dis"), {}, [])):
            report = self.report(*options, **files)
            self.assert_valid(report)
            self.assertEqual([warning["kind"] for warning in report["isovmaf"]["warnings"]], kinds, options)

    def test_a_report_of_a_batch_is_valid(self):
        manifest = self.write("pairs.csv", f"reference,distorted\n{self.reference},{self.distorted}\n".encode())
        run = self.folder / "run"
        subprocess.run([self.ISOVMAF, "batch", manifest, "--run", run], check=True, capture_output=True)
        subprocess.run([self.ISOVMAF, "batch", "export", run, "--format", "json"], check=True, capture_output=True)
        (report,) = (run / "reports").iterdir()
        self.assert_valid(json.loads(report.read_text()))

    def test_keys_that_the_schema_does_not_have_are_found(self):
        report = self.report("--no_prediction", "--feature", "psnr")
        for place in ((), ("isovmaf",), ("isovmaf", "reference"), ("isovmaf", "sync"), ("frames", 0),
                      ("pooled_metrics", "psnr_y")):
            changed = copy.deepcopy(report)
            inner = changed
            for key in place:
                inner = inner[key]
            inner["new"] = {}
            self.assertFalse(self.validator.is_valid(changed), place)

    def test_kinds_of_warnings_are_those_of_the_code(self):
        kinds = re.findall(r'constexpr const char \*\w+ = "(\w+)"', self.warning_header.read_text())
        self.assertEqual(self.schema["$defs"]["warning"]["properties"]["kind"]["enum"], kinds)


if __name__ == "__main__":
    Schema.warning_header = pathlib.Path(sys.argv.pop())
    Schema.schema = json.loads(pathlib.Path(sys.argv.pop()).read_text())
    ScoreTest.ISOVMAF = sys.argv.pop(1)
    unittest.main(verbosity=2)
