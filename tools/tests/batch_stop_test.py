#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Stops `isovmaf batch` by limits of time and by signals, and lets it go on.

    batch_stop_test.py ISOVMAF
"""

import os
import sys
import time
import unittest

from batch_runs import BatchTest

SLURM = ("SLURM_JOB_END_TIME", "SLURM_JOB_ID")


class TimeLeft(BatchTest):
    def limited(self, *arguments, expect=130, **variables):
        """Runs the batch with environment variables of a Slurm job, or without any."""
        environment = {name: value for name, value in os.environ.items() if name not in SLURM} | variables
        return self.batch(self.manifest, "--run", self.folder / "run", "--backend", "cpu", *arguments, expect=expect,
                          env=environment)

    def squeue(self, script):
        """A program in the place of Slurm's."""
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        (tools / "squeue").write_text(f"#!/bin/sh\n{script}\n")
        (tools / "squeue").chmod(0o755)
        return {"SLURM_JOB_ID": "1234", "PATH": f"{tools}:{os.environ['PATH']}"}

    def test_nothing_is_begun_in_the_last_seconds(self):
        result = self.limited("--time-left", 9)
        self.assertIn("stopped while the manifest was read", result.stderr)
        self.assertEqual([path.name for path in (self.folder / "run").iterdir() if path.is_file()], [])
        self.limited("--time-left", 3600, expect=0)
        self.assertEqual(self.results(self.folder / "run"), self.results(self.run_folder("whole")))

    def test_units_that_would_not_end_in_time_are_not_begun(self):
        """The second of three pairs is said to be large by the size of its files."""
        with open(self.folder / "dis0.y4m", "r+b") as file:
            file.truncate(1 << 42)
        self.manifest.write_text("reference,distorted,frame_cnt\nref1.y4m,dis1.y4m,\nref0.y4m,dis0.y4m,1\nref2.y4m,dis2.y4m,\n")
        result = self.limited("--time-left", 100, "--fast-keys")
        self.assertIn("stopped: 2 of 3 units done, 1 not begun, because the time that is left is too short; 2 by this "
                      "process", result.stdout)
        self.assertEqual(len(self.records(self.folder / "run")), 2)
        self.limited("--fast-keys", expect=0)
        self.assertEqual(len(self.records(self.folder / "run")), 3)

    def test_slurm_says_when_its_job_ends(self):
        self.limited("--time-left", "auto", SLURM_JOB_END_TIME=str(int(time.time()) + 5))
        self.assertIn("isovmaf: the job ends in 4 s", self.limited("--time-left", "auto", **self.squeue(
            'test "$*" = "--noheader --jobs=1234 --format=%L" && echo 0:04')).stderr)
        result = self.limited("--time-left", "auto", expect=0, **self.squeue("echo UNLIMITED"))
        self.assertIn("isovmaf: the job has no time limit", result.stderr)

    def test_what_is_no_time_is_refused(self):
        for words, code, text, variables in (
                ("--time-left takes a number of seconds, or auto", 2, "5m", {}),
                ("neither SLURM_JOB_END_TIME nor SLURM_JOB_ID is set", 2, "auto", {}),
                ("SLURM_JOB_END_TIME is \"soon\"", 2, "auto", {"SLURM_JOB_END_TIME": "soon"}),
                ("squeue says that \"NOT_SET\" is left to job 1234", 1, "auto", self.squeue("echo NOT_SET"))):
            self.assertIn(words, self.limited("--time-left", text, expect=code, **variables).stderr)
        variables = self.squeue("echo no controller >&2; exit 1")
        self.assertIn("squeue --noheader --jobs=1234 --format=%L failed: no controller",
                      self.limited("--time-left", "auto", expect=1, **variables).stderr)


class Stuck(BatchTest):
    def test_work_that_does_not_stop_is_ended(self):
        """Opening a model waits for ever: the file is a pipe that nobody writes to."""
        os.mkfifo(self.folder / "model.json")
        start = time.monotonic()
        process = self.start(self.folder / "run", "-m", f"path={self.folder / 'model.json'}", "--time-left", 10)
        self.assertEqual(process.wait(20), 130)
        self.assertGreater(time.monotonic() - start, 7)
        self.assertIn("the work did not stop within 8 s", process.stderr.read().decode())


if __name__ == "__main__":
    BatchTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
