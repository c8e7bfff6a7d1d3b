#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""With any option, and with each number of files that `./quickstart` compiles as one, the build is planned to its end:
Meson gives wrong names to objects of a library that is put into another archive, where the number divides that of its
files.

    unity_test.py SOURCE_ROOT
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1])
WHOLE = ("-Dinstall_libvmaf=true", "-Dinstall_vmaf=true")
WITHOUT = ("-Dprogram=false", "-Dmpi=disabled", "-Dhwloc=disabled", "-Dpython=disabled", "-Ddefault_library=static")


class Unity(unittest.TestCase):
    def expect_plan(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            backends = (f"-Denable_{name}=disabled" for name in ("hip", "cuda", "vulkan"))
            for command in (("meson", "setup", folder, ROOT, "-Dtests=disabled", "--unity=on", *backends, *options),
                            ("ninja", "-n", "-C", folder)):
                done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True)
                self.assertEqual(done.returncode, 0, done.stdout[-2000:])
            self.assertIn("capi/libvmaf.a", done.stdout)

    def test_every_number_of_quickstart_is_planned(self):
        numbers = re.findall(r"^ *echo (\d+)$", (ROOT / "quickstart").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual(len(numbers), 2)
        for number in numbers:
            with self.subTest(number):
                self.expect_plan(f"-Dunity_size={number}", *WHOLE)

    def test_other_options_are_planned(self):
        self.expect_plan(*WHOLE, *WITHOUT)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
