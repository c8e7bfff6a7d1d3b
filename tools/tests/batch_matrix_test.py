#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""However the work of a batch is spread, `isovmaf batch` leaves the same bytes.

    batch_matrix_test.py ISOVMAF [PLUGIN...]     plugins: files named libvmaf_BACKEND.so, and libisovmaf_mpi.so
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from batch_pairs import make_batch
from batch_runs import LAUNCHER, MPI_ENVIRONMENT, SCRATCH, BatchRuns


class Matrix(BatchRuns):
    PLUGINS, MPI = {}, False  # files by backend; whether MPI jobs can be run

    @classmethod
    def setUpClass(cls):
        cls.clips = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
        cls.addClassCleanup(shutil.rmtree, cls.clips)
        cls.manifest, cls.rows_of_batch = make_batch(cls.clips)
        one = cls("run_folder")
        one.folder = cls.clips
        cls.expected = one.results(one.run_folder("one", expect=65))
        cls.units = len(one.records(cls.clips / "one"))
        cls.finished, cls.failed = len(one.rows(cls.clips / "one")), len(one.rows(cls.clips / "one", "failures.csv"))

    def on(self, backend):
        """Options that choose a backend; skips the test where its plugin was not built."""
        if backend not in self.PLUGINS:
            self.skipTest(f"the plugin of {backend} was not built")
        return ("--backend", backend, "--backend-dir", self.PLUGINS[backend].parent)

    def assert_same(self, run):
        self.assertEqual(self.results(run), self.expected)
        self.assert_clean(run)

    def assert_computed_once(self, run):
        keys = [(record["unit"], record["key"]) for record in self.records(run)]
        self.assertEqual((len(keys), len(set(keys))), (self.units, self.units))

    def test_the_batch_has_what_it_should(self):
        self.assertGreaterEqual(self.finished, 60)
        self.assertGreaterEqual(self.failed, 6)
        self.assertEqual(self.finished + self.failed, len(self.rows_of_batch))
        kinds = {warning["kind"] for line in self.lines(self.clips / "one") for warning in line["warnings"]}
        self.assertIn("alignment", kinds)

    def test_workers_and_levels_of_the_cpu(self):
        for options in (("--workers", 4, "--threads", 3), ("--cpu", "scalar", "--threads", 1)):
            with self.subTest(options):
                self.assert_same(self.run_folder("run" + "".join(map(str, options)), *options, expect=65))

    def test_segments(self):
        run = self.run_folder("cut", "--segment-frames", 7, "--workers", 2, expect=65)
        self.assert_same(run)
        self.assertGreater(len(self.records(run)), self.units)
        # What was computed in segments is computed again in one piece, and the other way round.
        self.assert_same(self.run_folder("cut", expect=65))

    def test_three_processes_of_which_one_is_killed(self):
        run = self.folder / "elastic"
        processes = [self.start(run, "--segment-frames", 7) for _ in range(3)]
        while processes[0].poll() is None and (not run.exists() or len(self.records_so_far(run)) < self.units // 3):
            time.sleep(0.001)
        processes[0].kill()
        for process in processes[1:]:
            self.assertEqual(process.wait(), 65, process.stderr.read())
        self.assert_same(run)

    def test_shards_of_one_folder_and_of_several(self):
        run = self.folder / "shards"
        self.batch("prepare", self.manifest, "--run", run, "--shards", 5, "--skip-invalid")
        for i in range(5):
            self.batch("--run", run, "--shard", f"{i}/5", "--backend", "cpu", expect={0, 65})
        self.batch("merge", run, expect=65)
        self.assert_same(run)
        self.assert_computed_once(run)
        parts = [self.run_folder(f"part{i}", "--shard", f"{i}/3", "--segment-frames", 7, expect=65) for i in range(3)]
        self.batch("merge", *parts[::-1], "--out", self.folder / "merged", expect=65)
        self.assert_same(self.folder / "merged")

    def test_ranks_of_an_mpi_job(self):
        if not self.MPI:
            self.skipTest("the plugin of MPI was not built")
        run = self.folder / "ranks"
        command = self.command(self.manifest, "--run", run, "--backend", "cpu", "--segment-frames", 7)
        result = subprocess.run([*LAUNCHER, "-n", "4", *command], check=False, stdin=subprocess.DEVNULL,
                                capture_output=True, env=os.environ | MPI_ENVIRONMENT)
        self.assertEqual(result.returncode, 65, result.stderr)
        self.assert_same(run)

    def test_backends_one_after_the_other(self):
        for backend, shard in (("host", "2/24"), ("vulkan", "4/24")): # several units of short videos
            with self.subTest(backend), contextlib.suppress(unittest.SkipTest):
                self.run_folder("turns", "--shard", shard, backend=self.on(backend), expect={0, 65})
        run = self.run_folder("turns", expect=65)
        self.assert_same(run)
        self.assert_computed_once(run)

    def test_the_host_stand_in_in_segments(self):
        options = ("--segment-frames", 50)
        self.run_folder("host", *options, "--shard", "2/6", backend=self.on("host"), expect=65)
        self.assert_same(self.run_folder("host", *options, expect=65))

    def test_backends_at_the_same_time(self):
        run = self.folder / "mixed"
        processes = [self.start(run)]
        processes += [self.start(run, backend=self.on(backend)) for backend in self.PLUGINS]
        for process in processes:
            self.assertEqual(process.wait(), 65, process.stderr.read())
        self.assert_same(run)
        self.assert_computed_once(run)


if __name__ == "__main__":
    BatchRuns.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    while len(sys.argv) > 1 and sys.argv[1].endswith(".so"):
        plugin = pathlib.Path(sys.argv.pop(1)).absolute()
        if plugin.stem == "libisovmaf_mpi":
            Matrix.MPI = True
        else:
            Matrix.PLUGINS[plugin.stem.removeprefix("libvmaf_")] = plugin
    unittest.main()
