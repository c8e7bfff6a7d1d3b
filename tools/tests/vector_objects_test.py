#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What the compiler made of vector files: the instructions and the symbols of their objects.

    vector_objects_test.py LEVEL=ARCHIVE... -- COMPILER...

ARCHIVE has the objects of a level's vector files. COMPILER, a command, knows the tools that read them.
"""

import dataclasses
import re
import subprocess
import sys
import unittest

ARCHIVES, COMPILER = {}, []

# The rules of docs/adr/0001 leave no room for fused operations on f64. On f32 the logarithm of VIF asks for them, and on
# f64 the functions of core/math, which features with many logarithms or powers have in vectors: by feature, the functions
# of its vector file that may.
WITH_FUNCTIONS_OF_CORE_MATH = {"ciede": r"", "speed": r"\blog2_of_all\("}
FUSED_F64 = re.compile(r"vfn?m(add|sub)(add|sub)?\d*[ps]d\b"               # x86
                       r"|fn?m(la|ls|ad|sb|add|sub)\s+(d\d|v\d+\.2?d|z\d+\.d)")  # aarch64
INHERITED_SYMBOLS = {"DW.ref.__gxx_personality_v0"} # what compilers make for exceptions


@dataclasses.dataclass(frozen=True)
class Level:
    """How the instructions of a level look."""

    wanted: str    # in every object
    forbidden: str # in any: instructions of newer levels


LEVELS = {
    "sse4": Level(wanted=r"%xmm", forbidden=r"^v|%[yz]mm"),
    "avx2": Level(wanted=r"%ymm", forbidden=r"%zmm|%[xy]mm(1[6-9]|[23]\d)|%k\d"),
    "avx512": Level(wanted=r"%zmm", forbidden=r"^$"),
    "neon": Level(wanted=r"\bv\d+\.", forbidden=r"\bz\d+\."),
    "sve": Level(wanted=r"\bz\d+\.", forbidden=r"^$"),
}


def output(*command):
    return subprocess.run(command, check=True, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout


def tool(name):
    """binutils' `name` for the compiler's target."""
    return output(*COMPILER, f"-print-prog-name={name}").strip()


def split(text, header):
    """Parts of a tool's output by the name of the object that they are about; `header` has the name in a group."""
    parts = re.split(header, text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def functions(archive):
    """By object, by function: instructions, without prefixes such as {evex}."""
    text = output(tool("objdump"), "-d", "-w", "-C", "--no-show-raw-insn", archive)
    return {name: {function: re.findall(r"^ *[0-9a-f]+:\t(?:\{\w+\} +)?(.+)$", code, re.MULTILINE)
                   for function, code in split(part, r"^[0-9a-f]+ <(.+)>:$").items()}
            for name, part in split(text, r"^(.+\.o): +file format .*$").items()}


def instructions(archive):
    """By object: those of all functions."""
    return {name: [line for lines in content.values() for line in lines] for name, content in functions(archive).items()}


def symbols(archive):
    """By object: pairs of the kind and the name of each symbol that has a place in it."""
    text = output(tool("nm"), "-C", "--defined-only", archive)
    return {name: re.findall(r"^[0-9a-f]+ (\S) (.+)$", part, re.MULTILINE)
            for name, part in split(text, r"^(.+\.o):$").items()}


def feature_of(name):
    """The feature of the vector file that an object was made of: FEATURE_FEATURE_vectors.cpp.o."""
    found = re.fullmatch(r"(\w+)_\1_vectors\.cpp\.o", name.rpartition("/")[2])
    return found and found[1]


class VectorObjects(unittest.TestCase):
    def check_each(self, read, check):
        for level, archive in ARCHIVES.items():
            objects = read(archive)
            self.assertGreater(len(objects), 0, archive)
            for name, content in objects.items():
                with self.subTest(f"{level}: {name}"):
                    self.assertGreater(len(content), 0)
                    check(level, name, content)

    def test_products_and_sums_of_f64_are_rounded_separately(self):
        def check(_level, name, content):
            allowed = WITH_FUNCTIONS_OF_CORE_MATH.get(feature_of(name))
            self.assertEqual([(function, line) for function, lines in content.items() for line in lines
                              if FUSED_F64.match(line) and (allowed is None or not re.search(allowed, function))], [])

        self.check_each(functions, check)

    def test_objects_have_instructions_of_their_level_and_none_of_a_newer_one(self):
        def check(level, _name, lines):
            self.assertEqual([line for line in lines if re.search(LEVELS[level].forbidden, line)], [])
            self.assertTrue(any(re.search(LEVELS[level].wanted, line) for line in lines), LEVELS[level].wanted)

        self.check_each(instructions, check)

    def test_no_function_can_stand_in_for_one_of_older_code(self):
        """The linker keeps one of several weak symbols of a name, perhaps one with instructions that are too new."""
        def check(_level, _name, found):
            self.assertEqual([name for kind, name in found if kind in "WVu" and name not in INHERITED_SYMBOLS], [])

        self.check_each(symbols, check)

    def test_objects_export_their_table_of_functions_alone(self):
        def check(level, name, found):
            feature = feature_of(name)
            self.assertIsNotNone(feature)
            exported = [(kind, symbol) for kind, symbol in found if kind.isupper() and symbol not in INHERITED_SYMBOLS]
            self.assertEqual([symbol for _, symbol in exported], [f"isovmaf::{feature}_functions_{level}"])
            self.assertIn(exported[0][0], "DR")

        self.check_each(symbols, check)

    def test_the_rule_knows_fused_instructions(self):
        for line in ("vfmadd213pd %ymm0,%ymm1,%ymm2", "vfnmadd231sd %xmm0,%xmm1,%xmm2", "vfmsubadd132pd %zmm0,%zmm1,%zmm2",
                     "fmla\tv0.2d, v1.2d, v2.2d", "fmadd\td0, d1, d2, d3", "fnmls\tz0.d, p0/m, z1.d, z2.d"):
            self.assertRegex(line, FUSED_F64)
        for line in ("vfmadd213ps %ymm0,%ymm1,%ymm2", "vmulpd %ymm0,%ymm1,%ymm2", "fmla\tv0.4s, v1.4s, v2.4s",
                     "fmul\tv0.2d, v1.2d, v2.2d", "fmadd\ts0, s1, s2, s3"):
            self.assertNotRegex(line, FUSED_F64)


if __name__ == "__main__":
    at = sys.argv.index("--")
    ARCHIVES, COMPILER = dict(argument.split("=", 1) for argument in sys.argv[1:at]), sys.argv[at + 1:]
    unittest.main(argv=sys.argv[:1], verbosity=2)
