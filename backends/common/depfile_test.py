#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Ninja makes again what depfile.py describes when a file changes, and only then, also below a folder with a space."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

RULES = """rule copy
  command = cp '{source}' $out && {python} -c "import sys; sys.path.insert(0, '{here}'); \
import depfile; depfile.write_depfile('$out.d', '$out', ['{source}'])"
  depfile = $out.d
build copied: copy
"""


class Depfile(unittest.TestCase):
    def test_ninja_finds_files_with_spaces(self):
        with tempfile.TemporaryDirectory(suffix=" a folder") as folder:
            source = pathlib.Path(folder) / "source"
            source.write_text("1")
            (pathlib.Path(folder) / "build.ninja").write_text(RULES.format(
                source=source, python=sys.executable, here=pathlib.Path(__file__).resolve().parent))

            def says():
                return subprocess.run(["ninja", "-C", folder], stdout=subprocess.PIPE, text=True, check=True).stdout
            self.assertNotIn("no work to do", says())
            self.assertIn("no work to do", says())
            source.write_text("2")
            self.assertNotIn("no work to do", says())
            self.assertEqual((pathlib.Path(folder) / "copied").read_text(), "2")


if __name__ == "__main__":
    unittest.main()
