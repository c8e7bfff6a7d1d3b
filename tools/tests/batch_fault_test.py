#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Faults while `isovmaf batch` works: disks, files, folders, clocks, other commands, signals.

    batch_fault_test.py ISOVMAF [SYSTEM_FAULTS]     SYSTEM_FAULTS: the library of tools/tests/faults
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

from batch_runs import BatchTest


def names_of_open_files(process):
    folder, names = f"/proc/{process}/fd", set()
    for descriptor in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):  # it was closed meanwhile
            names.add(os.path.basename(os.readlink(f"{folder}/{descriptor}")))
    return names


class FaultTest(BatchTest):
    SYSTEM_FAULTS = None

    def faults(self, **settings):
        """An environment in which calls of the system fail."""
        if not self.SYSTEM_FAULTS:
            self.skipTest("the library that makes calls fail is not built with sanitizers")
        library = self.folder / "system_faults.so"  # LD_PRELOAD ends a path at a space
        if not library.exists():
            shutil.copy(self.SYSTEM_FAULTS, library)
        return {**os.environ, "LD_PRELOAD": str(library),
                **{f"SYSTEM_FAULTS_{name}": str(value) for name, value in settings.items()}}

    def assert_each_once(self, run, count):
        keys = [record["key"] for record in self.records(run)]
        self.assertEqual((len(keys), len(set(keys))), (count, count))

    def assert_each_once_finished(self, run, count):
        keys = [record["key"] for record in self.records(run) if "bytes" in record]
        self.assertEqual((len(keys), len(set(keys))), (count, count))


class Disks(FaultTest):
    def mount(self, kilobytes):
        """A file system of its own in memory."""
        folder = self.folder / "disk"
        folder.mkdir()
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", folder], check=False,
                              capture_output=True, text=True)
        if made.returncode != 0:
            self.skipTest(f"no file system can be mounted: {made.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "--lazy", folder], check=True)
        return folder

    def test_a_full_disk_at_every_point_of_a_run(self):
        expected = self.results(self.run_folder("whole"))
        disk = self.mount(512)
        run, ballast, full = disk / "run", disk / "ballast", 0
        with open(ballast, "wb", buffering=0) as file, self.assertRaises(OSError):
            while True:
                file.write(bytes(4096))
        done = set()
        while ballast.stat().st_size > 0:
            result = subprocess.run(self.command(self.manifest, "--run", run, "--backend", "cpu"), check=False,
                                    stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if result.returncode == 0:
                break
            full += 1
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("No space left on device; make space there and run the command again", result.stderr)
            now = set(self.records_so_far(run)) if (run / "stores").exists() else set()
            self.assertLessEqual(done, now)
            done = now
            os.truncate(ballast, max(0, ballast.stat().st_size - 4096))
        self.assertGreater(full, 4)
        self.assertEqual(self.results(run), expected)
        self.assert_clean(run)

    def test_a_folder_that_cannot_be_written(self):
        disk = self.mount(2048)
        run = disk / "run"
        self.batch(self.manifest, "--run", run, "--backend", "cpu")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        for arguments in (("--run", run), ("--run", disk / "new")):
            text = self.batch(self.manifest, *arguments, "--backend", "cpu", expect=1).stderr
            self.assertIn("Read-only file system", text)
            self.assertIn(str(arguments[1]), text)
        status = self.batch("status", run)
        self.assertEqual(status.stdout, "5 units finished; 0 in work on this host\n")
        self.batch("merge", run, "--out", self.folder / "merged")
        self.assertEqual(self.results(self.folder / "merged"), self.results(run))


class Files(FaultTest):
    def test_a_file_that_cannot_be_read_may_be_readable_later(self):
        expected = self.results(self.run_folder("whole"))
        for options in ((), ("--fast-keys",)):
            run = self.folder / f"run{len(options)}"
            result = self.batch(self.manifest, "--run", run, "--backend", "cpu", *options, expect=75,
                                env=self.faults(EIO="dis2.y4m"))
            failure, = self.rows(run, "failures.csv")
            self.assertEqual((failure["distorted"], failure["kind"]), ("dis2.y4m", "transient"))
            self.assertIn("cannot read dis2.y4m: Input/output error", failure["message"])
            self.assertEqual(result.stderr.count("trying again"), 2)
            self.batch(self.manifest, "--run", run, "--backend", "cpu", *options)
            self.assertEqual(self.results(run), expected)

    def test_files_of_the_run_folder_that_cannot_be_read(self):
        run = self.run_folder("run")
        for command in (("status", run), (self.manifest, "--run", run, "--backend", "cpu")):
            text = self.batch(*command, expect=1, env=self.faults(EIO="run.json")).stderr
            self.assertIn(f"cannot read {run / 'run.json'}: Input/output error", text)

    def test_a_limit_of_threads_ends_with_a_sentence(self):
        videos = "-r", self.folder / "ref1.y4m", "-d", self.folder / "dis1.y4m"
        expected = self.results(self.run_folder("whole"))
        ends = set()
        for threads in range(12):
            for command in ((self.ISOVMAF, "score", *videos),
                            self.command(self.manifest, "--run", self.folder / f"run{threads}", "--backend", "cpu")):
                result = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                        env=self.faults(THREADS=threads))
                self.assertIn(result.returncode, (0, 1, 75), result.stderr)
                self.assertEqual(result.returncode == 0, "error" not in result.stderr and "failed" not in result.stderr)
                ends.add(result.returncode)
            self.run_folder(f"run{threads}")
            self.assertEqual(self.results(self.folder / f"run{threads}"), expected)
        self.assertLessEqual({0, 1}, ends)

    def test_a_reference_that_vanishes_midway(self):
        self.longer_manifest(held=True)
        run = self.folder / "run"
        expected = self.results(self.run_folder("whole"))
        with self.halfway(run) as process:
            (self.folder / "ref2.y4m").rename(self.folder / "away")
        self.assertEqual(process.wait(), 75, process.stderr.read())
        failures = self.rows(run, "failures.csv")
        self.assertEqual(len(failures), 8)
        for failure in failures:
            self.assertEqual((failure["reference"], failure["kind"], failure["message"]),
                             ("ref2.y4m", "transient", "cannot open ref2.y4m: No such file or directory"))
        self.assertEqual(len(self.rows(run)), 33)
        (self.folder / "away").rename(self.folder / "ref2.y4m")
        self.run_folder("run")
        self.assertEqual(self.results(run), expected)
        self.assert_each_once_finished(run, 41)

    def test_a_file_that_changes_midway(self):
        self.longer_manifest(held=True)
        run = self.folder / "run"
        with self.halfway(run) as process:
            shutil.copy(self.folder / "ref2.y4m", self.folder / "new")
            os.replace(self.folder / "new", self.folder / "dis2.y4m")
        self.assertEqual(process.wait(), 75)
        self.assertIn(b"run the command again", process.stderr.read())
        self.assertFalse((run / "results.csv").exists())
        self.run_folder("run")
        self.assertEqual(self.results(run), self.results(self.run_folder("whole")))

    def test_words_that_were_lost_are_computed_again(self):
        run = self.run_folder("run")
        expected = self.results(run)
        words, = (run / "stores").glob("*.words")
        os.truncate(words, words.stat().st_size // 2)
        self.run_folder("run")
        self.assertEqual(self.results(run), expected)

    def test_words_that_were_damaged_are_named(self):
        run = self.run_folder("run")
        expected = self.results(run)
        words, = (run / "stores").glob("*.words")
        content = bytearray(words.read_bytes())
        content[len(content) // 2] ^= 1
        words.write_bytes(content)
        self.run_folder("run", expect=65)
        failure, = self.rows(run, "failures.csv")
        self.assertIn(f"{words.stem}.words: it is damaged", failure["message"])
        self.assertIn(f"remove {words.stem}.jsonl from the run folder's stores", failure["message"])
        words.with_suffix(".jsonl").unlink()
        self.run_folder("run")
        self.assertEqual(self.results(run), expected)

    def test_words_that_are_not_on_disk_have_no_record(self):
        run = self.folder / "run"
        text = self.batch(self.manifest, "--run", run, "--backend", "cpu", expect=1, env=self.faults(SYNC=".words")).stderr
        self.assertRegex(text, r"cannot write .*\.words: Input/output error")
        self.assertEqual(self.records(run), [])
        self.run_folder("run")
        self.assertEqual(self.results(run), self.results(self.run_folder("whole")))

    def test_merging_places_words_before_the_records_that_speak_of_them(self):
        run, out = self.run_folder("run"), self.folder / "out"
        records, = run.glob("stores/*.jsonl")
        merge = subprocess.Popen(self.command("merge", run, "--out", out), env=self.faults(STOP=records.name))
        self.addCleanup(merge.kill)
        self.assertTrue(os.WIFSTOPPED(os.waitpid(merge.pid, os.WUNTRACED)[1]))
        self.assertEqual([path.name for path in (out / "stores").iterdir()], [records.stem + ".words"])
        merge.send_signal(signal.SIGCONT)
        self.assertEqual(merge.wait(), 0)
        self.assertEqual(self.results(out), self.results(run))

    def test_a_folder_whose_name_is_no_utf8(self):
        folder = os.path.join(os.fsencode(self.folder), b"\xff")
        os.mkdir(folder)
        for name in os.listdir(self.folder):
            if name.endswith((".y4m", ".csv")):
                os.link(self.folder / name, os.path.join(folder, os.fsencode(name)))
        result = subprocess.run([self.ISOVMAF, "batch", os.path.join(folder, b"m.csv"), "--run", self.folder / "run"],
                                check=False, stdin=subprocess.DEVNULL, capture_output=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"no UTF-8", result.stderr)
        self.batch(self.manifest, "--backend", "cpu", "--run", os.path.join(folder, b"run").decode(errors="surrogateescape"))


class Processes(FaultTest):
    def on_host(self, name, **variables):
        return {key: value for key, value in os.environ.items() if key != "SLURM_JOB_ID"} | {"ISOVMAF_HOST": name} | variables

    def test_hosts_take_turns(self):
        """A second host is told who works there; `--take-over` and a job that Slurm queued again go on."""
        self.longer_manifest(held=True)
        run = self.folder / "run"
        with self.halfway(run, env=self.on_host("a", SLURM_JOB_ID="7")) as process:
            text = self.batch(self.manifest, "--run", run, "--backend", "cpu", expect=1, env=self.on_host("b")).stderr
            self.assertRegex(text, rf"run folder {run} is in use: processes of host a \(process {process.pid}, Slurm job 7\), "
                                   r"since 20.*--shard.*--take-over")
            process.kill()
            process.wait()
        self.batch(self.manifest, "--run", run, "--backend", "cpu", expect=1, env=self.on_host("b"))
        shutil.copytree(run, self.folder / "copy")
        self.run_folder("run", env=self.on_host("b", SLURM_JOB_ID="7"))
        self.run_folder("copy", "--take-over", env=self.on_host("c"))
        for folder in (run, self.folder / "copy"):
            self.assertEqual(self.results(folder), self.results(self.run_folder("whole")))
            self.assert_each_once_finished(folder, 41)

    def test_a_video_that_kills_its_process(self):
        """After two deaths its pair fails, the others are scored, and a command that is told to tries it again."""
        run = self.folder / "run"
        options = self.manifest, "--run", run, "--backend", "cpu"
        for _ in range(2):
            self.batch(*options, expect=-signal.SIGKILL, env=self.faults(KILL="dis1.y4m"))
        self.batch(*options, expect=75, env=self.faults(KILL="dis1.y4m"))
        failure, = self.rows(run, "failures.csv")
        self.assertEqual((failure["distorted"], failure["kind"]), ("dis1.y4m", "transient"))
        self.assertIn("the process died twice while it scored this pair", failure["message"])
        self.batch(*options, expect=75)
        self.batch(*options, "--retry-failed")
        self.assertEqual(self.results(run), self.results(self.run_folder("whole")))

    def test_a_process_that_is_asked_to_end_and_killed_is_no_death(self):
        self.longer_manifest(held=True)
        run = self.folder / "run"
        for n in range(3):
            with self.halfway(run) as process:
                process.send_signal(signal.SIGTERM)
                while sum('"stopped"' in store.read_text() for store in run.glob("stores/*.jsonl")) <= n:
                    self.assertIsNone(process.poll())
                    time.sleep(0.01)
                process.kill()
                process.wait()
        self.run_folder("run")
        self.assertEqual(self.results(run), self.results(self.run_folder("whole")))

    def test_a_unit_that_fails_for_the_moment_is_tried_by_three_processes(self):
        """Its content is known, so that a fourth process leaves it alone."""
        run = self.run_folder("run")
        store, = (run / "stores").glob("*.jsonl")
        lines = [line for line in store.read_text().splitlines(keepends=True) if '"unit"' not in line]
        store.write_text("".join(lines))
        for tries in (1, 2, 3, 3):
            result = self.batch(self.manifest, "--run", run, "--backend", "cpu", "--retries", 0, expect=75,
                                env=self.faults(EIO="dis2.y4m"))
            self.assertEqual(sum("error" in record for record in self.records(run)), tries, result.stderr)
        self.run_folder("run", expect=75)
        self.run_folder("run", "--retry-failed")
        self.assertEqual(self.results(run), self.results(self.run_folder("whole")))

    def test_clocks_that_differ_by_an_hour(self):
        self.longer_manifest()
        run = self.folder / "run"
        expected = self.results(self.run_folder("whole"))
        environments = [os.environ, self.faults(CLOCK=3600), self.faults(CLOCK=-3600)]
        for process in [self.start(run, env=environment) for environment in environments]:
            self.assertEqual(process.wait(), 0, process.stderr.read())
        self.assertEqual(self.results(run), expected)
        self.assert_each_once(run, 40)

    def test_a_process_that_stands_still(self):
        """Others do all but its unit, and wait for that; when they are stopped instead, it goes on without harm."""
        self.longer_manifest(held=True)
        run = self.folder / "run"
        with self.halfway(run) as process:
            process.send_signal(signal.SIGSTOP)
        others = [self.start(run) for _ in range(2)]
        while len(self.records_so_far(run)) < 40:
            self.assertIsNone(others[0].poll())
            time.sleep(0.01)
        others[1].send_signal(signal.SIGTERM)
        self.assertEqual(others[1].wait(), 130)
        process.send_signal(signal.SIGCONT)
        for one in (process, others[0]):
            self.assertEqual(one.wait(), 0, one.stderr.read())
        self.assertEqual(self.results(run), self.results(self.run_folder("whole")))
        self.assert_each_once(run, 41)
        self.assert_clean(run)

    def test_many_processes_make_a_folder(self):
        expected = self.results(self.run_folder("one"))
        for n in range(3):
            run = self.folder / f"run{n}"
            for process in [self.start(run) for _ in range(6)]:
                self.assertEqual(process.wait(), 0, process.stderr.read())
            self.assertEqual(self.results(run), expected)
            self.assert_each_once(run, len(self.pairs))

    def test_another_manifest_takes_the_folder_midway(self):
        expected = self.results(self.run_folder("one"))
        self.longer_manifest(held=True)
        run = self.folder / "run"
        with self.halfway(run) as process:
            self.run_folder("run", manifest=self.folder / "m.csv")
        self.assertEqual(process.wait(), 1)
        self.assertIn(b"with another manifest or --segment-frames", process.stderr.read())
        self.assertEqual(self.results(run), expected)

    def start_and_stop(self, run, where):
        """Starts a run that stands still where it reads or names such a file."""
        process = self.start(run, env=self.faults(STOP=where))
        self.assertTrue(os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1]))
        return process

    def test_another_manifest_takes_the_folder_before_the_results(self):
        """All units are done, and the run reads their words for its results."""
        expected = self.results(self.run_folder("one"))
        self.longer_manifest()
        run = self.folder / "run"
        process = self.start_and_stop(run, ".words")
        self.assertEqual(len(self.records(run)), 40)
        self.run_folder("run", manifest=self.folder / "m.csv")
        self.assertEqual(self.results(run), expected)
        process.send_signal(signal.SIGCONT)
        self.assertEqual(process.wait(), 1)
        self.assertIn(b"with another manifest or --segment-frames", process.stderr.read())
        self.assertEqual(self.results(run), expected)
        self.assert_clean(run)

    def test_another_manifest_waits_for_results_that_are_being_named(self):
        expected = self.results(self.run_folder("one"))
        self.longer_manifest()
        run = self.folder / "run"
        first = self.start_and_stop(run, "report.html")
        self.manifest = self.folder / "m.csv"
        second = self.start(run)
        while len(list(run.glob("rows-*.jsonl"))) < 2:
            self.assertIsNone(second.poll())
            time.sleep(0.01)
        time.sleep(1)  # in which nothing else stops it
        self.assertIsNone(second.poll())
        first.send_signal(signal.SIGCONT)
        for process in (first, second):
            self.assertEqual(process.wait(), 0, process.stderr.read())
        self.assertEqual(self.results(run), expected)

    def test_merging_a_folder_that_is_worked_on(self):
        self.longer_manifest(held=True)
        run, out = self.folder / "run", self.folder / "out"
        with self.halfway(run) as process:
            self.batch("merge", run, "--out", out, expect=75)
        while process.poll() is None:
            result = subprocess.run(self.command("merge", run, "--out", out), check=False, capture_output=True, text=True)
            self.assertIn(result.returncode, (0, 75), result.stderr)
        self.batch("merge", run, "--out", out)
        self.assertEqual(self.results(out), self.results(run))

    def test_a_folder_that_is_removed_midway(self):
        self.longer_manifest(held=True)
        run = self.folder / "run"
        with self.halfway(run) as process:
            run.rename(self.folder / "gone")
            shutil.rmtree(self.folder / "gone")
        self.assertEqual(process.wait(), 1)
        self.assertIn(os.fsencode(run), process.stderr.read())
        self.assertFalse(run.exists())

    def test_a_signal_while_a_long_file_is_read(self):
        """A terabyte of zeros: hashing it alone takes longer than the test may."""
        self.manifest.write_text("reference,distorted\nref0.y4m,long.y4m\n")
        shutil.copy(self.folder / "dis0.y4m", self.folder / "long.y4m")
        os.truncate(self.folder / "long.y4m", 1 << 40)
        process = self.start(self.folder / "run")
        self.wait_until_begun(process, self.folder / "run")
        while "long.y4m" not in names_of_open_files(process.pid):
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), 130)
        self.assert_clean(self.folder / "run")


if __name__ == "__main__":
    FaultTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1].endswith(".so"):
        FaultTest.SYSTEM_FAULTS = str(pathlib.Path(sys.argv.pop(1)).absolute())
    unittest.main()
