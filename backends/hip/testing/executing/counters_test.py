#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What the executing runtime writes to the file that FAKE_HIP_COUNTERS names.

    counters_test.py RUNTIME CODE_OBJECT      of test_kernels.cu, for the GPU that FAKE_HIP_ARCH names

A process of its own launches kernels through the runtime's C interface: the file is there when that process has ended.
"""

import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

NON_BLOCKING = 1  # hipStreamNonBlocking
SIZE = 64  # threads of a group


class Runtime:
    def __init__(self, library, code_object):
        self.library = ctypes.CDLL(library)
        self.image = ctypes.create_string_buffer(pathlib.Path(code_object).read_bytes())
        self.stream, self.module = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("hipStreamCreateWithFlags", ctypes.byref(self.stream), NON_BLOCKING)
        self.call("hipModuleLoadData", ctypes.byref(self.module), self.image)

    def call(self, name, *arguments):
        error = getattr(self.library, name)(*arguments)
        if error:
            raise RuntimeError(f"{name} returned {error}")

    def memory(self, size):
        address = ctypes.c_void_p()
        self.call("hipMalloc", ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def launch(self, kernel, groups, *arguments):
        function = ctypes.c_void_p()
        self.call("hipModuleGetFunction", ctypes.byref(function), self.module, kernel.encode())
        values = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        self.call("hipModuleLaunchKernel", function, groups, 1, 1, SIZE, 1, 1, 0, self.stream, values, None)
        event = ctypes.c_void_p()
        self.call("hipEventCreateWithFlags", ctypes.byref(event), 0)
        self.call("hipEventRecord", event, self.stream)
        self.call("hipEventSynchronize", event)


class Words(ctypes.Structure):
    _fields_ = [("added", ctypes.c_uint32), ("limit", ctypes.c_uint32)]


def launch_kernels(library, code_object):
    runtime = Runtime(library, code_object)
    out = runtime.memory(64 * 8)
    for stride in (1, 32):
        runtime.launch("strides_in_local", 1, out, Words(stride, 0))
    runtime.launch("groups_write_one_word", 5, out)


class CountersOfRuntime(unittest.TestCase):
    def run_kernels(self, counters):
        environment = {**os.environ, **({"FAKE_HIP_COUNTERS": counters} if counters else {})}
        return subprocess.run([sys.executable, __file__, "--launch", *ARGUMENTS], env=environment, check=True,
                              stderr=subprocess.PIPE, text=True)

    def test_each_kernel_is_an_entry(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "counters.json")
            self.run_kernels(path)
            written = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        kernels = {kernel["name"]: kernel for kernel in written}
        self.assertEqual(set(kernels), {"strides_in_local", "groups_write_one_word"})
        local, groups = kernels["strides_in_local"], kernels["groups_write_one_word"]
        self.assertEqual((local["launches"], groups["launches"]), (2, 1))
        self.assertEqual((local["groups"], groups["groups"]), (2, 5))
        self.assertEqual(groups["waves"], 5 * SIZE // groups["lanes"])
        self.assertEqual((local["local_passes"], local["local_conflicts"]), (8, 4 * 31))
        self.assertEqual((local["lds_bytes"], groups["lds_bytes"]), (64 * 32 * 4, 0))
        self.assertEqual((local["group_threads"], local["spilled_registers"]), (SIZE, 0))
        self.assertGreater(local["vector_registers"], 0)
        self.assertEqual((groups["global_bytes"], groups["global_lines"]), (5 * SIZE * 4, 5 * 4))
        self.assertEqual(groups["instructions"]["global_memory"], groups["waves"])

    def test_a_file_that_cannot_be_written_is_reported(self):
        self.assertRegex(self.run_kernels("/nowhere/counters.json").stderr, "writing /nowhere/counters.json failed")

    def test_without_the_variable_there_is_no_file(self):
        self.assertEqual(self.run_kernels(None).stderr, "")


if __name__ == "__main__":
    if sys.argv[1] == "--launch":
        launch_kernels(*sys.argv[2:])
    else:
        ARGUMENTS = sys.argv[1:]
        unittest.main(argv=sys.argv[:1], verbosity=2)
