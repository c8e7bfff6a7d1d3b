#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf batch` on several devices, one of them the host stand-in.

    batch_devices_test.py ISOVMAF LIBVMAF_HOST
"""

import os
import pathlib
import sys
import unittest

from batch_runs import BatchTest


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

    def test_what_was_taken_is_said(self):
        result = self.batch(self.manifest, "--run", self.folder / "run", *self.on("host:*,cpu"), "--shard", "0/9")
        self.assertIn("isovmaf: computes on host:0 (host CPU), cpu, as the list of devices says\n", result.stderr)
        result = self.batch(self.manifest, "--run", self.folder / "run", *self.on("all"), "--shard", "1/9")
        self.assertIn("isovmaf: computes on the CPU, because no GPU can be used: host has no GPU that works\n", result.stderr)
        result = self.batch(self.manifest, "--run", self.folder / "run", *self.on("all"), "--shard", "2/9", "-q")
        self.assertEqual(result.stderr, "")

    def test_a_list_that_cannot_be_had_is_refused(self):
        self.assertIn("host has no device 1: it has 1 device", self.refused(*self.on("cpu,host:1")))
        self.assertIn("backend hip was not found: libvmaf_host.so loaded (1 device", self.refused(*self.on("hip:*"), code=1))
        self.assertIn("behind the colon stands the number of a device, or *", self.refused(*self.on("host:x")))
        self.assertIn("--backend excludes --devices", self.refused(*self.on("cpu"), "--backend", "cpu"))
        self.assertFalse((self.folder / "refused").exists())


if __name__ == "__main__":
    Devices.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    Devices.PLUGIN = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
