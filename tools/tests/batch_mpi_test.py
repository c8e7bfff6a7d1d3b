#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf batch` as ranks of an MPI job, with the mpirun of Open MPI.

    batch_mpi_test.py ISOVMAF [LIBVMAF_HOST]
"""

import collections
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import unittest

from batch_runs import LAUNCHER, MPI_ENVIRONMENT, BatchTest, ranks_of


class Ranks(BatchTest):
    def ranks(self, count, *arguments, expect=0, **environment):
        for _ in range(3):
            result = subprocess.run([*LAUNCHER, "-n", str(count), *self.command(*arguments)], stdin=subprocess.DEVNULL,
                                    capture_output=True, text=True, check=False,
                                    env=os.environ | MPI_ENVIRONMENT | environment)
            if result.returncode >= 0: # else mpirun itself crashed, as that of Open MPI 4.1 may when ranks end the job
                break
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def run_ranks(self, count, run, *options, **settings):
        return self.ranks(count, self.manifest, "--run", run, "--backend", "cpu", *options, **settings)


class SameBytes(Ranks):
    def test_ranks_change_no_byte(self):
        expected = self.results(self.run_folder("one"))
        for count in (2, 4):
            run = self.folder / f"run{count}"
            result = self.run_ranks(count, run, "--segment-frames", 4, "--workers", 2, "--progress", "json")
            text = result.stdout
            ended, = [json.loads(line) for line in result.stderr.splitlines() if line.startswith('{"ended":true')]
            self.assertEqual((ended["units"], ended["finished"], ended["frames"]), (9, 9, 6 + 1 + 12 + 3 + 6))
            self.assertEqual(self.results(run), expected)
            self.assertEqual(len(self.records(run)), 2 + 1 + 3 + 1 + 2)
            self.assert_clean(run)
            self.assertIn(f"MPI: {count} ranks, {count} of them on this host; Open MPI v", text.splitlines()[0])
            self.assertIn("When a rank dies, ", text.splitlines()[0])
            self.assertIn("9 units finished; 9 by all ranks\n", text)
            table = [line.split() for line in text.splitlines()[-count - 4:]]
            self.assertEqual([line[0] for line in table], ["rank", *map(str, range(count)), "least", "most", "all"])
            self.assertEqual((table[-1][1:5]), ["9", "0", "0", str(6 + 1 + 12 + 3 + 6)])
            self.assertEqual(sum(int(line[3]) for line in table[1:count + 1]), 9)

    def test_a_job_is_alone_on_its_folder(self):
        units = self.longer_manifest(held=True)
        run = self.folder / "run"
        with self.halfway(run, ranks=2) as job:
            text = self.run_ranks(2, run, expect=1).stderr
            self.assertRegex(text, r"isovmaf: error: an MPI job on host .* already works on run folder .*/run: wait")
            self.batch(self.manifest, "--run", run, "--backend", "cpu", expect=1)
        self.assertEqual(job.wait(), 0)
        self.assertEqual(len(self.records(run)), units)
        self.assertEqual(self.results(run), self.results(self.run_folder("one")))
        self.assert_clean(run)

    def test_a_rank_whose_device_fails_leaves_its_tasks_to_others(self):
        if not Collectives.HOST:
            self.skipTest("the host stand-in was not built")
        units = self.longer_manifest()
        run = self.folder / "run"
        program = self.write("isovmaf", f"""#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" = 1 ] || exec {shlex.quote(self.ISOVMAF)} "$@" --backend cpu
exec {shlex.quote(self.ISOVMAF)} "$@" --backend host --device 9 --backend-dir {shlex.quote(Collectives.HOST)}
""")
        program.chmod(0o755)
        result = subprocess.run([*LAUNCHER, "-n", "3", program, "batch", self.manifest, "--run", run], check=False,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                env=os.environ | MPI_ENVIRONMENT)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("isovmaf: error: rank 1: ", result.stderr)
        self.assertIn(f"{units} units finished; {units} by all ranks", result.stdout)
        self.assertEqual(self.results(run), self.results(self.run_folder("one")))

    def test_what_stores_say_is_known_to_all_ranks(self):
        self.longer_manifest()
        run = self.run_folder("run", "--shard", "0/2")
        before = self.records(run)
        known = self.digests(run)
        self.run_ranks(3, run, "--group", 1)
        self.assertEqual(len(self.records(run)), 40)
        self.assertLess(len(before), 40)
        added = self.digests(run)
        added.subtract(known)
        self.assertEqual([digest for digest in known if added[digest]], [])
        self.assertLessEqual(max(added.values()), 3)  # ranks that read a file at a time hash it side by side

    def digests(self, run):
        return collections.Counter((record["input"], record["digest"]) for record in self.records(run, "input"))

    def test_a_killed_rank_loses_the_units_in_work_alone(self):
        units = self.longer_manifest(held=True)
        run = self.folder / "run"
        with self.halfway(run, ranks=3) as job:
            os.kill(ranks_of(job)[1], signal.SIGKILL)
        self.assertNotEqual(job.wait(), 0)
        self.assertIn(len(self.records_so_far(run)), range(10, units + 1)) # the killed rank may have had no unit
        self.run_ranks(3, run)
        self.assertEqual(len(self.records_so_far(run)), units)
        self.assertEqual(self.results(run), self.results(self.run_folder("one")))


class Failures(Ranks):
    def test_all_ranks_end_alike_and_one_says_why(self):
        text = self.manifest.read_text()
        self.manifest.write_text(text + "ref0.y4m,missing.y4m,,\n")
        result = self.run_ranks(3, self.folder / "run", expect=1)
        self.assertEqual(result.stderr.count("cannot open missing.y4m"), 1)
        self.assertEqual(result.stderr.count("isovmaf: error: 1 row of the manifest cannot be scored"), 1)
        self.assertEqual(self.ranks(2, self.manifest, "--dry-run", expect=1).stdout.count("5 pairs"), 1)
        self.manifest.write_text(text)
        (self.folder / "dis1.y4m").unlink()
        self.write("dis1.y4m", "YUV4MPEG2 W64 H48 C420jpeg\nFRAME\n")
        self.run_ranks(2, self.folder / "run", expect=65)
        self.assertEqual([row["kind"] for row in self.rows(self.folder / "run", "failures.csv")], ["permanent"])

    def test_a_missing_plugin_is_named_and_the_folder_engine_does_without(self):
        settings = {"env": os.environ | {"OMPI_COMM_WORLD_SIZE": "2", "ISOVMAF_MPI_PLUGIN": "/no/plugin.so"}}
        text = self.batch(self.manifest, "--run", self.folder / "x", expect=1, **settings).stderr
        self.assertIn("an MPI launcher started 2 processes (OMPI_COMM_WORLD_SIZE): ISOVMAF_MPI_PLUGIN names the file "
                      "/no/plugin.so, which is not there", text)
        self.assertIn("--engine folder", text)
        self.run_folder("run", "--engine", "folder", **settings)
        other = self.write("other.so", "")
        settings["env"]["ISOVMAF_MPI_PLUGIN"] = str(other)
        text = self.batch(self.manifest, "--run", self.folder / "x", expect=1, **settings).stderr
        self.assertIn("other.so: cannot be loaded", text)

    def test_the_mpi_of_another_launcher_is_refused(self):
        settings = {"env": os.environ | MPI_ENVIRONMENT | {"PMI_SIZE": "2"}}
        self.assertIn("knows one: it is another MPI than the launcher's",
                      self.batch(self.manifest, "--run", self.folder / "x", expect=1, **settings).stderr)


class Collectives(Ranks):
    HOST = None # the host stand-in, if it was built

    def check(self, count, *options, **settings):
        return self.ranks(count, "mpi-check", "--max-count", 20, *options, **settings).stdout

    def test_they_give_every_bit(self):
        text = self.check(3)
        for words in ("library: Open MPI v", "standard: MPI ", "ranks: 3, 3 of them", "GPU-aware: CUDA ", "(ULFM): ",
                      "values of rank 0: host memory"):
            self.assertIn(words, text)
        self.assertEqual([line.split()[0] for line in text.splitlines() if line.endswith(" equal")],
                         ["1", "2", "3", "4", "7", "8", "15", "16"])
        self.assertNotIn("DIFFERENT", text)

    def test_both_ways_from_a_device(self):
        if not self.HOST:
            self.skipTest("the host stand-in was not built")
        backend = ("--backend", "host", "--backend-dir", self.HOST)
        for mode, ways in (("auto", 2), ("on", 2), ("off", 1)):
            text = self.check(2, *backend, "--device-buffers", mode)
            self.assertEqual((text.count("staged sum"), text.count("direct sum")), (1, ways - 1))
            lines = [line.split() for line in text.splitlines() if line.endswith(" equal")]
            self.assertEqual({len(line) for line in lines}, {2 + 4 * ways * 2})
            self.assertEqual(len(lines), 8)

    def test_a_rank_that_cannot_go_on_ends_all(self):
        self.assertIn("backend hip was not found",
                      self.ranks(2, "mpi-check", "--backend", "hip", "--backend-dir", self.folder, expect=1).stderr)


if __name__ == "__main__":
    Ranks.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and os.path.isfile(sys.argv[1]):
        Collectives.HOST = os.path.dirname(os.path.abspath(sys.argv.pop(1)))
    if not shutil.which("mpirun"):
        print("there is no mpirun: install openmpi-bin")
        sys.exit(77)
    unittest.main()
