#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What libvmaf.so.3 shows to the programs that load it.

    exports_test.py NM READELF LIBRARY EXPORTS_MAP HEADER...
"""

import re
import subprocess
import sys
import unittest

NM, READELF, LIBRARY, EXPORTS_MAP, HEADERS = *sys.argv[1:5], sys.argv[5:]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def listed():
    """The names of the version script, which is the only list."""
    return re.findall(r"\b(vmaf_\w+);", without_comments(read(EXPORTS_MAP)))


def declared():
    """The functions that the headers declare."""
    return [name for header in HEADERS for name in re.findall(r"\b(vmaf_\w+)\(", without_comments(read(header)))]


class Exports(unittest.TestCase):
    def test_the_library_exports_the_list_and_nothing_else(self):
        lines = output(NM, "-D", "--defined-only", LIBRARY).splitlines()
        self.assertEqual(sorted(line.split()[-1] for line in lines), sorted(listed()),
                         "names with @ have a version, which libvmaf's have not")

    def test_the_headers_declare_the_list(self):
        self.assertEqual(sorted(declared()), sorted(listed()))

    def test_the_list_has_no_function_for_cuda_states(self):
        self.assertEqual([name for name in listed() if name.startswith("vmaf_cuda_")], [])

    def test_its_name_is_that_of_libvmaf(self):
        self.assertIn("Library soname: [libvmaf.so.3]", output(READELF, "-d", LIBRARY))

    def test_it_needs_neither_ffmpeg_nor_fmt_nor_libraries_of_the_project(self):
        needed = re.findall(r"\(NEEDED\).*\[(.+)\]", output(READELF, "-d", LIBRARY))
        self.assertIn("libc.so.6", needed)
        self.assertEqual([name for name in needed if re.match(r"lib(av|sw|postproc|fmt|isovmaf)", name)], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
