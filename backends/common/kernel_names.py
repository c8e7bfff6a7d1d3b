# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What the checks of compiled kernels share: the kernels of a source, and the spills that are accepted."""

import pathlib
import re

KERNEL = re.compile(r"^ISOVMAF_KERNEL\([^()]*\)\s*(\w+)\(", re.MULTILINE)
SPILLS = pathlib.Path(__file__).with_name("spills.txt")
CONTRACT = pathlib.Path(__file__).resolve().parents[2] / "core" / "include" / "isovmaf" / "backend.h"
TAPS_SUFFIX = re.search(r'^#define ISOVMAF_TAPS_SUFFIX "(\w+)"', CONTRACT.read_text(encoding="utf-8"), re.MULTILINE)[1]


def is_taps(name):
    """Of a kernel, or of a file without its ending."""
    return name.endswith(TAPS_SUFFIX)


def kernel_names(source):
    return set(KERNEL.findall(pathlib.Path(source).read_text(encoding="utf-8")))


def accepted_spills():
    """Pairs (architecture, kernel) of spills.txt."""
    lines = (line.split("#")[0].split() for line in SPILLS.read_text(encoding="utf-8").splitlines())
    return {tuple(line) for line in lines if line}


def problems_of(file, arch, source, spills):
    """`spills` says of each kernel found how many registers or bytes it spills."""
    expected = kernel_names(source)
    taps = is_taps(pathlib.Path(source).stem)
    problems = [f"{file}: no kernel {name}" for name in sorted(expected - spills.keys())]
    problems += [f"{file}: kernel {name} is not in the source" for name in sorted(spills.keys() - expected)]
    problems += [f"{source}: kernel {name}: names end in {TAPS_SUFFIX} in files that do too, and only there"
                 for name in sorted(expected) if is_taps(name) != taps]
    if taps:  # they are never timed
        return problems
    accepted = accepted_spills()
    problems += [f"{file}: {name} spills {count} on {arch}; mend it, or say why not in {SPILLS.name}"
                 for name, count in sorted(spills.items()) if count and (arch, name) not in accepted]
    return problems
