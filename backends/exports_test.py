#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""A plugin shows one symbol: exports_test.py PLUGIN..."""

import subprocess
import sys

EXPECTED = ["isovmaf_backend_entry"]
failed = False
for plugin in sys.argv[1:]:
    listing = subprocess.run(["nm", "-D", "--defined-only", plugin], capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[-1] for line in listing.splitlines()]
    print(f"{plugin}: {' '.join(symbols)}")
    failed |= symbols != EXPECTED
sys.exit(failed)
