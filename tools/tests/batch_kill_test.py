#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Kills `isovmaf batch` at random moments, at least twenty times, and resumes it: nothing is lost, nothing is computed
twice.

    batch_kill_test.py ISOVMAF [mpi] [SEED]     mpi: ranks of MPI jobs, too
"""

import os
import random
import signal
import sys
import time
import unittest

from batch_runs import BatchTest, ranks_of

KILLS = 10  # of processes, in each of two tests
KILLS_OF_RANKS = 5


class Killed(BatchTest):
    SEED, MPI = random.randrange(1 << 32), False

    def setUp(self):
        super().setUp()
        self.random = random.Random(self.SEED)
        self.longer_manifest()
        start = time.monotonic()
        run = self.run_folder("one", *self.options())
        self.seconds = time.monotonic() - start
        self.expected, self.units = self.results(run), len(self.records(run))

    def options(self):
        return ("--segment-frames", 2, "--retry-failed")  # units that are in work when processes are killed go on

    def finished(self, run):
        return set(self.records_so_far(run)) if (run / "stores").exists() else set()

    def kill(self, process):
        """Whether the process had not ended before."""
        process.kill()
        return process.wait() < 0

    def assert_nothing_is_lost_or_twice(self, run, before):
        """`before`: what was finished when a process was killed last."""
        self.assertLessEqual(before, self.finished(run))
        self.assertEqual(self.results(run), self.expected)
        keys = [record["key"] for record in self.records(run)]
        self.assertEqual((len(keys), len(set(keys))), (self.units, self.units))
        self.assert_clean(run)

    def test_one_process(self):
        kills = rounds = 0
        while kills < KILLS:
            rounds += 1
            run, before, killed = self.folder / f"run{rounds}", set(), True
            while killed:
                process = self.start(run, *self.options())
                time.sleep(self.random.uniform(0, self.seconds / 2))
                killed = self.kill(process)
                kills += killed
                self.assertLessEqual(before, self.finished(run))
                before = self.finished(run)
                killed = killed and kills < KILLS
            self.run_folder(run.name, *self.options())
            self.assert_nothing_is_lost_or_twice(run, before)

    def test_one_of_three_processes(self):
        kills = rounds = 0
        while kills < KILLS:
            rounds += 1
            run, before = self.folder / f"run{rounds}", set()
            processes = [self.start(run, *self.options()) for _ in range(3)]
            for _ in range(3):
                time.sleep(self.random.uniform(0, self.seconds / 3))
                victim = self.random.randrange(3)
                kills += self.kill(processes[victim])
                self.assertLessEqual(before, self.finished(run))
                before = self.finished(run)
                processes[victim] = self.start(run, *self.options())
            for process in processes:
                self.assertEqual(process.wait(60), 0, process.stderr.read())
            self.assert_nothing_is_lost_or_twice(run, before)

    def test_one_rank_of_three(self):
        if not self.MPI:
            self.skipTest("the plugin of MPI was not built")
        kills = rounds = 0
        while kills < KILLS_OF_RANKS:
            rounds += 1
            run, before = self.folder / f"run{rounds}", set()
            job = self.start(run, *self.options(), ranks=3)
            while not (run / "stores").exists() and job.poll() is None: # MPI takes its time to start
                time.sleep(0.001)
            time.sleep(self.random.uniform(0, self.seconds / 2))
            ranks = ranks_of(job)
            if ranks and job.poll() is None:
                os.kill(self.random.choice(sorted(ranks.values())), signal.SIGKILL)
            kills += job.wait(60) != 0
            before = self.finished(run)
            self.run_folder(run.name, *self.options())
            self.assert_nothing_is_lost_or_twice(run, before)


if __name__ == "__main__":
    Killed.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    if sys.argv[1:2] == ["mpi"]:
        Killed.MPI = bool(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        Killed.SEED = int(sys.argv.pop(1))
    print(f"seed {Killed.SEED}", file=sys.stderr)
    unittest.main()
