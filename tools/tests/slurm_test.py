#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs the scripts of contrib/slurm as they are, on a Slurm cluster of one node: their results are those of one process,
byte for byte, also when tasks are killed, queued again, or asked to end.

    slurm_test.py ISOVMAF SCRIPTS [mpi]      # mpi: the program's plugin for MPI was built
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import slurm_cluster
from batch_runs import BatchTest

SCRIPTS, WITH_MPI = pathlib.Path(), False

# The program, which stops like a program that got stuck when it has its first unit: in tasks that FREEZE names, and not
# after they were queued again. Other tasks wait until those have stopped.
PROGRAM = """#!/bin/bash
task=${SLURM_ARRAY_TASK_ID:-0}
if [[ " $FREEZE " == *" $task "* && ! ${SLURM_RESTART_COUNT:-} ]]; then
    (
        until grep -qs "^$$ " run/leases/[0-9a-f]*; do sleep 0.01; done
        kill -STOP $$
        echo $$ >new-$task
        mv new-$task frozen-$task
    ) &
else
    for other in $FREEZE; do
        until [[ -e frozen-$other ]]; do sleep 0.02; done
    done
fi
exec "$REAL_ISOVMAF" "$@"
"""


@unittest.skipIf(slurm_cluster.missing(), slurm_cluster.missing())
class Slurm(BatchTest):
    expected = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster = cls.enterClassContext(slurm_cluster.Cluster())

    def setUp(self):
        super().setUp()
        self.manifest.write_text("reference,distorted,frame_cnt,feature\n" + "".join(
            f"{reference},{distorted},{n},{feature}\n" for n in range(1, 7) for feature in ("", "psnr")
            for reference, distorted in self.pairs))
        self.count = 60
        self.program = self.write("isovmaf", PROGRAM)
        self.program.chmod(0o755)
        self.addCleanup(self.cluster.run, "scancel", f"--user={self.cluster.user}")

    def results_of_one_process(self):
        if not self.expected:
            type(self).expected = self.results(self.run_folder("one"))
        return self.expected

    def sbatch(self, script, *arguments, options=(), freeze=""):
        environment = {**self.cluster.environment, "ISOVMAF": str(self.program), "REAL_ISOVMAF": self.ISOVMAF,
                       "FREEZE": freeze}
        return self.cluster.run("sbatch", "--parsable", "--cpus-per-task=2", *options, SCRIPTS / script, *arguments,
                                cwd=self.folder, env=environment).strip()

    def frozen(self, task):
        """The process of a task, once it has stopped."""
        path = self.folder / f"frozen-{task}"
        deadline = time.monotonic() + 30
        while not path.exists():
            self.assertLess(time.monotonic(), deadline, self.logs())
            time.sleep(0.02)
        return int(path.read_text())

    def logs(self):
        return "".join(path.read_text() for path in sorted(self.folder.glob("isovmaf-*.log")))

    def assert_done_once(self, run):
        self.assertEqual(self.results(run), self.results_of_one_process())
        keys = [record["key"] for record in self.records(run)]
        self.assertEqual((len(keys), len(set(keys))), (self.count, self.count))
        self.assert_clean(run)

    def test_tasks_with_folders_of_their_own(self):
        job = self.sbatch("batch-shards.slurm", "m.csv", "run", "--backend", "cpu", options=("--array=0-4",))
        merge = self.sbatch("batch-merge.slurm", "run", options=(f"--dependency=afterany:{job}",))
        self.assertEqual(self.cluster.wait(merge), [("COMPLETED", 0, 0)], self.logs())
        self.assertEqual(self.cluster.wait(job), [("COMPLETED", 0, 0)] * 5)
        self.assertEqual(len(list((self.folder / "run").glob("part-*"))), 5)
        self.assert_done_once(self.folder / "run" / "merged")

    def test_tasks_that_share_a_folder_are_killed_and_queued_again(self):
        job = self.sbatch("batch-array.slurm", "m.csv", "run", "--backend", "cpu", options=("--array=0-4", "--gres=gpu:1"),
                          freeze="1 2")
        os.kill(self.frozen(1), signal.SIGKILL)
        self.frozen(2)
        self.cluster.run("scontrol", "requeue", f"{job}_2")
        tasks = self.cluster.wait(job)
        self.assertEqual(sorted(tasks), [("COMPLETED", 0, 0)] * 3 + [("COMPLETED", 0, 1), ("FAILED", 0, 0)], self.logs())
        self.assert_done_once(self.folder / "run")

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_ranks_of_one_job(self):
        if not WITH_MPI:
            self.skipTest("isovmaf was built without an MPI")
        settings = "ALL,OMPI_ALLOW_RUN_AS_ROOT=1,OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
        job = self.sbatch("batch-mpi.slurm", "m.csv", "run", "--backend", "cpu",
                          options=("--ntasks=3", f"--export={settings}"))
        self.assertEqual(self.cluster.wait(job), [("COMPLETED", 0, 0)], self.logs())
        self.assert_done_once(self.folder / "run")
        self.assertGreater(len(list((self.folder / "run" / "stores").glob("*.jsonl"))), 1, self.logs())

    def test_a_job_that_is_asked_to_end_queues_itself_again(self):
        job = self.sbatch("batch-preemptible.slurm", "m.csv", "run", "--backend", "cpu", freeze="0")
        process = self.frozen(0)
        self.cluster.run("scancel", "--batch", "--signal=TERM", job) # as --signal=B:TERM@60 does
        os.kill(process, signal.SIGCONT)
        self.assertEqual(self.cluster.wait(job), [("COMPLETED", 0, 1)], self.logs())
        self.assertIn("the job was asked to end; queueing the job again", self.logs())
        self.assert_done_once(self.folder / "run")

    def test_a_job_that_was_cancelled_does_not_come_back(self):
        job = self.sbatch("batch-preemptible.slurm", "m.csv", "run", "--backend", "cpu", freeze="0")
        os.kill(self.frozen(0), signal.SIGCONT)
        self.cluster.run("scancel", job)
        self.assertEqual(self.cluster.wait(job)[0][::2], ("CANCELLED", 0), self.logs())
        self.assertNotIn("queueing", self.logs())

    def test_failures_that_may_pass_are_tried_a_few_times(self):
        self.program.write_text("#!/bin/bash\necho try; exit 75\n")
        job = self.sbatch("batch-preemptible.slurm", "m.csv", "run", options=("--export=ALL,TRIES=1",))
        self.assertEqual(self.cluster.wait(job), [("FAILED", 75, 1)])
        self.assertEqual(self.logs().count("try\n"), 2)


class Arguments(unittest.TestCase):
    def run_script(self, script, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")} | variables
        result = subprocess.run(["bash", SCRIPTS / script, *arguments], env=environment, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, check=False, timeout=20)
        return result.returncode, result.stderr

    def test_missing_ones_are_named(self):
        for path in sorted(SCRIPTS.glob("*.slurm")):
            code, text = self.run_script(path.name)
            self.assertEqual(code, 2, path)
            self.assertRegex(text, rf"^{path.name}: .* (is|are) needed")

    def test_shards_are_numbered_from_zero(self):
        task = {"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "5"}
        code, text = self.run_script("batch-shards.slurm", "m.csv", "run", **task)
        self.assertEqual((code, "number the tasks from 0 on (--array=0-4)" in text), (2, True), text)
        self.assertIn("is for array jobs", self.run_script("batch-shards.slurm", "m.csv", "run")[1])
        code, text = self.run_script("batch-merge.slurm", "/nonexistent")
        self.assertEqual((code, "no folders /nonexistent/part-*" in text), (1, True), text)

    @unittest.skipUnless(shutil.which("shellcheck"), "there is no shellcheck")
    def test_scripts_are_clean(self):
        result = subprocess.run(["shellcheck", *sorted(SCRIPTS.glob("*.slurm"))], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (0, ""))


if __name__ == "__main__":
    BatchTest.ISOVMAF, SCRIPTS = os.path.abspath(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1)).resolve()
    WITH_MPI = sys.argv[1:2] == ["mpi"]
    unittest.main(argv=sys.argv[:1] + sys.argv[1 + WITH_MPI:])
