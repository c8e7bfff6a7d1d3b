#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs a test of a plugin where it has a device; elsewhere the test is skipped (77), or fails if the device is required.

    on_device.py VERDICT_PROGRAM REQUIRED PLUGIN TEST [ARGUMENT...]
"""

import os
import subprocess
import sys

# lavapipe and the validation layer leak memory, and their libraries are unloaded when LeakSanitizer reports.
os.environ["ASAN_OPTIONS"] = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "detect_leaks=0")))

program, required, plugin, *test = sys.argv[1:]
verdict = subprocess.run([program, plugin], capture_output=True, check=True, text=True).stdout.strip()
print(verdict, flush=True)
if verdict.startswith("unavailable: "):
    sys.exit(1 if required == "1" else 77)
os.execv(test[0], test)
