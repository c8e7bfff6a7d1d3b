#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs nvcc. The assembler's report of registers and spills goes to USAGE_FILE, all other output to stderr.

    fatbin.py USAGE_FILE NVCC ARGUMENT...
"""

import pathlib
import re
import subprocess
import sys

USAGE = re.compile(r"^ptxas info|bytes stack frame|^$")


def main(usage_file: str, *command: str) -> int:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    usage, other = [], []
    for line in done.stdout.splitlines():
        (usage if USAGE.search(line) else other).append(line)
    pathlib.Path(usage_file).write_text("\n".join(usage) + "\n", encoding="utf-8")
    if other:
        print("\n".join(other), file=sys.stderr)
    return done.returncode


sys.exit(main(*sys.argv[1:]))
