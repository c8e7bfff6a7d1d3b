#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf batch` on several devices, one of them the host stand-in.

    batch_devices_test.py ISOVMAF LIBVMAF_HOST
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

from batch_runs import BatchTest
from terminal import open_terminal, read_terminal

SHIFTED = "warning: line 4: distorted seems 3 frames early"  # of a pair of the manifest


class Devices(BatchTest):
    PLUGIN = None # the host stand-in

    def setUp(self):
        super().setUp()
        self.plugins = self.folder / "plugins"
        self.plugins.mkdir()
        (self.plugins / "libvmaf_host.so").symlink_to(self.PLUGIN)

    def on(self, devices):
        return "--devices", devices, "--backend-dir", self.plugins

    def refused(self, *arguments, code=2):
        return self.batch(self.manifest, "--run", self.folder / "refused", *arguments, expect=code).stderr

    def test_devices_change_no_byte(self):
        expected = self.results(self.run_folder("cpu"))
        for n, devices in enumerate(("host:0,cpu", "cpu-ref,host")):
            run = self.run_folder(f"run{n}", "--segment-frames", 4, backend=self.on(devices))
            self.assertEqual(self.results(run), expected)
            self.assertEqual(len(self.records(run)), 2 + 1 + 3 + 1 + 2)
            self.assert_clean(run)

    def test_a_device_that_cannot_be_used_fails_no_pair(self):
        expected, run = self.results(self.run_folder("cpu")), self.folder / "run"
        broken = {**os.environ, "ISOVMAF_HOST_FAIL": "launch:1"}
        for where, env, why in ((("--backend", "host", "--backend-dir", self.plugins), broken, "device 0 of host"),
                                (self.on("host:0"), broken, "device 0 of host"),
                                (("--backend", "host", "--device", 3, "--backend-dir", self.plugins), None, "no device 3"),
                                (("--backend", "absent", "--backend-dir", self.plugins), None, "absent was not found")):
            result = self.batch(self.manifest, "--run", run, *where, expect=69, env=env)
            self.assertIn(why, result.stderr)
            self.assertEqual(result.stderr.count("error:"), 1, result.stderr)
            self.assertFalse((run / "failures.csv").exists())
            self.assert_clean(run) if run.exists() else None
        self.run_folder("run", backend=("--backend", "host", "--backend-dir", self.plugins))
        self.assertEqual(self.results(run), expected)

    def pipe_to(self, process, pipe):
        """Opens a named pipe when the process has opened it."""
        while True:
            try:
                return os.fdopen(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK), "w")
            except OSError:
                self.assertIsNone(process.poll(), "the process ended, and has not opened the pipe")
                time.sleep(0.01)

    def test_auto_looks_for_backends_once(self):
        """The plugins are taken away when the manifest is opened, before the workers begin."""
        run, pipe = self.folder / "run", self.manifest.with_name("pipe.csv")
        os.mkfifo(pipe)
        auto = ("--backend", "auto", "--backend-dir", self.plugins, "--workers", 2)
        with subprocess.Popen(self.command(pipe, "--run", run, *auto), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            with self.pipe_to(process, pipe) as rows:
                shutil.rmtree(self.plugins)
                rows.write(self.manifest.read_text())
            _, errors = process.communicate()
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual([line for line in errors.splitlines() if "isovmaf:" in line and SHIFTED not in line], [])
        self.assertEqual(self.results(run), self.results(self.run_folder("cpu")))

    def test_what_was_taken_is_said(self):
        result = self.batch(self.manifest, "--run", self.folder / "run", *self.on("host:*,cpu"), "--shard", "0/9")
        self.assertIn("isovmaf: computes on host:0 (host CPU), cpu, as the list of devices says\n", result.stderr)
        result = self.batch(self.manifest, "--run", self.folder / "run", *self.on("all"), "--shard", "1/9")
        self.assertIn("isovmaf: computes on the CPU, because no GPU can be used: host has no GPU that works\n", result.stderr)
        result = self.batch(self.manifest, "--run", self.folder / "run", *self.on("all"), "--shard", "2/9", "-q")
        self.assertEqual([line for line in result.stderr.splitlines() if SHIFTED not in line], [])

    def test_threads_are_bound_where_a_device_tells_its_address(self):
        run = ("--run", self.folder / "run", "--shard", "0/9")
        self.assertNotIn("bound", self.batch(self.manifest, *run, *self.on("host,cpu")).stderr)
        self.assertIn("--bind has a meaning only with --devices", self.refused("--bind", "device"))
        # hwloc's module for PCI leaks, and is gone by the time that leaks are looked for.
        settings = os.environ | {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
        result = subprocess.run(self.command(self.manifest, *run, *self.on("host,cpu"), "--bind", "device"), check=False,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, env=settings)
        if result.returncode != 0:
            self.assertIn("this isovmaf was built without hwloc (libhwloc-dev)", result.stderr)
            self.skipTest("built without hwloc")
        self.assertIn('the threads of host:0 are not bound: hwloc knows no device at ""', result.stderr)
        self.assertNotIn("cpu are not bound", result.stderr)

    def test_progress_for_programs(self):
        result = self.batch(self.manifest, "--run", self.folder / "run", *self.on("host,cpu"), "--workers", 1, "--progress", "json")
        objects = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
        self.assertEqual([state["ended"] for state in objects], [False] * (len(objects) - 1) + [True])
        last = objects[-1]
        self.assertEqual((last["units"], last["finished"], last["frames"], last["seconds_left"]), (5, 5, 28, 0))
        self.assertEqual([worker["device"] for worker in last["workers"]], ["host:0", "cpu"])
        self.assertEqual(sum(worker["units"] for worker in last["workers"]), 5)
        self.assertIn(last["bound"], ("decode", "kernels", "finish"))
        self.assertIn("--progress", self.refused("--progress", "json", "-q"))

    def test_progress_for_people(self):
        here, there = open_terminal(self)
        arguments = self.command(self.manifest, "--run", self.folder / "run", "--backend", "cpu")
        result = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=there, check=False,
                                env=os.environ | {"TERM": "xterm", "NO_COLOR": ""})
        text = read_terminal(here, there).decode()
        self.assertEqual(result.returncode, 0, text)
        self.assertIn("\r\x1b[K", text)
        header, row = text.splitlines()[-2:]
        self.assertEqual(header.split()[-8:], ["units", "frames", "frames/s", "seconds:", "decode", "upload", "kernels", "finish"])
        self.assertEqual(row.split()[:3], ["cpu", "5", "28"])
        result = self.batch(self.manifest, "--run", self.folder / "log", *self.on("cpu"))
        self.assertIn("\ncpu ", result.stderr)
        self.assertNotIn("\x1b", result.stderr)

    def test_a_list_that_cannot_be_had_is_refused(self):
        self.assertIn("host has no device 1: it has 1 device", self.refused(*self.on("cpu,host:1")))
        self.assertIn("backend hip was not found: no libvmaf_hip.so, there is host; searched", self.refused(*self.on("hip:*"), code=69))
        self.assertIn("behind the colon stands the number of a device, or *", self.refused(*self.on("host:x")))
        self.assertIn("--backend and --devices exclude each other", self.refused(*self.on("cpu"), "--backend", "cpu"))
        self.assertFalse((self.folder / "refused").exists())


if __name__ == "__main__":
    Devices.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    Devices.PLUGIN = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
