#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Whatever compiles core/math, for whichever processor, its results have the same bits.

    math_builds_test.py SOURCE_ROOT

Compiles it with every compiler that there is, without and with optimisation, and compares a sample of all its results,
in hardware and in integers, with core/math/digests.txt. Programs for 64-bit Arm run in an emulator.
"""

import dataclasses
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE_ROOT = None
MACHINE = platform.machine()

FLAGS = ("-std=c++20", "-ffp-contract=off")  # of the top meson.build: products and sums are rounded by themselves
FILES = ("math", "software_fma", "hardware")
COMPARING_FILES = ("testing/math_proof", "testing/series")  # compiled once for a processor
LEVELS = ("-O0", "-O3")


@dataclasses.dataclass(frozen=True)
class Target:
    """A processor that core/math is compiled for."""

    name: str
    compilers: tuple      # each a command; the first one compiles what only compares, too
    hardware: tuple = ()  # flags of hardware.cpp, as core/math/meson.build has them
    runner: tuple = ()    # what programs are started with
    loader: str = ""      # what the runner needs beside it


TARGETS = (
    Target(MACHINE, (("g++",), ("clang++",), ("clang++-19",)), ("-mfma",) if MACHINE == "x86_64" else ()),
    Target("aarch64", (("aarch64-linux-gnu-g++",), ("clang++-19", "--target=aarch64-linux-gnu")),
           runner=("qemu-aarch64", "-L", "/"), loader="/lib/ld-linux-aarch64.so.1"),  # of Debian's libc6:arm64
)


def run(*command):
    """What a command printed; raises what says why it failed."""
    result = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, text=True, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {result.returncode}\n{result.stdout}")
    return result.stdout


def missing_program(target, compiler):
    """The first program that a build needs and that is not here."""
    programs = (*(command[0] for command in (target.compilers[0], compiler, target.runner) if command), target.loader)
    return next((program for program in programs if program and not shutil.which(program)), None)


class MathBuilds(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def compile(self, compiler, file, target, level):
        """The object of a file of core/math."""
        item = self.folder / f"{file.replace('/', '_')}.o"
        flags = (*FLAGS, f"-I{SOURCE_ROOT}/core", level, *(target.hardware if file == "hardware" else ()))
        run(*compiler, *flags, "-c", f"{SOURCE_ROOT}/core/math/{file}.cpp", "-o", item)
        return item

    def check(self, target, compiler, level, comparing):
        """How many digests a build has compared; all of them were equal."""
        program = self.folder / "program"
        objects = [self.compile(compiler, file, target, level) for file in FILES]
        run(*target.compilers[0], *comparing, *objects, "-o", program, "-pthread", "-ldl")
        printed = run(*target.runner, program, "check", f"{SOURCE_ROOT}/core/math/digests.txt", "0")
        self.assertRegex(printed, r"compared [1-9]\d* digests, 0 differ")
        return int(re.search(r"compared (\d+)", printed)[1])

    def test_code_for_newer_processors_is_used_by_its_own_table_alone(self):
        """A function with external linkage in hardware.cpp might be the one that the linker takes for all files."""
        target = TARGETS[0]
        if missing := missing_program(target, target.compilers[0]):
            self.skipTest(f"there is no {missing}")
        item = self.compile(target.compilers[0], "hardware", target, "-O0")  # optimised, small functions disappear
        found = re.findall(r" [TWi] (.+)", run("nm", "-C", "--defined-only", item))
        self.assertEqual(found, ["isovmaf::math::functions_with_instruction()"])

    def test_each_build_has_the_same_bits(self):
        compared, builds, absent = 0, [], []
        for target in TARGETS[:1] if MACHINE == TARGETS[1].name else TARGETS:
            comparing = None
            for compiler in target.compilers:
                title = f"{' '.join(compiler)} for {target.name}"
                if missing := missing_program(target, compiler):
                    absent.append(f"{title} (there is no {missing})")
                    continue
                comparing = comparing or [self.compile(target.compilers[0], file, target, "-O1")
                                          for file in COMPARING_FILES]
                for level in LEVELS:
                    with self.subTest(f"{title}, {level}"):
                        builds.append(f"{title} {level}")
                        compared += self.check(target, compiler, level, comparing)
        print(f"compared {compared} cases of core/math in {len(builds)} builds: {', '.join(builds)}")
        print(f"not compared: {', '.join(absent) or 'nothing'}")
        if not builds:
            self.skipTest("; ".join(absent))


if __name__ == "__main__":
    SOURCE_ROOT = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=sys.argv[:1], verbosity=2)
