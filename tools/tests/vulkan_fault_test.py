#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Faults of Vulkan below the real loader: a layer makes one call of each run fail.

    vulkan_fault_test.py ISOVMAF PLUGIN LAYER LAYER_PATH

Each run ends with one sentence that names the failure and exit code 1, or, where memory was short, with a warning and the
right scores. The validation layer checks that objects are destroyed correctly.
"""

import concurrent.futures
import os
import pathlib
import random
import struct
import sys
import unittest

from fault_runs import FRAMES, FaultRuns

NAMES = {-1: "VK_ERROR_OUT_OF_HOST_MEMORY", -2: "VK_ERROR_OUT_OF_DEVICE_MEMORY", -3: "VK_ERROR_INITIALIZATION_FAILED",
         -4: "VK_ERROR_DEVICE_LOST", -5: "VK_ERROR_MEMORY_MAP_FAILED", -10: "VK_ERROR_TOO_MANY_OBJECTS",
         -1000069000: "VK_ERROR_OUT_OF_POOL_MEMORY"}
HOST_MEMORY, DEVICE_MEMORY, INITIALIZATION, LOST, MAP, OBJECTS, POOL = NAMES
RESULTS = {"vkAllocateDescriptorSets": [POOL], "vkAllocateMemory": [DEVICE_MEMORY, OBJECTS],
           "vkBindBufferMemory": [DEVICE_MEMORY], "vkCreateDevice": [INITIALIZATION, LOST], "vkDeviceWaitIdle": [LOST],
           "vkEndCommandBuffer": [DEVICE_MEMORY], "vkMapMemory": [MAP], "vkQueueSubmit": [DEVICE_MEMORY, LOST],
           "vkWaitSemaphores": [DEVICE_MEMORY, LOST]}  # else [HOST_MEMORY]
ATTEMPTED = {"vkAllocateMemory": r"allocating \d+ bytes of .*", "vkBindBufferMemory": r"binding \d+ bytes of .*",
             "vkCreateBuffer": r"creating a buffer of \d+ bytes",
             "vkCreateComputePipelines": r"compiling the kernel \w+", "vkCreateShaderModule": r"loading the kernel \w+",
             "vkEndCommandBuffer": "recording commands", "vkMapMemory": r"mapping \d+ bytes of .*",
             "vkQueueSubmit": "submitting commands", "vkWaitSemaphores": "waiting for submitted work"}
MOST_CALLS = 2  # of a function that is called more often only so many calls are made to fail
MORE_CALLS = {("vkAllocateMemory", DEVICE_MEMORY): 15, ("vkQueueSubmit", LOST): 100, ("vkWaitSemaphores", LOST): 100,
              ("vkQueueSubmit", "invalid"): 100}
# Failures of these functions have no effect: when they are called, all work is done, or only the cache is not written.
WITHOUT_EFFECT = {"vkDeviceWaitIdle", "vkGetPipelineCacheData"}
MAY_HAVE_NO_EFFECT = WITHOUT_EFFECT | {"vkWaitSemaphores"}  # also called before queues are destroyed, after all scores
UNAVAILABLE = r"^isovmaf: error: backend vulkan cannot be used here: "
PLANTED = "the Vulkan validation layer says: .*VUID-VkBufferCreateInfo-size-"
CACHE_HEADER = "<8sQQ"  # see cache_file.cpp


def checksum(data):
    total = 0xcbf29ce484222325
    for byte in data:
        total = (total ^ byte) * 0x100000001b3 % 2**64
    return total


def cache_file(data):
    return struct.pack(CACHE_HEADER, b"isovmafc", len(data), checksum(data)) + data


def spread(count, most):
    """Up to `most` numbers from 1 to `count`, the first and the last among them."""
    most = min(count, most)
    return [1 + i * (count - 1) // max(1, most - 1) for i in range(most)]


def sentence(function, result):
    """The pattern of the tool's error. After a device loss any call may be the first that fails."""
    of_result = f"{NAMES[result]} \\({result}\\)"
    if result == LOST:
        return f"^isovmaf: error: .* failed: {of_result}; the device is lost to all who have it open$"
    return f"^isovmaf: error: .*{ATTEMPTED[function] + ' failed: ' if function in ATTEMPTED else ''}{of_result}"


class VulkanFaultTest(FaultRuns):
    BACKEND = "vulkan"
    # One feature makes nearly as many calls as all of them, and to compile all kernels is most of what a run takes.
    OPTIONS = ("--no_prediction",)
    LAYER = ""       # the layer that makes calls fail
    LAYER_PATH = ""  # the folders with this layer and the validation layer

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.counts = cls.run_with("", "counts")[1]

    @classmethod
    def run_with(cls, fault, name):
        """Runs with the layer. Returns the run and its number of calls of each function, which a crashed run does not have."""
        path = cls.path / name
        path_of_layers = filter(None, (os.environ.get("VK_LAYER_PATH"), cls.LAYER_PATH))
        environment = {"ISOVMAF_FAULT": fault} if fault else {}
        result = cls.score(VK_LAYER_PATH=os.pathsep.join(path_of_layers), VK_INSTANCE_LAYERS=cls.LAYER,
                           ISOVMAF_FAULT_COUNTS=str(path), ISOVMAF_VULKAN_VALIDATION="1", **environment)
        lines = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
        return result, {function: int(count) for function, count in lines}

    def run_all(self, faults):
        """Pairs of a fault, (function, number, result), and its run; runs that did not reach the faulty call are left out."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = pool.map(lambda fault: self.run_with("{}:{}:{}".format(*fault), "-".join(map(str, fault))), faults)
            return [(fault, run) for fault, (run, counts) in zip(faults, runs)
                    if counts.get(fault[0], fault[1]) >= fault[1]]

    def faults(self, function, result):
        return [(function, number, result)
                for number in spread(self.counts[function], MORE_CALLS.get((function, result), MOST_CALLS))]

    def check_every(self, functions, results):
        """Runs every fault, and returns the number of each outcome by function."""
        faults = [fault for function in functions for result in results(function)
                  for fault in self.faults(function, result)]
        outcomes = {function: {"failed": 0, "survived": 0, "quiet": 0} for function in functions}
        for (function, number, result), run in self.run_all(faults):
            what = f"{function}:{number}:{NAMES[result]}"
            outcome = self.outcome(run, what, sentence(function, result))
            outcomes[function][outcome] += 1
            self.assertTrue(outcome != "quiet" or function in MAY_HAVE_NO_EFFECT, f"{what} had no effect")
        for function, of in outcomes.items():
            print(f"{function}, called {self.counts[function]} times: {of}")
            if function not in WITHOUT_EFFECT:
                self.assertGreater(of["failed"], 0, function)
        return outcomes

    def test_everything_that_can_fail(self):
        functions = [function for function, count in self.counts.items() if count]
        self.assertGreater(len(functions), 20)
        outcomes = self.check_every(functions, lambda function: [result for result in RESULTS.get(
            function, [HOST_MEMORY]) if result != LOST])
        self.assertGreater(outcomes["vkAllocateMemory"]["survived"], 0, "a smaller ring was never tried")

    def test_a_lost_device_ends_the_run(self):
        outcomes = self.check_every([function for function in RESULTS if LOST in RESULTS[function]], lambda _: [LOST])
        self.assertGreater(outcomes["vkQueueSubmit"]["failed"], 2 * FRAMES)
        self.assertGreater(outcomes["vkWaitSemaphores"]["failed"], FRAMES)

    def test_an_invalid_call_ends_the_run(self):
        faults = [fault for function in ("vkAllocateMemory", "vkEndCommandBuffer", "vkQueueSubmit")
                  for fault in self.faults(function, "invalid")]
        for fault, run in self.run_all(faults):
            self.assertEqual(self.outcome(run, fault, "^isovmaf: error: .*" + PLANTED), "failed", fault)

    def test_an_invalid_call_at_the_end_aborts_the_process(self):
        run, _ = self.run_with("vkDeviceWaitIdle:1:invalid", "end")
        self.assertLess(run.returncode, 0)
        self.assertRegex(run.stderr.decode(), f"^{PLANTED}.*\n$")

    def test_no_loader(self):
        run = self.score(ISOVMAF_VULKAN_LOADER="/nonexistent.so")
        self.assertEqual(self.outcome(run, "no loader", UNAVAILABLE + "Vulkan's loader cannot be opened, install it .*"
                                      r"\(/nonexistent\.so: "), "failed")

    def test_no_driver(self):
        run = self.score(VK_ICD_FILENAMES="/nonexistent.json", VK_DRIVER_FILES="/nonexistent.json")
        self.assertEqual(self.outcome(run, "no driver", UNAVAILABLE + ".* finds no Vulkan driver, install one "),
                         "failed")

    def score_with_cache(self, folder):
        """Scores with the plugin's cache in `folder`; Mesa keeps its own cache folder."""
        mesa = os.environ.get("XDG_CACHE_HOME", str(self.path))
        self.assertEqual(self.outcome(self.score(XDG_CACHE_HOME=str(folder), MESA_SHADER_CACHE_DIR=mesa), folder, "$."),
                         "quiet")

    def test_a_cache_that_is_damaged_or_foreign(self):
        home = self.path / "cache"
        self.score_with_cache(home)
        [file] = (home / "isovmaf").iterdir()
        size = struct.calcsize(CACHE_HEADER)
        good, data = file.read_bytes(), file.read_bytes()[size:]
        self.assertEqual(good, cache_file(data))
        noise = random.Random(1).randbytes(len(data))
        identity = 16  # of the device, in VkPipelineCacheHeaderVersionOne, after four words of 32 bits
        foreign = data[:identity] + bytes(byte ^ 0xff for byte in data[identity:2 * identity]) + data[2 * identity:]
        for name, content in {
                "empty": b"", "cut off": good[:-1], "cut off in its header": good[:size - 1], "noise": noise,
                "a flipped bit": good[:-1] + bytes([good[-1] ^ 1]), "longer": good + b"x",
                "no data": cache_file(b""), "noise with a valid header": cache_file(noise),
                "of another device": cache_file(foreign), "half of the driver's header": cache_file(data[:identity])
        }.items():
            with self.subTest(name):
                file.write_bytes(content)
                self.score_with_cache(home)
                self.assertEqual([path.name for path in file.parent.iterdir()], [file.name])
                written = file.read_bytes()
                self.assertNotEqual(written, content)
                self.assertEqual(written, cache_file(written[size:]))

    def test_a_cache_that_cannot_be_written(self):
        file_in_place_of_folder = self.path / "file"
        file_in_place_of_folder.write_bytes(b"")
        self.score_with_cache(file_in_place_of_folder / "cache")
        home = self.path / "taken"
        self.score_with_cache(home)
        [file] = (home / "isovmaf").iterdir()
        file.unlink()
        file.mkdir()
        self.score_with_cache(home)
        self.assertEqual([path.name for path in file.parent.iterdir()], [file.name], "a temporary file is left behind")


if __name__ == "__main__":
    FaultRuns.ISOVMAF, FaultRuns.PLUGIN = sys.argv[1], pathlib.Path(sys.argv[2])
    VulkanFaultTest.LAYER, VulkanFaultTest.LAYER_PATH = sys.argv[3:5]
    unittest.main(argv=sys.argv[:1])
