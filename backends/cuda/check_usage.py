#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks what NVIDIA's assembler said of compiled kernels: each architecture has the source's kernels, and none spills
registers beyond those listed in common/spills.txt.

    check_usage.py {ARCH,ARCH... SOURCE.cu FILE.usage}...
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
from kernel_names import kernel_names, problems_of  # noqa: E402

ENTRY = re.compile(
    r"Compiling entry function '(\w+)' for '(\w+)'.*?(\d+) bytes spill stores, (\d+) bytes spill loads.*?"
    r"Used (\d+) registers", re.DOTALL)


def check(archs, source, file):
    spills = {arch: {} for arch in archs.split(",")}
    problems = []
    for name, arch, stores, loads, registers in ENTRY.findall(pathlib.Path(file).read_text(encoding="utf-8")):
        print(f"{arch} {name}: {registers} registers, {stores} bytes spilled, {loads} reloaded")
        if arch in spills:
            spills[arch][name] = int(stores) + int(loads)
        else:
            problems.append(f"{file}: {name} is compiled for {arch}, which nobody asked for")
    for arch, found in spills.items():
        problems += problems_of(file, arch, kernel_names(source), found)
    return problems


def main(arguments):
    files = list(zip(arguments[::3], arguments[1::3], arguments[2::3]))
    problems = [problem for file in files for problem in check(*file)]
    print("\n".join(problems) if problems else f"the kernels of {len(files)} files are as they should be")
    return 1 if problems or not arguments else 0


sys.exit(main(sys.argv[1:]))
