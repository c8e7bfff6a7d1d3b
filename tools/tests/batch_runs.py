# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf batch` in a folder of its own, and reads what it leaves in the run folder."""

import contextlib
import csv
import fcntl
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from score_runs import picture, y4m

# Runs wait for the disk after each unit: in memory the test takes the same time on every machine.
SCRATCH = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
LAUNCHER = ("mpirun", "--oversubscribe", "--bind-to", "none") # of ranks, by Open MPI
# What Open MPI's launcher needs. hwloc, which it asks for processors, would look for X servers on localhost, ten times by
# name: where /etc/hosts lacks that name and no name server answers, each time takes seconds.
MPI_ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "HWLOC_COMPONENTS": "-gl"}
RESULTS = ("results.csv", "results.jsonl", "failures.csv", "bd_rates.csv", "report.html")


def ranks_of(job):
    """The process numbers of the ranks that an mpirun has on this host, by rank."""
    ranks = {}
    for child in pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split():
        with contextlib.suppress(OSError): # it has ended
            environment = pathlib.Path(f"/proc/{child}/environ").read_text()
            if rank := re.search(r"\0OMPI_COMM_WORLD_RANK=(\d+)\0", environment):
                ranks[int(rank[1])] = int(child)
    return ranks


class HeldFile:
    """A file that no other process can open until the block ends, so that a run stands still where a test wants it."""

    def __init__(self, path):
        signal.signal(signal.SIGIO, signal.SIG_IGN) # sent to the holder of a lease when somebody opens the file
        self.path, self.descriptor = path, os.open(path, os.O_RDONLY)
        fcntl.fcntl(self.descriptor, fcntl.F_SETLEASE, fcntl.F_WRLCK)

    def __enter__(self):
        return self

    def is_awaited(self):
        """Whether a process has come to the file."""
        return fcntl.fcntl(self.descriptor, fcntl.F_GETLEASE) != fcntl.F_WRLCK

    def wait_for(self, process):
        """Waits until the process, or one that it started, has come to the file."""
        while not self.is_awaited():
            if process.poll() is not None:
                raise AssertionError(f"exit code {process.returncode}: the run did not come to {self.path}")
            time.sleep(0.001)

    def __exit__(self, *_):
        os.close(self.descriptor)


class BatchRuns(unittest.TestCase):
    """Sets `self.folder`, an empty folder. Tests set `self.manifest`."""
    ISOVMAF = ""  # the program

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def command(self, *arguments):
        return [self.ISOVMAF, "batch", *map(str, arguments)]

    def batch(self, *arguments, expect=0, **options):
        result = subprocess.run(self.command(*arguments), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                errors="surrogateescape", check=False, **options)
        self.assertIn(result.returncode, expect if isinstance(expect, set) else {expect}, result.stdout + result.stderr)
        return result

    def run_folder(self, name, *options, manifest=None, backend=("--backend", "cpu"), expect=0, **settings):
        """Runs the manifest in a folder, and returns the folder."""
        run = self.folder / name
        self.batch(manifest or self.manifest, "--run", run, *backend, *options, expect=expect, **settings)
        return run

    def start(self, run, *options, backend=("--backend", "cpu"), ranks=0, manifest=None, **settings):
        """The same in a process, or that many of an MPI job, which goes on; it is killed at the end of the test."""
        command = self.command(*((self.manifest,) if manifest is None else manifest), "--run", run, *backend, *options)
        if ranks:
            command, settings["env"] = [*LAUNCHER, "-n", str(ranks), *command], os.environ | MPI_ENVIRONMENT
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   **settings)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def results(self, run):
        """What shows whether two runs have the same results, byte for byte."""
        return {name: hashlib.sha256((run / name).read_bytes()).hexdigest() for name in RESULTS}

    def rows(self, run, name="results.csv"):
        return list(csv.DictReader(io.StringIO((run / name).read_bytes().decode(), newline="")))

    def lines(self, run):
        """The objects of results.jsonl."""
        return [json.loads(line) for line in (run / "results.jsonl").read_text().splitlines()]

    def records(self, run, kind="unit"):
        """All records of a kind in the stores of a run folder."""
        lines = [line for store in sorted((run / "stores").glob("*.jsonl")) for line in store.read_text().splitlines()]
        records = [json.loads(line)["record"] for line in lines]
        return [record for record in records if kind in record]

    def wait_until_begun(self, process, run):
        """Waits until a process has a unit in work."""
        while not any('"begun"' in store.read_text() for store in run.glob("stores/*.jsonl")):
            self.assertIsNone(process.poll())
            time.sleep(0.001)

    def records_so_far(self, run):
        """Records while a process writes them: a last line may be incomplete."""
        lines = [line for store in (run / "stores").glob("*.jsonl") for line in store.read_text().split("\n")[:-1]]
        return [line for line in lines if '"unit"' in line]

    def assert_clean(self, run):
        """No locks, no note of who works there, no temporary files."""
        place = run.stat()
        locks = pathlib.Path(f"/tmp/isovmaf-{os.geteuid()}").glob(f"{place.st_dev:x}-{place.st_ino:x}-*")
        self.assertEqual([path.name for path in locks], [])
        self.assertEqual([path.name for path in run.iterdir()
                          if path.name.endswith(".part") or path.name == "at-work.json"], [])


# Labels that spreadsheets would take for formulas, or that look like what is done against that.
FORMULAS = ("=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "'=1", "''@a", "'a", '=a,"b"')


class BatchTest(BatchRuns):
    """Five pairs in `self.folder`: two sizes, several lengths, two of them with one reference."""

    @classmethod
    def setUpClass(cls):
        cls.clips = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
        cls.addClassCleanup(shutil.rmtree, cls.clips)
        for i, (width, height, frames) in enumerate(((97, 65, 6), (64, 48, 1), (64, 48, 12), (97, 65, 3))):
            for name, shift in (("ref", 0), ("dis", 3)):
                content = y4m([picture(40 * i + n + shift, width, height) for n in range(frames)], width, height)
                (cls.clips / f"{name}{i}.y4m").write_bytes(content)
        shutil.copy(cls.clips / "ref0.y4m", cls.clips / "dis4.y4m")
        cls.pairs = [(f"ref{i % 4}.y4m", f"dis{i}.y4m") for i in range(5)]

    def setUp(self):
        super().setUp()
        for clip in self.clips.iterdir():
            os.link(clip, self.folder / clip.name)
        self.manifest = self.write("m.csv", "reference,distorted,label,bit_rate\n" + "".join(
            f'{reference},{distorted},"row ""{i}""",{100 * i + 100}\n'
            for i, (reference, distorted) in enumerate(self.pairs)))

    def longer_manifest(self, held=False):
        """Forty pairs of the same clips, which differ in their options; `held`: and one for `halfway` behind ten of them."""
        shutil.copy(self.folder / "ref1.y4m", self.folder / "held.y4m")
        rows = [f"{reference},{distorted},{n},{feature}\n" for n in range(1, 5) for feature in ("", "psnr")
                for reference, distorted in self.pairs]
        rows[10:10] = ["held.y4m,held.y4m,,\n"] if held else []
        self.manifest = self.write("longer.csv", "".join(["reference,distorted,frame_cnt,feature\n", *rows]))
        return len(rows)

    @contextlib.contextmanager
    def halfway(self, run, *options, **settings):
        """What `start` starts, when it has written ten records of 41: it goes on when the block ends."""
        with HeldFile(self.folder / "held.y4m") as held:
            process = self.start(run, "--group", 1, *options, **settings)
            held.wait_for(process)
            while len(self.records_so_far(run)) < 10: # they are written behind the work
                self.assertIsNone(process.poll())
                time.sleep(0.001)
            yield process
