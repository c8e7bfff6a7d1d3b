#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks what NVIDIA's assembler reported of compiled kernels: each architecture has the source's kernels, and none
spills registers beyond those listed in common/spills.txt. Kernels with taps are PTX, for one architecture. No image
has a name that changes with the folder of its source.

    check_usage.py {ARCH,ARCH... SOURCE.cu FILE.usage|FILE.ptx}...
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
from kernel_names import is_taps, problems_of  # noqa: E402

ENTRY = re.compile(
    r"Compiling entry function '(\w+)' for '(\w+)'.*?(\d+) bytes spill stores, (\d+) bytes spill loads.*?"
    r"Used (\d+) registers", re.DOTALL)

PTX_TARGET = re.compile(r"^\.target (\w+)", re.MULTILINE)
PTX_ENTRY = re.compile(r"^\.visible \.entry (\w+)\(", re.MULTILINE)

# How nvcc begins names with internal linkage; a digest of the source's folder follows. Of a fatbin this sees the names of
# tables in machine code: the PTX inside is compressed.
DIGEST = b"_INTERNAL_"


def check_names(file):
    image = pathlib.Path(re.sub(r"\.usage$", ".fatbin", file))
    if DIGEST in image.read_bytes():
        return [f"{image}: a name in it has internal linkage, so nvcc makes other bytes of the same source in another folder"]
    return []


def check_ptx(arch, source, file):
    ptx = pathlib.Path(file).read_text(encoding="utf-8")
    targets, names = PTX_TARGET.findall(ptx), PTX_ENTRY.findall(ptx)
    for name in names:
        print(f"{arch} {name}: PTX")
    problems = [] if targets == [arch] else [f"{file}: PTX for {', '.join(targets) or 'nothing'}, not {arch}"]
    return problems + problems_of(file, arch, source, dict.fromkeys(names, 0))


def check(archs, source, file):
    spills = {arch: {} for arch in archs.split(",")}
    problems = []
    for name, arch, stores, loads, registers in ENTRY.findall(pathlib.Path(file).read_text(encoding="utf-8")):
        print(f"{arch} {name}: {registers} registers, {stores} bytes spilled, {loads} reloaded")
        if arch in spills:
            spills[arch][name] = int(stores) + int(loads)
        else:
            problems.append(f"{file}: {name} is compiled for {arch}, which is not in the list")
    for arch, found in spills.items():
        problems += problems_of(file, arch, source, found)
    return problems


def main(arguments):
    files = list(zip(arguments[::3], arguments[1::3], arguments[2::3]))
    problems = [problem for file in files
                for problem in (check_ptx if is_taps(pathlib.Path(file[2]).name) else check)(*file) + check_names(file[2])]
    print("\n".join(problems) or f"{len(files)} files have the right kernels and no spill beyond those accepted")
    return 1 if problems or not arguments else 0


sys.exit(main(sys.argv[1:]))
