#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The probe that Meson compiles for each architecture is refused where the kernels would be, and such an architecture is
left out of the build with a sentence.

    probe_test.py SOURCE_ROOT COMPILER...     with the compiler's options for AMD GPUs
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

DIALECT = "kernel_dialect.h"


class Probe(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def errors(self, arch, find="", replace=""):
        """What the compiler prints about the probe for an architecture, with a text of the dialect replaced."""
        sound = (ROOT / "backends/hip/dialect" / DIALECT).read_text(encoding="utf-8")
        if find:
            self.assertEqual(sound.count(find), 1, f"{DIALECT} has the text once: {find}")
        (self.folder / DIALECT).write_text(sound.replace(find, replace) if find else sound, encoding="utf-8")
        return subprocess.run([COMPILER[0], f"-I{self.folder}", *COMPILER[1:], f"--offload-arch={arch}",
                               ROOT / "backends/hip/probe.cu", "-o", self.folder / "probe.hsaco"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout

    def test_it_is_accepted(self):
        for arch in ("gfx900", "gfx90a", "gfx1010", "gfx1030", "gfx1100", "gfx1201"):
            self.assertEqual(self.errors(arch), "", arch)

    def test_an_instruction_that_reads_too_many_scalar_registers_is_refused(self):
        fault = ('#define ISOVMAF_SCALAR_SUM "v"', '#define ISOVMAF_SCALAR_SUM "s"')
        self.assertIn("constant bus", self.errors("gfx900", *fault))
        self.assertEqual(self.errors("gfx1100", *fault), "")

    def test_an_instruction_that_the_architecture_lacks_is_refused(self):
        self.assertIn("dot2", self.errors("gfx1100", "#if ISOVMAF_AMD_DOT2", "#if 1"))

    def test_an_architecture_that_is_refused_is_left_out(self):
        compiler = self.folder / "compiler"
        compiler.write_text('#!/bin/sh\n[ "${*#*--offload-arch=gfx1031}" = "$*" ] || exit 1\n' f'exec "{COMPILER[0]}" "$@"\n')
        compiler.chmod(0o755)
        done = subprocess.run(
            ["meson", "setup", self.folder / "build", ROOT, "-Dprogram=false", "-Dtests=disabled", "-Dpython=disabled",
             "-Denable_hip=enabled", f"-Dhip_compiler={compiler}", "-Dhip_archs=gfx1030,gfx1031,gfx1100",
             *(f"-Denable_{backend}=disabled" for backend in ("cuda", "vulkan", "host"))],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"{compiler} cannot compile the kernels for gfx1031: left out", done.stdout)
        self.assertIn(f"{compiler} for gfx1030 gfx1100\n", done.stdout)


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv[1])
    COMPILER = sys.argv[2:]
    unittest.main(argv=sys.argv[:1])
