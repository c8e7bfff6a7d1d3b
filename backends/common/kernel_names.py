# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Shared by the checks of compiled kernels: the kernels in a source file, and the register spills that are accepted."""

import pathlib
import re

KERNEL = re.compile(r"^ISOVMAF_KERNEL\([^()]*\)\s*(\w+)\(", re.MULTILINE)
SPILLS = pathlib.Path(__file__).with_name("spills.txt")
CONTRACT = pathlib.Path(__file__).resolve().parents[2] / "core" / "include" / "isovmaf" / "backend.h"
TAPS_SUFFIX = re.search(r'^#define ISOVMAF_TAPS_SUFFIX "(\w+)"', CONTRACT.read_text(encoding="utf-8"), re.MULTILINE)[1]


def is_taps(name):
    """Whether `name` names a kernel with taps, or a file of such kernels (without its ending)."""
    return name.endswith(TAPS_SUFFIX)


def kernel_names(source):
    return set(KERNEL.findall(pathlib.Path(source).read_text(encoding="utf-8")))


def accepted_spills():
    """The pairs (architecture, kernel) in spills.txt."""
    lines = (line.split("#")[0].split() for line in SPILLS.read_text(encoding="utf-8").splitlines())
    return {tuple(line) for line in lines if line}


def problems_of(file, arch, source, spills):
    """Sentences about what is wrong with a compiled file. `spills` maps the name of each kernel in it to the number of
    registers or bytes that the kernel spills."""
    expected = kernel_names(source)
    taps = is_taps(pathlib.Path(source).stem)
    problems = [f"{file}: no kernel {name}" for name in sorted(expected - spills.keys())]
    problems += [f"{file}: kernel {name} is not in the source" for name in sorted(spills.keys() - expected)]
    problems += [f"{source}: the names of kernel {name} and of its file have to end in {TAPS_SUFFIX} both, or neither"
                 for name in sorted(expected) if is_taps(name) != taps]
    if taps:  # they are never timed
        return problems
    accepted = accepted_spills()
    problems += [f"{file}: {name} spills {count} on {arch}: reduce its registers, or list it and why in {SPILLS.name}"
                 for name, count in sorted(spills.items()) if count and (arch, name) not in accepted]
    return problems
