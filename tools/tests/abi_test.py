#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Compares the binary interface of libisovmaf with the one on record in core/package: its symbols, and by libabigail the
types that its functions take and give.

    abi_test.py SOURCE_ROOT LIBRARY COMPILER...             the test
    abi_test.py --write SOURCE_ROOT LIBRARY COMPILER...     records the interface as it is now
"""

import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from commands import output

WRITE = sys.argv[1] == "--write"
SOURCE_ROOT, LIBRARY, *COMPILER = sys.argv[2:] if WRITE else sys.argv[1:]
CORE = pathlib.Path(SOURCE_ROOT).resolve() / "core"
SYMBOLS, TYPES = CORE / "package/libisovmaf.symbols", CORE / "package/libisovmaf.abi.xz"

# The files that define what the library exports. They are compiled once more, with debug information.
SOURCES = ("frame/frame.cpp", "execution/execution.cpp", "engine/session.cpp", "engine/feed.cpp",
           "features/request.cpp", "features/semantics.cpp", "model/request.cpp")
# What is described: types of the public headers, and the project's own functions. The folder of the sources may have any
# name and path. Session::Impl is private.
ONLY_OURS = r"""
[suppress_type]
  source_location_not_regexp = /core/include/isovmaf/[a-z_]+\.hpp
  drop = true
[suppress_function]
  name_not_regexp = isovmaf
  drop = true
[suppress_function]
  symbol_name_regexp = Session4Impl
  drop = true
"""
WHAT_TO_DO = """
If programs that were built before go on to work, record the new interface:
    {0} --write {1}
If they do not, raise the version in meson.build first (docs/adr/0053)."""


def exported(library):
    """The functions and data that `library` exports, weak symbols of templates left out."""
    return sorted(set(re.findall(r"^\w+ [TDBR] (.*)$", output("nm", "-DC", "--defined-only", library), re.MULTILINE)))


def describe(folder):
    """The interface as abidw tells it, and the library that it was read from."""
    objects = []
    for source in SOURCES:
        objects.append(folder / source.replace("/", "_").replace(".cpp", ".o"))
        output(*COMPILER, "-std=c++20", "-g", "-O0", "-fPIC", "-fvisibility=hidden", '-DISOVMAF_VERSION=""',
               *(f"-I{include}" for include in (CORE, CORE / "include", pathlib.Path(LIBRARY).parent)),
               "-c", CORE / source, "-o", objects[-1])
    library, suppressions, text = folder / "libisovmaf.so", folder / "suppressions", folder / "now.abi"
    output(*COMPILER, "-shared", "-o", library, *objects)
    suppressions.write_text(ONLY_OURS)
    output("abidw", "--suppressions", suppressions, "--exported-interfaces-only", "--no-show-locs", "--no-elf-needed",
           "--no-corpus-path", "--no-comp-dir-path", "--out-file", text, library)
    return text, library


class Interface(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.advice = WHAT_TO_DO.format(sys.argv[0], " ".join(sys.argv[1:]))

    def test_the_symbols_are_those_on_record(self):
        self.assertEqual(exported(LIBRARY), SYMBOLS.read_text().splitlines(), self.advice)

    def test_the_types_are_those_on_record(self):
        now, library = describe(self.folder)
        self.assertEqual(exported(library), exported(LIBRARY), "SOURCES lacks a file that defines an exported function")
        record = self.folder / "record.abi"
        record.write_bytes(lzma.decompress(TYPES.read_bytes()))
        # Templates of the C++ library come and go with private members. What is ours and new is in the list of symbols.
        compared = subprocess.run(["abidiff", "--no-added-syms", "--no-unreferenced-symbols", record, now], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(compared.returncode, 0, compared.stdout + self.advice)


def write():
    SYMBOLS.write_text("".join(f"{name}\n" for name in exported(LIBRARY)))
    with tempfile.TemporaryDirectory() as folder:
        text, _ = describe(pathlib.Path(folder))
        TYPES.write_bytes(lzma.compress(text.read_bytes(), preset=9))


if WRITE:
    write()
elif not shutil.which("abidiff"):
    print("abidiff is missing (abigail-tools)")
    sys.exit(77)
else:
    unittest.main(argv=sys.argv[:1])
