#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Prints instructions, registers, spills and LDS of the kernels that a build compiled for AMD GPUs, as a table.

    amd_registers.py BUILD [--against BUILD] [--objdump PROGRAM]

BUILD is a build directory with libvmaf_hip.so. Kernels with taps are left out. Instructions are those of all kernels of
an architecture, as they stand in the code; registers are those of the file's largest kernel. With --against, a build of
an earlier version by the same compiler, instructions have two figures, and each kernel that has become longer is named.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "backends" / "hip"))
from amd_speed import table  # noqa: E402
from check_code_objects import metadata  # noqa: E402

FILES = ("vif", "adm", "motion", "psnr")
Kernel = collections.namedtuple("Kernel", "file registers spilled lds instructions")


def lengths(objdump, file):
    """The number of instructions of each function."""
    text = subprocess.run([objdump, "-d", file], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {}
    for block in re.split(r"^[0-9a-f]+ <", text, flags=re.M)[1:]:
        name, _, body = block.partition(">:")
        lines = [line for line in body.splitlines() if line.startswith("\t")]
        while lines and re.match(r"\ts_(nop|code_end)\b", lines[-1]):  # what fills the space behind a function
            lines.pop()
        found[name] = len(lines)
    return found


def kernels_of(build, objdump):
    """{architecture: {kernel: Kernel}}"""
    found = collections.defaultdict(dict)
    for file in sorted((build / "backends" / "hip").glob("*.*.hsaco")):
        name, arch = file.name.split(".")[:2]
        if name.endswith("_taps"):
            continue
        instructions = lengths(objdump, file)
        for kernel in metadata(file.read_bytes())["amdhsa.kernels"]:
            spilled = kernel[".vgpr_spill_count"] + kernel[".sgpr_spill_count"] + kernel[".private_segment_fixed_size"]
            found[arch][kernel[".name"]] = Kernel(name, kernel[".vgpr_count"], spilled,
                                                  kernel[".group_segment_fixed_size"], instructions[kernel[".name"]])
    return found


def cells(kernels, before):
    def largest(file, field):
        return max((getattr(kernel, field) for kernel in kernels.values() if kernel.file == file), default=0)

    def total(some):
        return f"{sum(kernel.instructions for kernel in some.values()):,}"

    instructions = total(kernels) if not before else f"{total(before)} → {total(kernels)}"
    return (instructions, *(largest(file, "registers") for file in FILES),
            " / ".join(f"{largest(file, 'lds'):,}" for file in FILES),
            sum(kernel.spilled for kernel in kernels.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--objdump", default="llvm-objdump-22")
    options = parser.parse_args()
    after = kernels_of(options.build, options.objdump)
    before = kernels_of(options.against, options.objdump) if options.against else {}
    if not after:
        sys.exit(f"{options.build} has no code for AMD GPUs: build backends/hip/libvmaf_hip.so")
    rows = collections.defaultdict(list)  # architectures with the same figures stand in one row
    for arch, kernels in after.items():
        rows[cells(kernels, before.get(arch))].append(f"`{arch}`")
    print(table(["", "instructions", *(f"{file}: VGPRs" for file in FILES), "LDS of the four, bytes", "spilled"],
                [[" ".join(archs), *row] for row, archs in rows.items()]))
    if before:
        longer = [f"{arch} {name}: {before[arch][name].instructions} → {kernel.instructions}"
                  for arch, kernels in after.items() for name, kernel in kernels.items()
                  if name in before.get(arch, {}) and kernel.instructions > before[arch][name].instructions]
        print("\nLonger than before:", ", ".join(longer) or "none")


main()
