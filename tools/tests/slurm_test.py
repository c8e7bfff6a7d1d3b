#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs the scripts of contrib/slurm as they are, on a Slurm cluster of two nodes: their results are those of one process,
byte for byte, also when tasks are killed, queued again, or asked to end, and when a node cannot do what they are to do.

    slurm_test.py ISOVMAF SCRIPTS SYSTEM_FAULTS [mpi]      # mpi: the program's plugin for MPI was built
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import slurm_cluster
from batch_runs import MPI_ENVIRONMENT, BatchTest, HeldFile
from score_runs import picture, y4m

SCRIPTS, SYSTEM_FAULTS, WITH_MPI = pathlib.Path(), "", False
SHARDS = 6
HELD = ("held1.y4m", "held2.y4m", "held3.y4m") # so much larger than other videos that no shard gets two of them

# The program. With a FAULT, the node that starts task 0 first is broken.
PROGRAM = """#!/bin/bash
job=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}
echo $$ >"new-$$"
mv "new-$$" "pid-$job${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}"
if [[ $FAULT ]]; then
    [[ $SLURM_ARRAY_TASK_ID != 0 || -e broken-$job ]] || echo "$SLURMD_NODENAME" >"broken-$job"
    [[ ! -e broken-$job || $SLURMD_NODENAME != "$(<"broken-$job")" ]] || eval "$FAULT"
fi
exec "$REAL_ISOVMAF" "$@"
"""
NO_DEVICE = 'set -- "${@/#cpu/hip}"; export ISOVMAF_BACKEND_DIR=$PWD/there-is-none'
NO_VIDEOS = "export LD_PRELOAD=$PWD/faults.so SYSTEM_FAULTS_EIO=.y4m"
# Two that stand in for the program: one works until it is asked to end, one fails in all tasks but the first.
WORKING = """#!/bin/bash
trap 'exit 130' TERM
touch "started-$SLURM_JOB_NAME"
sleep 100 &
wait
"""
FAILING = """#!/bin/bash
[[ ${SLURM_ARRAY_TASK_ID:-} == 0 ]] || exit 75
sleep 2
"""


def has_pending_signal(process, number):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return any(int(mask, 16) >> (number - 1) & 1 for mask in re.findall(r"^S[hi][dg]Pnd:\s*(\w+)", status, re.M))


@unittest.skipIf(slurm_cluster.missing(), slurm_cluster.missing())
class Slurm(BatchTest):
    expected = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for seed, name in enumerate(HELD):
            (cls.clips / name).write_bytes(y4m([picture(seed)] * 80))
        cls.cluster = cls.enterClassContext(slurm_cluster.Cluster())

    def setUp(self):
        super().setUp()
        rows = [f"{reference},{distorted},{n},{feature}\n" for n in range(1, 7) for feature in ("", "psnr")
                for reference, distorted in self.pairs]
        for name, place in zip(HELD, (0, 20, 40)):
            rows.insert(place, f"{name},{name},80,\n")
        self.count = len(rows)
        self.manifest.write_text("".join(["reference,distorted,frame_cnt,feature\n", *rows]))
        self.stand_in("isovmaf", PROGRAM)
        self.addCleanup(self.cluster.run, "scancel", f"--user={self.cluster.user}")

    def stand_in(self, name, text):
        """The program of the jobs that are submitted from now on."""
        self.program = self.write(name, text)
        self.program.chmod(0o755)

    def results_of_one_process(self):
        if not self.expected:
            type(self).expected = self.results(self.run_folder("one"))
        return self.expected

    def sbatch(self, script, *arguments, options=(), **variables):
        environment = {**self.cluster.environment, "ISOVMAF": str(self.program), "REAL_ISOVMAF": self.ISOVMAF, "WAIT": "0",
                       **variables}
        return self.cluster.run("sbatch", "--parsable", "--cpus-per-task=2", *options, SCRIPTS / script, *arguments,
                                cwd=self.folder, env=environment).strip()

    def shards(self, run="run", *, array=None, **variables):
        """Submits all shards of the run folder that are not done, and what writes the results when they are."""
        job = self.sbatch("batch-shards.slurm", run, "--backend", "cpu", options=(f"--array={array or self.missing(run)}",),
                          **variables)
        return job, self.sbatch("batch-merge.slurm", run, options=(f"--dependency=afterany:{job}",))

    def prepare(self, run="run"):
        self.batch("prepare", self.manifest, "--run", self.folder / run, "--shards", SHARDS)

    def missing(self, run="run"):
        return self.batch("status", self.folder / run, "--missing").stdout.strip()

    def until(self, condition):
        deadline = time.monotonic() + slurm_cluster.LIMIT
        while not condition():
            self.assertLess(time.monotonic(), deadline, self.logs())
            time.sleep(0.02)

    def process_of(self, job):
        """The program's process in a job, once it has started."""
        path = self.folder / f"pid-{job}"
        self.until(path.exists)
        return int(path.read_text())

    def running_tasks(self, job):
        return [f"{job}_{task['ArrayTaskId']}" for task in self.cluster.tasks(job) if task["JobState"] == "RUNNING"]

    @contextlib.contextmanager
    def held(self, *names):
        """No process can open these files until the block ends. Yields a function that waits until each is awaited."""
        with contextlib.ExitStack() as stack:
            files = [stack.enter_context(HeldFile(self.folder / name)) for name in names]
            yield lambda: self.until(lambda: all(file.is_awaited() for file in files))

    def logs(self):
        return "".join(path.read_text() for path in sorted(self.folder.glob("isovmaf-*.log")))

    def assert_done_once(self):
        self.assertEqual(self.results(self.folder / "run"), self.results_of_one_process())
        keys = [record["key"] for record in self.records(self.folder / "run")]
        self.assertEqual((len(keys), len(set(keys))), (self.count, self.count))
        self.assert_clean(self.folder / "run")

    def assert_shards_end(self, job, merge):
        """Returns how often each task was queued again."""
        tasks = self.cluster.wait(job)
        self.assertEqual([task[:2] for task in tasks], [("COMPLETED", 0)] * SHARDS, self.logs())
        self.assertEqual(self.cluster.wait(merge), [("COMPLETED", 0, 0)], self.logs())
        return [restarts for _, _, restarts in tasks]

    def ask_to_end(self, job, release):
        """As --signal=B:TERM@60 does. The program has the signal before `release` lets it go on."""
        process = self.process_of(job)
        os.kill(process, signal.SIGSTOP)
        self.cluster.run("scancel", "--batch", "--signal=TERM", job)
        self.until(lambda: has_pending_signal(process, signal.SIGTERM))
        release()
        os.kill(process, signal.SIGCONT)

    def test_shards_that_are_killed_or_queued_again(self):
        self.prepare()
        with contextlib.ExitStack() as stack:
            wait_for_work = stack.enter_context(self.held(*HELD))
            job, merge = self.shards(array=f"0-{SHARDS - 1}%1")
            self.until(lambda: self.running_tasks(job))
            self.cluster.run("scontrol", "update", f"JobId={job}", f"ArrayTaskThrottle={SHARDS}")
            wait_for_work()
            self.until(lambda: len(self.running_tasks(job)) == len(HELD))
            killed, queued, asked = self.running_tasks(job)
            os.kill(self.process_of(killed), signal.SIGKILL)
            self.cluster.run("scontrol", "requeue", queued) # as preemption does
            self.ask_to_end(asked, stack.close)
        self.assertEqual(sorted(self.assert_shards_end(job, merge)), [0, 0, 0, 1, 1, 1], self.logs())
        self.assertEqual(self.logs().count("the task was asked to end; queueing the task again"), 1)
        self.assertEqual(self.logs().count("the program died of signal 9 (exit code 137)"), 1)
        self.assert_done_once()

    def test_a_node_that_cannot_do_shards(self):
        """It has no device, or cannot read videos: as when its FFmpeg lacks a decoder, pairs fail there alone."""
        shutil.copy(SYSTEM_FAULTS, self.folder / "faults.so") # LD_PRELOAD ends a path at a space
        texts = {NO_DEVICE: ": a device cannot be used (exit code 69)",
                 NO_VIDEOS: ": pairs failed that may succeed on another node (exit code 75)"}
        jobs = {}
        for fault in texts:
            run = f"run{len(jobs)}"
            self.prepare(run)
            self.assertEqual(self.missing(run), f"0-{SHARDS - 1}")
            jobs[run] = fault, *self.shards(run, FAULT=fault)
        for run, (fault, job, merge) in jobs.items():
            restarts = self.assert_shards_end(job, merge)
            self.assertEqual(max(restarts), 1, self.logs()) # each task that failed was queued for the other node
            self.assertEqual(self.logs().count(texts[fault]), sum(restarts), self.logs())
            self.assertEqual(self.missing(run), "")
            self.assertEqual(self.results(self.folder / run), self.results_of_one_process())

    def test_failures_are_tried_a_few_times(self):
        self.prepare()
        self.stand_in("failing", FAILING)
        everywhere, merge = self.shards(array="0-1")
        once, _ = self.shards(array="1", TRIES="1")
        alone = self.sbatch("batch-preemptible.slurm", "m.csv", "run", TRIES="1")
        self.assertEqual(sorted(self.cluster.wait(everywhere)), [("COMPLETED", 0, 0), ("FAILED", 75, 1)])
        self.assertEqual(self.cluster.wait(once), [("FAILED", 75, 0)])
        self.assertEqual(self.cluster.wait(alone), [("FAILED", 75, 1)])
        self.assertEqual(self.cluster.wait(merge), [("FAILED", 75, 0)])
        self.assertIn("no node of the partition main is left, and the shard is not queued again", self.logs())
        self.assertRegex(self.logs(), "the shard failed on (first|second), and is not queued again")

    def test_jobs_that_were_cancelled_do_not_come_back(self):
        self.prepare()
        self.stand_in("working", WORKING)
        alone = self.sbatch("batch-preemptible.slurm", "m.csv", "run")
        shard, _ = self.shards(array="0")
        self.stand_in("failing", FAILING)
        waiting, _ = self.shards(array="1", WAIT="100")
        self.until(lambda: len(list(self.folder.glob("started-*"))) == 2 and "pairs failed that may succeed" in self.logs())
        for job in alone, shard:
            self.cluster.run("scancel", job)
            self.assertEqual(self.cluster.wait(job)[0][::2], ("CANCELLED", 0), self.logs())
        self.assertEqual(self.running_tasks(waiting), [f"{waiting}_1"])
        self.cluster.run("scancel", waiting)
        self.assertEqual(self.cluster.wait(waiting)[0][::2], ("CANCELLED", 0), self.logs())
        self.assertNotIn("queueing", self.logs())

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_ranks_of_one_job(self):
        if not WITH_MPI:
            self.skipTest("isovmaf was built without an MPI")
        settings = ",".join(["ALL", *(f"{name}={value}" for name, value in MPI_ENVIRONMENT.items())])
        job = self.sbatch("batch-mpi.slurm", "m.csv", "run", "--backend", "cpu",
                          options=("--ntasks=3", f"--export={settings}"))
        self.assertEqual(self.cluster.wait(job), [("COMPLETED", 0, 0)], self.logs())
        self.assert_done_once()
        self.assertGreater(len(list((self.folder / "run" / "stores").glob("*.jsonl"))), 1, self.logs())

    def test_a_job_that_is_asked_to_end_queues_itself_again(self):
        with contextlib.ExitStack() as stack:
            wait_for_work = stack.enter_context(self.held(HELD[1]))
            job = self.sbatch("batch-preemptible.slurm", "m.csv", "run", "--backend", "cpu")
            wait_for_work()
            self.ask_to_end(job, stack.close)
        self.assertEqual(self.cluster.wait(job), [("COMPLETED", 0, 1)], self.logs())
        self.assertIn("the job was asked to end; queueing the job again", self.logs())
        self.assert_done_once()


class Arguments(unittest.TestCase):
    def run_script(self, script, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")} | variables
        result = subprocess.run(["bash", SCRIPTS / script, *arguments], env=environment, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, check=False)
        return result.returncode, result.stderr, result.stdout

    def test_missing_ones_are_named(self):
        for path in sorted(SCRIPTS.glob("*.slurm")):
            code, text, _ = self.run_script(path.name)
            self.assertEqual(code, 2, path)
            self.assertRegex(text, rf"^{path.name}: .* (is|are) needed")

    def test_shards_are_those_of_the_run_folder(self):
        run = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.assertIn("the number of a task is the shard", self.run_script("batch-shards.slurm", run)[1])
        code, text, _ = self.run_script("batch-shards.slurm", run, SLURM_ARRAY_TASK_ID="5")
        self.assertEqual((code, f"isovmaf batch prepare MANIFEST --run {run} --shards N" in text), (2, True), text)
        (run / "run.json").write_text('{"manifest": "\\"shards\\": 9", "shards": 5}\n')
        code, text, _ = self.run_script("batch-shards.slurm", run, SLURM_ARRAY_TASK_ID="5")
        self.assertEqual((code, "give sbatch --array=0-4" in text), (2, True), text)
        settings = {"SLURM_ARRAY_JOB_ID": "1", "SLURM_CPUS_PER_TASK": "3", "ISOVMAF": "echo"}
        for shards, task in ({}, "4"), ({"SHARDS": "9"}, "8"):
            result = self.run_script("batch-shards.slurm", run, "--backend", "hip", SLURM_ARRAY_TASK_ID=task, **settings, **shards)
            self.assertEqual(result, (0, "", f"batch --run {run} --shard {task}/{shards.get('SHARDS', 5)} --threads 3 --backend hip\n"))

    @unittest.skipUnless(shutil.which("shellcheck"), "there is no shellcheck")
    def test_scripts_are_clean(self):
        result = subprocess.run(["shellcheck", *sorted(SCRIPTS.glob("*.slurm"))], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (0, ""))


if __name__ == "__main__":
    BatchTest.ISOVMAF, SCRIPTS = os.path.abspath(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1)).resolve()
    SYSTEM_FAULTS = os.path.abspath(sys.argv.pop(1))
    WITH_MPI = sys.argv[1:2] == ["mpi"]
    unittest.main(argv=sys.argv[:1] + sys.argv[1 + WITH_MPI:])
