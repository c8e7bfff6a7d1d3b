#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs docs/examples/ci-gate.slurm with the host stand-in, without Slurm and with a simulated Slurm of two nodes.

    ci_gate_test.py SCRIPT ISOVMAF HOST_PLUGIN
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = ISOVMAF = PLUGIN = pathlib.Path()

SRUN = """#!/bin/bash
while [[ $1 == --* ]]; do shift; done
SLURMD_NODENAME=one "$@"
%s SLURMD_NODENAME=two "$@"
"""


# The program; its comparisons are of one feature, as the tests `gate` compare all of them.
PROGRAM = """#!/bin/bash
[[ $1 == diff ]] && set -- "$@" --feature psnr --no_prediction
exec '%s' "$@"
"""


class CiGateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "isovmaf"
        self.program.write_text(PROGRAM % ISOVMAF)
        self.program.chmod(0o755)

    def run_script(self, expect, second_node=None, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")} | {
            "ISOVMAF": str(self.program), "ISOVMAF_BACKEND_DIR": str(PLUGIN.parent), "SIDES": "cpu-ref,host",
            "REQUIRE": "host", "FUZZ": "0.3", "REPORTS": str(self.folder / "reports")}
        if second_node is not None:
            srun = self.folder / "srun"
            srun.write_text(SRUN % second_node)
            srun.chmod(0o755)
            environment |= {"PATH": f"{self.folder}:{os.environ['PATH']}", "SLURM_JOB_ID": "123",
                            "SLURM_JOB_NUM_NODES": "2", "SLURM_CPUS_PER_TASK": "2"}
        result = subprocess.run(["bash", SCRIPT], env=environment | variables, capture_output=True, text=True,
                                check=False)
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result.stdout

    def report(self, name):
        return json.loads((self.folder / "reports" / name).read_text())

    def test_without_slurm(self):
        self.run_script(0, SEED="7")
        node = os.uname().nodename
        for step in ("sweep", "fuzz"):
            report = self.report(f"{node}.{step}.json")
            self.assertEqual((report["verdict"], report["seed"]), ("equal", 7))
            self.assertEqual([proof["side"] for proof in report["proofs"]], ["cpu-ref", "host:0"])
            for suffix in ("txt", "xml", "md", "html"):
                self.assertGreater((self.folder / "reports" / f"{node}.{step}.{suffix}").stat().st_size, 0)

    def test_the_worst_node_decides(self):
        text = self.run_script(2, second_node="ISOVMAF_HOST_FAIL=lost:300")
        self.assertEqual(text, "one: 0\ntwo: 2\n")
        self.assertEqual(self.report("one.sweep.json")["seed"], 123)
        self.assertIn("host:0", self.report("two.sweep.json")["failure"])

    def test_a_node_without_a_result_is_a_failure(self):
        self.assertIn("1 of 2 nodes have no result", self.run_script(2, second_node="exit 0;"))

    def test_a_missing_backend_is_a_failure(self):
        self.run_script(2, REQUIRE="hip")
        self.run_script(127, ISOVMAF="/nonexistent/isovmaf")


if __name__ == "__main__":
    SCRIPT, ISOVMAF, PLUGIN = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    unittest.main(argv=sys.argv[:1])
