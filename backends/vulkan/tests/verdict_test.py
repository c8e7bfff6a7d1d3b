#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Without a working Vulkan the plugin reports the reason in one line, does not crash, and prints nothing on stderr.

    verdict_test.py VERDICT_PROGRAM PLUGIN
"""

import ctypes.util
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = PLUGIN = ""


class VerdictTest(unittest.TestCase):
    def expect(self, pattern, **environment):
        ran = subprocess.run([PROGRAM, PLUGIN], capture_output=True, check=False, text=True,
                             env={**os.environ, **environment})
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertRegex(ran.stdout, f"^{pattern}\n$")

    def setUp(self):
        if not ctypes.util.find_library("vulkan") and "loader" not in self.id():
            self.skipTest("no Vulkan loader")

    def no_driver(self, **environment):
        return {"VK_ICD_FILENAMES": "/nonexistent.json", "VK_DRIVER_FILES": "/nonexistent.json", **environment}

    def test_no_loader(self):
        self.expect(r"unavailable: vulkan, Vulkan's loader cannot be opened, install it \(libvulkan1, vulkan-loader\) or "
                    r"name its file with ISOVMAF_VULKAN_LOADER \(/nonexistent\.so: .*\)",
                    ISOVMAF_VULKAN_LOADER="/nonexistent.so")

    def test_a_library_that_is_no_loader(self):
        library = ctypes.util.find_library("m")
        self.expect(rf"unavailable: vulkan, .*\({library} has no vkGetInstanceProcAddr\)", ISOVMAF_VULKAN_LOADER=library)

    def test_no_driver(self):
        self.expect(r"unavailable: vulkan, libvulkan\.so\.1 finds no Vulkan driver, install one for the GPU .*"
                    r"VK_ERROR_INCOMPATIBLE_DRIVER \(-9\)", **self.no_driver())

    def test_a_broken_driver(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write('{"file_format_version": "1.0.0", "ICD": {"library_path": "/nonexistent.so", "api_version": "1.2.0"}}')
            file.flush()
            self.expect(r"unavailable: vulkan, libvulkan\.so\.1 finds no Vulkan driver, .*",
                        **{name: file.name for name in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES")})

    def test_unknown_values_of_settings(self):
        self.expect(r"unavailable: vulkan, ISOVMAF_VULKAN_VALIDATION is 'yes' and may be 0, 1 or gpu",
                    ISOVMAF_VULKAN_VALIDATION="yes")
        self.expect(r"unavailable: vulkan, ISOVMAF_VULKAN_WITHOUT names 'shaderInt63' and may name shaderInt64, .*",
                    ISOVMAF_VULKAN_WITHOUT="shaderBufferInt64Atomics,shaderInt63")

    def test_validation_without_its_layer(self):
        with tempfile.TemporaryDirectory() as folder:
            self.expect(r"unavailable: vulkan, ISOVMAF_VULKAN_VALIDATION is set, and there is no "
                        r"VK_LAYER_KHRONOS_validation: install it .*", ISOVMAF_VULKAN_VALIDATION="1", VK_LAYER_PATH=folder)


if __name__ == "__main__":
    PLUGIN, PROGRAM = sys.argv.pop(2), sys.argv.pop(1)
    unittest.main()
