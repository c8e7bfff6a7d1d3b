#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Faults in a kernel of the product, which strict execution or the kernel's own tests have to find.

    planted_test.py SOURCE_ROOT KERNEL_TEST COMPILER...     with the compiler's options for AMD GPUs

A faulty copy of a header stands before the sound one on the include path. FAKE_HIP_ARCH names the GPU, whose waves have
32 lanes. The kernel is PSNR's, which adds up what each block computes.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

REDUCE, DIALECT = "core/portable/reduce.h", "backends/hip/dialect/kernel_dialect.h"


class PlantedFaults(unittest.TestCase):
    def run_with(self, header=None, find="", replace=""):
        """How the tests of the kernel end with the text `find` of a header replaced."""
        with tempfile.TemporaryDirectory() as folder:
            if header:
                sound = (ROOT / header).read_text(encoding="utf-8")
                self.assertEqual(sound.count(find), 1, f"{header} has the text once: {find}")
                faulty = pathlib.Path(folder) / header.removeprefix("core/").removeprefix("backends/hip/dialect/")
                faulty.parent.mkdir(exist_ok=True)
                faulty.write_text(sound.replace(find, replace), encoding="utf-8")
            module = os.path.join(folder, "psnr.hsaco")
            subprocess.run([COMPILER[0], f"-I{folder}", *COMPILER[1:], "-DISOVMAF_TAPS=0",
                            f"--offload-arch={os.environ['FAKE_HIP_ARCH']}", ROOT / "core/features/psnr/psnr.cu",
                            "-o", module], check=True)
            return subprocess.run([KERNEL_TEST, "--gtest_filter=Psnr*Chunk*:Psnr*PlanesOf*"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, env={**os.environ, "FAKE_HIP_MODULE": module})

    def expect_found(self, complaint, header, find, replace):
        run = self.run_with(header, find, replace)
        self.assertNotEqual(run.returncode, 0)
        self.assertRegex(run.stdout, complaint)

    def test_the_sound_kernel_passes(self):
        run = self.run_with()
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertRegex(run.stdout, r"\[  PASSED  \] [1-9]")

    def test_a_missing_barrier(self):
        self.expect_found("a race between waves of a group", REDUCE, "    barrier();\n", "")

    def test_an_index_off_by_one(self):
        self.expect_found("of the group's 0x40 bytes of LDS", REDUCE, "wave < threads / width", "wave <= threads / width")

    def test_an_assumed_wave_width(self):
        self.expect_found(r"FAILED  \] PsnrKernels.EverySizeAroundAChunk", REDUCE, "width = wave_width()", "width = 64")

    def test_a_lost_atomic(self):
        self.expect_found("a race: (reading|writing) 4 bytes", DIALECT,
                          "__hip_atomic_fetch_add((uint64_t *)sum, uint64_t(v), __ATOMIC_RELAXED, "
                          "__HIP_MEMORY_SCOPE_AGENT)", "*sum += v")


if __name__ == "__main__":
    ROOT, KERNEL_TEST, COMPILER = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    unittest.main(argv=sys.argv[:1], verbosity=2)
