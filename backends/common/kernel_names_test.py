#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What kernel_names.py reads of .cu files, and what it says of files that it cannot read."""

import pathlib
import tempfile
import unittest

import kernel_names

BODY = """ISOVMAF_KERNEL(BLUR_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *from, uint16_t *to, ISOVMAF_TAPS_PARAMETER BlurParams p) {
}
"""
LIST = """// Kernels.

#define KERNEL blur_8
#define SAMPLE_BITS 8
#include "blur_kernel.h"

#define KERNEL blur_16
#define SAMPLE_BITS 16
#include "blur_kernel.h"
"""


class KernelNamesTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.core, kernel_names.CORE = kernel_names.CORE, pathlib.Path(temporary.name)

    def tearDown(self):
        kernel_names.CORE = self.core

    def kernels(self, source, taps=False, body=BODY):
        (kernel_names.CORE / "blur_kernel.h").write_text(body)
        (kernel_names.CORE / "blur.cu").write_text(source)
        return kernel_names.kernels_of(kernel_names.CORE / "blur.cu", taps)

    def expect_refusal(self, text, source, body=BODY):
        with self.assertRaisesRegex(SystemExit, text):
            self.kernels(source, body=body)

    def test_a_list_gives_a_kernel_for_each_inclusion_of_the_body(self):
        small, large = self.kernels(LIST)
        self.assertEqual(small, ("blur_8", "BLUR_THREADS", "const SAMPLE *from, uint16_t *to,  BlurParams p",
                                 "blur_kernel.h", ("KERNEL=blur_8", "SAMPLE_BITS=8")))
        self.assertEqual((large.name, large.definitions), ("blur_16", ("KERNEL=blur_16", "SAMPLE_BITS=16")))

    def test_kernels_with_taps_have_the_suffix_and_a_pointer_more(self):
        for plain, tapped in zip(self.kernels(LIST), self.kernels(LIST, taps=True)):
            self.assertEqual(tapped.name, plain.name + kernel_names.TAPS_SUFFIX)
            self.assertEqual(tapped.parameters.count("*"), plain.parameters.count("*") + 1)

    def test_a_kernel_that_is_written_out_is_found_beside_a_list(self):
        names = [kernel.name for kernel in self.kernels("ISOVMAF_KERNEL(64) fill(uint8_t *to) {}\n" + LIST)]
        self.assertEqual(names, ["fill", "blur_8", "blur_16"])

    def test_a_kernel_may_say_how_many_blocks_are_resident(self):
        resident = BODY.replace("ISOVMAF_KERNEL(BLUR_THREADS", "ISOVMAF_KERNEL_RESIDENT(BLUR_THREADS, 3")
        fill, blur, _ = self.kernels("ISOVMAF_KERNEL_RESIDENT(64, 7) fill(uint8_t *to) {}\n" + LIST, body=resident)
        self.assertEqual((fill.name, fill.threads, blur.threads), ("fill", "64", "BLUR_THREADS"))

    def test_files_that_cannot_be_read_are_refused(self):
        self.expect_refusal("no kernel in it", "// nothing\n")
        self.expect_refusal("starts at the beginning of a line", "  ISOVMAF_KERNEL(64) fill(uint8_t *to) {}\n" + LIST)
        self.expect_refusal("without a definition of KERNEL", LIST.replace("KERNEL blur_8", "NAME blur_8"))
        self.expect_refusal("found ISOVMAF_KERNEL_NAME, ISOVMAF_KERNEL_NAME", LIST, BODY + BODY)
        self.expect_refusal("found blur", LIST, BODY.replace("ISOVMAF_KERNEL_NAME", "blur"))
        self.expect_refusal("found none", LIST, "")

    def test_the_suffix_of_taps_is_found_in_front_of_a_files_endings(self):
        self.assertTrue(kernel_names.is_taps("motion_taps.gfx90a.hsaco"))
        self.assertFalse(kernel_names.is_taps("motion.gfx90a.hsaco"))


unittest.main()
