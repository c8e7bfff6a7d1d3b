# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The kernels of a .cu file, and what the checks of compiled kernels share.

A .cu file has kernels of two kinds. One is written out:

    ISOVMAF_KERNEL(THREADS)
    NAME(PARAMETERS) {

or begins with ISOVMAF_KERNEL_RESIDENT(THREADS, BLOCKS). The other is a list of definitions in front of a body (core/portable/body.h), whose entry point is called
ISOVMAF_KERNEL_NAME:

    #define KERNEL NAME
    #define DEFINITION VALUE
    #include "features/FEATURE/FEATURE_kernel.h"
"""

import pathlib
import re
import typing

WRITTEN = re.compile(r"^ISOVMAF_KERNEL(?:_RESIDENT)?\(([^(),]*)(?:,[^()]*)?\)\s*(\w+)\(([^()]*)\)", re.MULTILINE)
LISTED = re.compile(r'^((?:#define \w+ \S+\n)+)#include "([\w/]+_kernel\.h)"', re.MULTILINE)
DEFINITION = re.compile(r"#define (\w+) (\S+)")
BODY_NAME, BODY_TAPS = "ISOVMAF_KERNEL_NAME", "ISOVMAF_TAPS_PARAMETER"
SPILLS = pathlib.Path(__file__).with_name("spills.txt")
CORE = pathlib.Path(__file__).resolve().parents[2] / "core"
CONTRACT = CORE / "include" / "isovmaf" / "backend.h"
TAPS_SUFFIX = re.search(r'^#define ISOVMAF_TAPS_SUFFIX "(\w+)"', CONTRACT.read_text(encoding="utf-8"), re.MULTILINE)[1]


class Kernel(typing.NamedTuple):
    name: str
    threads: str          # of a block
    parameters: str       # pointers, then at most one structure
    body: str = ""        # the header with the body, as it is included; empty for a kernel that is written out
    definitions: tuple = ()  # NAME=VALUE, for the body


def is_taps(name):
    """Whether a kernel, or the file that is made of a .cu file, has taps; a file's endings do not count."""
    return name.split(".")[0].endswith(TAPS_SUFFIX)


def listed_kernel(definitions, header, taps):
    entries = WRITTEN.findall((CORE / header).read_text(encoding="utf-8"))
    if [name for _, name, _ in entries] != [BODY_NAME]:
        raise SystemExit(f"{header}: expected one entry point ISOVMAF_KERNEL(THREADS) {BODY_NAME}(, found "
                         f"{', '.join(name for _, name, _ in entries) or 'none'}")
    threads, _, parameters = entries[0]
    found = dict(DEFINITION.findall(definitions))
    if "KERNEL" not in found:
        raise SystemExit(f"{header}: is included without a definition of KERNEL, the kernel's name")
    name = found["KERNEL"] + (TAPS_SUFFIX if taps else "")
    parameters = parameters.replace(BODY_TAPS, "int64_t *taps," if taps else "")
    return Kernel(name, threads, parameters, header, tuple(f"{each}={value}" for each, value in found.items()))


def kernels_of(source, taps=False):
    """The kernels that a .cu file gives, in its order; with `taps`, those of its second compilation."""
    text = pathlib.Path(source).read_text(encoding="utf-8")
    written = [Kernel(name, threads, parameters) for threads, name, parameters in WRITTEN.findall(text)]
    if len(written) != len(re.findall(r"ISOVMAF_KERNEL(?:_RESIDENT)?\(", text)):
        raise SystemExit(f"{source}: a kernel starts at the beginning of a line as ISOVMAF_KERNEL(THREADS) NAME(")
    kernels = written + [listed_kernel(*listed, taps) for listed in LISTED.findall(text)]
    if not kernels:
        raise SystemExit(f"{source}: no kernel in it")
    return kernels


def kernel_names(source, taps=False):
    return {kernel.name for kernel in kernels_of(source, taps)}


def accepted_spills():
    """The pairs (architecture, kernel) in spills.txt."""
    lines = (line.split("#")[0].split() for line in SPILLS.read_text(encoding="utf-8").splitlines())
    return {tuple(line) for line in lines if line}


def problems_of(file, arch, source, spills):
    """Sentences about what is wrong with a compiled file. `spills` maps the name of each kernel in it to the number of
    registers or bytes that the kernel spills."""
    taps = is_taps(pathlib.Path(file).name)
    expected = kernel_names(source, taps)
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
