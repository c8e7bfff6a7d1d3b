#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""A plugin exports its table and no other symbol: exports_test.py NM PLUGIN.so"""

import subprocess
import sys

nm, plugin = sys.argv[1:]
lines = subprocess.run([nm, "-D", "--defined-only", plugin], check=True, capture_output=True, text=True).stdout
names = [line.split()[-1] for line in lines.splitlines()]
if names != ["isovmaf_backend_entry"]:
    sys.exit(f"{plugin} exports {', '.join(names) or 'nothing'}, not isovmaf_backend_entry alone")
