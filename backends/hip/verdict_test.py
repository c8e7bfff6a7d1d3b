#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks which runtime the HIP plugin opens, and what it reports where ROCm does not work: one clear line, no crash,
nothing on stderr.

    verdict_test.py VERDICT_PROGRAM PLUGIN STALE_PLUGIN FAKE_RUNTIMES_FOLDER
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = PLUGIN = STALE_PLUGIN = RUNTIMES = ""
NAMES = ("libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5")
NOT_OPENED = r"unavailable: hip, ROCm's HIP runtime cannot be opened, install ROCm or name its folder with ROCM_PATH "


class Verdicts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def runtime(self, folder, name="libamdhip64.so.7", kind="complete"):
        """A fake runtime in a folder, whose soname is its name."""
        target = self.folder / folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        original = b"libamdhip64.so.7\0"
        library = pathlib.Path(RUNTIMES, kind, "libamdhip64.so.7").read_bytes()
        self.assertIn(original, library)
        target.write_bytes(library.replace(original, name.encode().ljust(len(original), b"\0")))
        return target

    def broken(self, folder):
        for name in NAMES:
            path = self.folder / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        return path.parent

    def run_program(self, linker="nothing", plugin=None, **environment):
        """The printed lines when the dynamic linker looks in the folder `linker` first."""
        inherited = {name: value for name, value in os.environ.items()
                     if name not in ("ROCM_PATH", "ROCM_HOME", "ISOVMAF_ROCM_FALLBACK", "LD_PRELOAD")}
        ran = subprocess.run([PROGRAM, plugin or PLUGIN], capture_output=True, text=True,
                             env={**inherited, "LD_LIBRARY_PATH": str(self.folder / linker), "PRINT_MAPPED": "libamdhip64",
                                  **{name: str(value) for name, value in environment.items()}})
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        return ran.stdout.splitlines()

    def verdict(self, pattern, **places):
        self.assertRegex(self.run_program(**places)[0], rf"\A{pattern}\Z")

    def opens(self, file, **places):
        """Expects that the plugin opens this file, and that the process maps no other runtime."""
        lines = self.run_program(**places)
        self.assertRegex(lines[0], rf"\Aloaded: hip, {re.escape(file.name)} 7\.0\.51831, 1 devices, {re.escape(str(file))}\Z")
        self.assertEqual(lines[1:], [f"mapped: {file}"])

    def test_what_the_runtime_reports(self):
        self.runtime("linker")
        self.verdict(r"unavailable: hip, libamdhip64\.so\.7 finds no device: .*\(101\)", linker="linker", FAKE_HIP_DEVICES="0")
        self.verdict(r"refused: .*: built for another isovmaf: .*0x0+1234.*; rebuild or reinstall the plugin",
                     linker="linker", plugin=STALE_PLUGIN)

    def test_variables_come_before_the_linker_and_the_fallback_last(self):
        fallback = self.runtime("pip/lib")
        broken = self.broken("broken")  # hides a runtime of the system
        self.opens(fallback, linker="broken", ISOVMAF_ROCM_FALLBACK=self.folder / "pip")
        linker = self.runtime("linker")
        places = {"linker": "linker", "ISOVMAF_ROCM_FALLBACK": self.folder / "pip"}
        self.opens(linker, **places)
        places["ROCM_HOME"] = self.folder / "home"
        self.opens(linker, **places)  # the folder does not exist
        self.opens(self.runtime("home/lib", "libamdhip64.so.6"), **places)
        places["ROCM_PATH"] = broken.parent
        self.opens(self.folder / "home/lib/libamdhip64.so.6", **places)
        places["ROCM_PATH"] = self.folder / "path"
        self.opens(self.runtime("path/lib", "libamdhip64.so.5"), **places)
        self.opens(self.runtime("path/lib", "libamdhip64.so.7"), **places)

    def test_what_the_process_has_loaded_comes_first(self):
        self.runtime("newer/lib")
        for name in (*NAMES, "libamdhip64.so"):
            with self.subTest(name):
                loaded = self.runtime(f"pytorch-{name}", name)
                self.opens(loaded, linker="newer/lib", LD_PRELOAD=loaded, ROCM_PATH=self.folder / "newer")

    def test_a_library_without_a_required_function_is_passed_over(self):
        empty = self.runtime("empty/lib", kind="empty")
        self.opens(self.runtime("empty/lib", "libamdhip64.so.6"), ROCM_PATH=self.folder / "empty", linker="broken")
        self.broken("broken")
        other = self.runtime("other/lib")
        lines = self.run_program(linker="broken", LD_PRELOAD=empty, ISOVMAF_ROCM_FALLBACK=self.folder / "other")
        self.assertIn(str(other), lines[0])

    def test_the_sentence_names_what_was_found_where(self):
        self.broken("broken/lib")
        self.runtime("empty/lib", kind="empty")
        self.verdict(NOT_OPENED + rf"\({self.folder}/empty/lib/libamdhip64\.so\.7 has no hipInit; "
                     rf"no libamdhip64\.so\.\* in {self.folder}/away/lib \(ROCM_HOME\); "
                     r".*libamdhip64\.so\.7: .*too short; .*libamdhip64\.so\.6: .*too short; .*libamdhip64\.so\.5: .*too short; "
                     r"no libamdhip64\.so\.\* in /opt/rocm/lib\)",
                     linker="broken/lib", ROCM_PATH=self.folder / "empty", ROCM_HOME=self.folder / "away")


if __name__ == "__main__":
    PROGRAM, PLUGIN, STALE_PLUGIN, RUNTIMES = sys.argv[1:5]
    unittest.main(argv=sys.argv[:1])
