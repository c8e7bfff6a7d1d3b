#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs the rules of contrib/snakemake: their results are those of one process.

    snakemake_test.py ISOVMAF RULES
"""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from batch_runs import BatchTest

RULES = pathlib.Path()
SNAKEFILE = """
config["isovmaf"] = {{"manifest": "m.csv", "run": "run", "shards": 2, "options": "--backend cpu"}}
include: "{}"
rule all:
    input: rules.isovmaf_batch.output
"""


@unittest.skipUnless(shutil.which("snakemake"), "there is no snakemake")
class Snakemake(BatchTest):
    def snakemake(self, *options):
        (self.folder / "bin").mkdir(exist_ok=True)
        program = self.folder / "bin" / "isovmaf"
        if not program.exists():
            program.symlink_to(self.ISOVMAF)
        environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(self.folder)}
        result = subprocess.run(["snakemake", "--cores", "2", "--snakefile", self.write("Snakefile", SNAKEFILE.format(RULES)),
                                 *options, "all"], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def test_rules_give_the_results_of_one_process(self):
        self.snakemake()
        run = self.folder / "run"
        self.assertEqual(self.results(run), self.results(self.run_folder("one")))
        self.assertEqual(len(self.records(run)), len(self.pairs))
        self.assertIn("Nothing to be done", self.snakemake("--dry-run"))
        changed = self.folder / "dis1.y4m"
        changed.unlink()
        shutil.copy(self.clips / "ref1.y4m", changed)
        self.snakemake()
        self.assertEqual(self.results(run), self.results(self.run_folder("changed")))
        self.assertEqual(len(self.records(run)), len(self.pairs) + 1)

    def test_pairs_without_scores_are_no_failure_of_the_workflow(self):
        (self.folder / "dis0.y4m").rename(self.folder / "dis2.y4m") # of another size than ref2.y4m
        shutil.copy(self.clips / "dis0.y4m", self.folder)
        self.snakemake()
        self.assertEqual([row["distorted"] for row in self.rows(self.folder / "run", "failures.csv")], ["dis2.y4m"])
        self.assertEqual(len(self.rows(self.folder / "run")), len(self.pairs) - 1)


if __name__ == "__main__":
    BatchTest.ISOVMAF, RULES = os.path.abspath(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
