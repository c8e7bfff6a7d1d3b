#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf backends` on folders with fake plugins, and on an empty folder.

    backends_test.py ISOVMAF FOLDER_OF_FAKES PLUGINS_FROM_BINDIR
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ISOVMAF = FAKES = BACKENDS_FROM_BINDIR = ""


class BackendsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, *names):
        for name in names:
            shutil.copy(f"{FAKES}/fake_{name}.so", self.folder / f"libvmaf_{name}.so")

    def run_tool(self, *options, expect=0, tool=None, variable=None, **settings):
        environment = {name: value for name, value in os.environ.items() if name != "ISOVMAF_BACKEND_DIR"}
        if variable is not None:
            environment["ISOVMAF_BACKEND_DIR"] = variable
        result = subprocess.run([tool or ISOVMAF, "backends", *options], capture_output=True, check=False,
                                env=environment, text=True, **settings)
        self.assertEqual(result.returncode, expect, result.stderr)
        if expect == 0:
            self.assertEqual(result.stderr, "")
        return result

    def text(self, *options):
        return self.run_tool("--backend-dir", self.folder, *options).stdout

    def json(self, *options, **settings):
        return json.loads(self.run_tool("--json", *options, **settings).stdout)

    def test_a_folder_without_plugins_is_reported(self):
        text = self.text()
        for words in (f"searched: {self.folder}", "cpu: this processor, at the levels scalar", "scores on the CPU", "install one"):
            self.assertIn(words, text)
        self.assertEqual(self.json("--backend-dir", self.folder)["backends"], [])

    def test_a_file_that_cannot_be_read_does_not_wait_for_the_driver(self):
        self.add("slow")
        missing = self.folder / "missing.y4m"
        result = subprocess.run(
            [ISOVMAF, "score", "-r", missing, "-d", missing, "--backend", "slow", "--backend-dir", self.folder],
            capture_output=True, check=False, text=True, env={**os.environ, "FAKE_OPENING_UNTIL": "/nonexistent"})
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\Aisovmaf: error: .*missing\.y4m.*\n\Z")

    def test_every_file_has_a_verdict(self):
        self.add("absent", "stale", "sound")
        (self.folder / "libvmaf_text.so").write_text("no library")
        text = self.text()
        for words in ("absent: unavailable, libfake.so.1 is not installed: install the fake driver",
                      "sound: loaded, 2 devices through libfake.so.1", "runtime libfake.so.1 1.2.3, driver 4.5\n  opened /opt/fake/libfake.so.1\n",
                      "libvmaf_stale.so: refused", "built for another isovmaf", "libvmaf_text.so: refused",
                      "--backend auto takes device 0 of sound."):
            self.assertIn(words, text)
        rows = [line.split() for line in text.splitlines() if "Fake GPU" in line]
        self.assertEqual(rows, [[str(index), "Fake", "GPU", "fake_1", "8.0", "GiB", "60", "64", "0000:c1:00.0", "passed"]
                                for index in (0, 1)])

    def test_a_device_that_fails_is_named(self):
        self.add("broken")
        text = self.text()
        self.assertIn("not used: device 0 of broken (Fake GPU) is not used, because its self-test failed: f32 product",
                      text)
        self.assertIn("there are no kernels for its architecture", text)
        self.assertIn("--backend auto takes device 10 of broken.", text)

    def test_reasons_for_the_cpu_are_reported(self):
        self.add("absent")
        self.assertIn("No GPU can be used here", self.text())
        self.add("understudy")
        text = self.text()
        self.assertIn("device 0: a CPU, used only when understudy is asked for by name; fake driver 4.5\n", text)
        self.assertIn("No GPU can be used here: --backend auto scores on the CPU. The list above says what is missing.", text)

    def test_scoring_says_in_one_line_what_auto_passes_over(self):
        video = self.folder / "video.y4m"
        video.write_bytes(b"YUV4MPEG2 W32 H32 F25:1 C420jpeg\nFRAME\n" + bytes(1536))
        other = shutil.copy(video, self.folder / "other.y4m")
        score = [ISOVMAF, "score", "-r", video, "-d", other, "-q", "-n", "--feature", "psnr", "--backend-dir", self.folder]
        self.add("absent")
        self.assertEqual(subprocess.run(score, capture_output=True, check=True).stderr, b"")
        self.add("stale")
        lines = subprocess.run(score, capture_output=True, check=True, text=True).stderr.splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("warning: passed over: ", lines[0])
        self.assertIn("libvmaf_stale.so: built for another isovmaf", lines[0])

    def test_json_has_everything(self):
        self.add("absent", "broken", "stale")
        report = self.json("--memory", "--backend-dir", self.folder)
        self.assertEqual(report["folders"], [str(self.folder)])
        self.assertEqual(report["cpu_levels"][0], "scalar")
        absent, broken, stale = report["backends"]
        self.assertEqual([backend["verdict"] for backend in report["backends"]], ["unavailable", "loaded", "refused"])
        self.assertEqual(absent["name"], "absent")
        self.assertNotIn("devices", absent)
        self.assertNotIn("name", stale)
        self.assertEqual(broken["runtime_file"], "/opt/fake/libfake.so.1")
        self.assertEqual((broken["runtime_version"], broken["driver_version"]), ("1.2.3", "4.5"))
        self.assertEqual([device["usable"] for device in broken["devices"]], [False] * 10 + [True])
        last = broken["devices"][-1]
        self.assertEqual((last["fault"], last["name"], last["wave_width"]), (None, "Fake GPU", 64))
        self.assertEqual((last["cpu"], last["details"]), (False, "fake driver 4.5"))
        self.assertEqual(last["memory"]["allocated_bytes"], 0)
        self.assertGreater(last["memory"]["allocated_peak_bytes"], 0)
        self.assertNotIn("memory", self.json("--backend-dir", self.folder)["backends"][1]["devices"][-1])

    def test_a_device_with_inexact_f32_is_used_and_says_so(self):
        self.add("inexact")
        self.assertIn("passed, except for features in f32: f32 sum with operands 0x1, 0x1,", self.text())
        device = self.json("--backend-dir", self.folder)["backends"][0]["devices"][0]
        self.assertEqual((device["usable"], device["fault"]), (True, None))
        self.assertIn("f32 sum", device["f32_fault"])

    def test_memory_is_shown_when_asked_for(self):
        self.add("sound")
        self.assertNotIn("pinned", self.text())
        self.assertIn("pinned", self.text("--memory"))

    def test_the_variable_replaces_the_default_and_the_option_replaces_both(self):
        self.add("sound")
        self.assertEqual(self.json(variable=str(self.folder))["folders"], [str(self.folder)])
        with tempfile.TemporaryDirectory() as other:
            folders = self.json("--backend-dir", other, variable=str(self.folder))["folders"]
            self.assertEqual(folders, [str(pathlib.Path(other))])

    def test_bench_searches_several_folders(self):
        folders = [self.folder / "one", self.folder / "two"]
        for folder in folders:
            folder.mkdir()
        result = subprocess.run([ISOVMAF, "bench", "-w", "64", "-h", "64", "--frames", "1", "--backend", "sound",
                                 "--backend-dir", folders[0], "--backend-dir", folders[1]],
                                capture_output=True, check=False, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"searched: {folders[0]}, {folders[1]}", result.stderr)

    def test_the_current_directory_is_not_searched(self):
        self.add("sound")
        for variable in (None, ""):
            report = self.json(variable=variable, cwd=self.folder)
            self.assertNotIn(str(self.folder), report["folders"])
            self.assertNotIn("sound", [backend.get("name") for backend in report["backends"]])

    def test_an_installed_tool_finds_the_installed_plugins(self):
        binaries = self.folder / "usr/bin"
        plugins = pathlib.Path(os.path.normpath(binaries / BACKENDS_FROM_BINDIR))
        binaries.mkdir(parents=True)
        plugins.mkdir(parents=True)
        tool = shutil.copy(ISOVMAF, binaries)
        shutil.copy(f"{FAKES}/fake_sound.so", plugins / "libvmaf_sound.so")
        (self.folder / "link").symlink_to(tool)
        for start in (tool, self.folder / "link"):
            report = self.json(tool=start)
            self.assertEqual(report["folders"], [str(plugins)])
            self.assertEqual([backend["name"] for backend in report["backends"]], ["sound"])

    def test_a_folder_that_is_not_there_is_an_error(self):
        for result in (self.run_tool("--backend-dir", "/nonexistent", expect=1),
                       self.run_tool(variable="/nonexistent", expect=1)):
            self.assertEqual(result.stdout, "")
            self.assertIn("/nonexistent, which does not exist", result.stderr)

    def test_help(self):
        text = self.run_tool("--help").stdout
        for word in ("--backend-dir", "--json", "--memory", "ISOVMAF_BACKEND_DIR"):
            self.assertIn(word, text)
        self.assertEqual(self.run_tool("--nothing", expect=2).stdout, "")


if __name__ == "__main__":
    BACKENDS_FROM_BINDIR, FAKES = sys.argv.pop(3), os.path.abspath(sys.argv.pop(2))
    ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
