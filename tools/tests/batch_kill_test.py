#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Random faults while `isovmaf batch` works, in each way to share a batch: processes are killed, stopped, or asked to
end, and their files and clocks are at fault. The same command, without the faults, then leaves the bytes of a run without
faults, and nothing that was finished is lost or done again.

    batch_kill_test.py ISOVMAF [SYSTEM_FAULTS] [mpi] [COUNT]

SYSTEM_FAULTS: the library of tools/tests/faults. mpi: ranks of MPI jobs, too. COUNT: of faults in each way (6).
ISOVMAF_TEST_SEED (1) chooses them."""

import os
import pathlib
import random
import shutil
import signal
import sys
import time
import unittest

from batch_runs import BatchTest, ranks_of

PROCESSES = 3
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM)
FILES = ("dis2.y4m", "ref0.y4m", "run.json", ".jsonl", ".words")  # at whose reading or writing calls fail


class Faults(BatchTest):
    SEED, COUNT, MPI, SYSTEM_FAULTS = int(os.environ.get("ISOVMAF_TEST_SEED", 1)), 6, False, None

    def setUp(self):
        super().setUp()
        self.random = random.Random(f"{self.SEED} {self.id()}")
        self.longer_manifest()
        start = time.monotonic()
        self.expected = self.results(self.run_folder("one", *self.options()))
        self.seconds = time.monotonic() - start
        self.units = len(self.records(self.folder / "one"))
        if self.SYSTEM_FAULTS:
            shutil.copy(self.SYSTEM_FAULTS, self.folder / "faults.so")  # LD_PRELOAD ends a path at a space

    def options(self):
        return ("--segment-frames", 2, "--retry-failed")  # units that are in work when processes are killed go on

    def faults(self):
        """An environment in which files or the clock of a process are at fault, or are not."""
        kinds = [None, None] + (["EIO", "ESTALE", "ENOSPC", "CLOCK"] if self.SYSTEM_FAULTS else [])
        kind = self.random.choice(kinds)
        if not kind:
            return dict(os.environ)
        value = self.random.choice((-3600, 3600)) if kind == "CLOCK" else self.random.choice(FILES)
        self.log.append(f"{kind} {value}")
        return os.environ | {"LD_PRELOAD": str(self.folder / "faults.so"), f"SYSTEM_FAULTS_{kind}": str(value)}

    def finished(self, run):
        lines = self.records_so_far(run) if (run / "stores").exists() else []
        return {line for line in lines if '"bytes"' in line}

    def disturb(self, process):
        """After a while the process gets a signal."""
        time.sleep(self.random.uniform(0, self.seconds / 2))
        number = self.random.choice(SIGNALS)
        self.log.append(signal.Signals(number).name)
        try:
            os.kill(process, number)
            if number == signal.SIGSTOP:
                time.sleep(self.random.uniform(0, self.seconds))
                os.kill(process, signal.SIGCONT)
        except ProcessLookupError:  # it has ended before
            pass

    def assert_goes_on(self, run, resume):
        """`resume` does what is left, without faults."""
        before = self.finished(run)
        resume()
        self.assertLessEqual(before, self.finished(run), self.log)
        self.assertEqual(self.results(run), self.expected, self.log)
        keys = [record["key"] for record in self.records(run) if "bytes" in record]
        self.assertGreaterEqual(len(keys), self.units)
        if not any(".y4m" in fault for fault in self.log):  # a process that cannot count frames plans other units
            self.assertEqual((len(keys), len(set(keys))), (self.units, self.units), self.log)

    def disturb_one_of(self, count):
        """Starts so many processes of one host for each fault."""
        for fault in range(self.COUNT):
            self.log, run = [], self.folder / f"run{fault}"
            processes = [self.start(run, *self.options(), env=self.faults()) for _ in range(count)]
            self.disturb(self.random.choice(processes).pid)
            for process in processes:
                process.wait()
            self.assert_goes_on(run, lambda: self.run_folder(run.name, *self.options()))
            self.assert_clean(run)

    def test_one_process(self):
        self.disturb_one_of(1)

    def test_processes_of_one_host(self):
        self.disturb_one_of(PROCESSES)

    def test_shards(self):
        for fault in range(self.COUNT):
            self.log, run = [], self.folder / f"run{fault}"
            shards = [f"{i}/{PROCESSES}" for i in range(PROCESSES)]
            self.batch("prepare", self.manifest, "--run", run, "--segment-frames", 2, "--shards", PROCESSES)
            processes = [self.start(run, "--retry-failed", "--shard", shard, manifest=(), env=self.faults())
                         for shard in shards]
            self.disturb(self.random.choice(processes).pid)
            for process in processes:
                process.wait()

            def resume():
                for shard in shards:
                    self.batch("--run", run, "--retry-failed", "--shard", shard, "--backend", "cpu")
                self.batch("merge", run)
            self.assert_goes_on(run, resume)

    def test_ranks_of_an_mpi_job(self):
        if not self.MPI:
            self.skipTest("the plugin of MPI was not built")
        for fault in range(self.COUNT):
            self.log, run = [], self.folder / f"run{fault}"
            job = self.start(run, *self.options(), ranks=PROCESSES)
            while not (run / "stores").exists() and job.poll() is None:  # MPI takes its time to start
                time.sleep(0.001)
            ranks = sorted(ranks_of(job).values())
            if ranks:
                self.disturb(self.random.choice(ranks))
            job.wait()
            self.assert_goes_on(run, lambda: self.run_folder(run.name, *self.options()))


if __name__ == "__main__":
    Faults.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1].endswith(".so"):
        Faults.SYSTEM_FAULTS = str(pathlib.Path(sys.argv.pop(1)).absolute())
    if sys.argv[1:2] == ["mpi"]:
        Faults.MPI = bool(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        Faults.COUNT = int(sys.argv.pop(1))
    print(f"seed {Faults.SEED}", file=sys.stderr)
    unittest.main()
