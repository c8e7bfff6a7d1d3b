#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks what the HIP plugin reports where ROCm does not work: one clear line, no crash, nothing on stderr.

    verdict_test.py VERDICT_PROGRAM PLUGIN STALE_PLUGIN FAKE_RUNTIMES_FOLDER
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

program, plugin, stale_plugin, runtimes = sys.argv[1:]
failed = False


def expect(pattern: str, file: str, folder: object, **environment: str) -> None:
    """Expects a verdict on the plugin `file` when ROCm's runtime is looked for in `folder` first."""
    global failed
    ran = subprocess.run([program, file], capture_output=True, text=True, timeout=60,
                         env={**os.environ, "LD_LIBRARY_PATH": str(folder), **environment})
    verdict = ran.stdout.rstrip("\n")
    ok = ran.returncode == 0 and ran.stderr == "" and re.fullmatch(pattern, verdict)
    print(f"{'ok' if ok else 'WRONG'}: {verdict}")
    if not ok:
        print(f"  expected: {pattern}\n  code {ran.returncode}, stderr: {ran.stderr}")
        failed = True


complete = pathlib.Path(runtimes, "complete")
expect(r"loaded: hip, libamdhip64\.so\.7 7\.0\.51831, 1 devices", plugin, complete)
expect(r"unavailable: hip, libamdhip64\.so\.7 finds no device: .*\(101\)", plugin, complete, FAKE_HIP_DEVICES="0")
expect(r"unavailable: hip, libamdhip64\.so\.7 has no hipInit", plugin, pathlib.Path(runtimes, "empty"))
expect(r"refused: .*: built for another isovmaf: .*0x0+1234.*; rebuild or reinstall the plugin", stale_plugin, complete)
with tempfile.TemporaryDirectory() as folder:
    for version in (7, 6, 5):
        pathlib.Path(folder, f"libamdhip64.so.{version}").touch()
    expect(r"unavailable: hip, ROCm's HIP runtime cannot be opened, install ROCm \(.*libamdhip64\.so\.7: .*libamdhip64\.so\.6: "
           r".*libamdhip64\.so\.5: .*\)", plugin, folder)
sys.exit(failed)
