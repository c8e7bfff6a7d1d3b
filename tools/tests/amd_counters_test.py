#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Compares what kernels cost on AMD GPUs with the record testdata/amd-counters.json.

    amd_counters_test.py COMPILER PROGRAM PLUGIN RUNTIME GPU...
    amd_counters_test.py --write COMPILER PROGRAM PLUGIN RUNTIME GPU...      writes the record

A kernel must not spill. It must have the waves per SIMD of the record, and its counts may differ by 3 %: when they
rise, the change has to be meant, and when they fall, the record has to follow. COMPILER is the compiler of the kernels;
with another version than the record's the test is skipped. `ninja amd-counters` writes the record of the GPUs that the
build has code for, and leaves the others as they are.
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "backends" / "hip" / "testing" / "executing"))
from kernel_counts import OF_CODE, Build, Case, bundled, counts_of_run  # noqa: E402
from occupancy import PROCESSORS, waves_per_simd  # noqa: E402

RECORD = ROOT / "testdata" / "amd-counters.json"
REWRITE = "if that is meant, write the record with ninja amd-counters"
TOLERANCE = 0.03
SKIPPED = 77

CLIP_8, CLIP_10 = bundled("landscape_640x360_8b"), bundled("landscape_576x324_10b")
PART = ("--crop", "320x180+160+90")
FEATURES = ("-m", "version=vmaf_v0.6.1", "--feature", "psnr", "--feature", "xpsnr", "--feature",
            "adm:adm_enhn_gain_limit=1.2")
# Options of VMAF v1, and more steps than 8, which other kernels count, so few wanted that they are searched for.
CAMBI = ("-n", "--feature", "cambi:cambi_high_res_speedup=1080:cambi_vis_lum_threshold=0.06", "--feature",
         "cambi:max_log_contrast=4:topk=0.001")
# The features with chains of sums; SpEED's planes are not singular in whole clips.
CHAINS = ("-n", "--feature", "speed_chroma", "--feature", "speed_temporal", "--feature", "psnr_hvs")
SSIM = ("-n", "--feature", "float_ssim", "--feature", "float_ms_ssim")
LEGACY = ("-n", "--feature", "motion", "--compat", "libvmaf-3.0")
CASES = {
    "8 bit": Case(CLIP_8, 320, 180, (*FEATURES, *PART)),
    "10 bit": Case(CLIP_10, 320, 180, (*FEATURES, *PART)),
    "8 bit, cambi": Case(CLIP_8, 320, 180, (*CAMBI, *PART)),
    "10 bit, cambi": Case(CLIP_10, 320, 180, (*CAMBI, *PART)),
    "8 bit, chains": Case(CLIP_8, 640, 360, CHAINS),
    "10 bit, chains": Case(CLIP_10, 576, 324, CHAINS),
    "8 bit, ssim": Case(CLIP_8, 320, 180, (*SSIM, *PART)),
    "10 bit, ssim": Case(CLIP_10, 320, 180, (*SSIM, *PART)),
    "8 bit, libvmaf-3.0": Case(CLIP_8, 320, 180, (*LEGACY, *PART)),
    "10 bit, libvmaf-3.0": Case(CLIP_10, 320, 180, (*LEGACY, *PART)),
}
FRAMES = 2  # the first that motion compares


def compiler_version(compiler):
    """For example "clang version 19.1.7"; AMD's own clang is another compiler."""
    text = subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.search(r"(AMD )?clang version \S+", text)[0]


def count(build, gpu, name):
    """The kernels of a case; those of the self-test, which every device runs, are left out."""
    kernels = counts_of_run(build, gpu, CASES[name], FRAMES)
    return {kernel: counts for kernel, counts in sorted(kernels.items()) if not kernel.startswith("self_test")}


def sums(kernel):
    """All counts of a kernel in one dictionary."""
    return {**{name: value for name, value in kernel.items() if name not in (*OF_CODE, "instructions")},
            **{f"{name} instructions": value for name, value in kernel["instructions"].items()}}


def problems_of_kernel(name, recorded, counted, processor):
    if counted["spilled_registers"]:
        yield f"{name} spills {counted['spilled_registers']} registers"
    before, now = (waves_per_simd(kernel, processor) for kernel in (recorded, counted))
    if before != now:
        yield (f"{name} has {now:.4g} waves a SIMD instead of {before:.4g}, with {counted['vector_registers']} registers "
               f"instead of {recorded['vector_registers']} and {counted['lds_bytes']} bytes of LDS instead of "
               f"{recorded['lds_bytes']}: {REWRITE}")
    old, new = sums(recorded), sums(counted)
    if old.keys() != new.keys():
        yield f"{name}: the record lacks or has {', '.join(sorted(old.keys() ^ new.keys()))}: {REWRITE}"
    for what in sorted(old.keys() & new.keys()):
        before, now = old[what], new[what]
        if abs(now - before) > TOLERANCE * before:
            change = f"by {now / before - 1:+.1%}" if before else "from none"
            yield f"{name}: {what} changed {change}, from {before} to {now}: {REWRITE}"


def problems(recorded, counted, processor):
    for name in sorted({*recorded, *counted}):
        if name not in counted:
            yield f"{name} is in the record, but was not launched: {REWRITE}"
        elif name not in recorded:
            yield f"{name} is not in the record: {REWRITE}"
        else:
            yield from problems_of_kernel(name, recorded[name], counted[name], processor)


def read_record():
    return json.loads(RECORD.read_text(encoding="utf-8"))


def write_record(build, version, gpus):
    """A kernel is a line, so that a change shows what it changes."""
    record = read_record() if RECORD.exists() else {}
    if record.get("compiler") not in (None, version):
        record = {}
    measured = {gpu: {name: count(build, gpu, name) for name in CASES} for gpu in gpus}
    record = {**record, "compiler": version, **measured}
    lines = ["{", f' "compiler": {json.dumps(version)},']
    for gpu in sorted(set(record) - {"compiler"}):
        lines.append(f" {json.dumps(gpu)}: {{")
        for case, kernels in record[gpu].items():
            lines.append(f"  {json.dumps(case)}: {{")
            lines += [f"   {json.dumps(name)}: {json.dumps(kernel)}," for name, kernel in kernels.items()]
            lines[-1] = lines[-1].rstrip(",")
            lines.append("  },")
        lines[-1] = "  }"
        lines.append(" },")
    lines[-1] = " }"
    RECORD.write_text("\n".join([*lines, "}"]) + "\n", encoding="utf-8")


class Counts(unittest.TestCase):
    def test_each_kernel_costs_what_the_record_says(self):
        record = read_record()
        for gpu in GPUS:
            for name in CASES:
                with self.subTest(gpu=gpu, case=name):
                    found = list(problems(record[gpu][name], count(BUILD, gpu, name), PROCESSORS[gpu]))
                    if found:
                        self.fail("\n".join(["", *found]))


class Comparison(unittest.TestCase):
    """A kernel that changes against the record."""

    def setUp(self):
        instructions = {"vector_32": 1000, "scalar": 0}
        self.kernel = {"vector_registers": 64, "spilled_registers": 0, "lds_bytes": 8192, "group_threads": 128,
                       "lanes": 64, "launches": 1, "global_lines": 100, "instructions": instructions}

    def found(self, **changes):
        changed = copy.deepcopy(self.kernel)
        for name, value in changes.items():
            (changed if name in changed else changed["instructions"])[name] = value
        return "\n".join(problems({"vif": self.kernel}, {"vif": changed}, PROCESSORS["gfx90a"]))

    def test_three_in_a_hundred_are_tolerated(self):
        self.assertEqual(self.found(vector_32=1030, global_lines=97), "")
        self.assertRegex(self.found(vector_32=1031), r"^vif: vector_32 instructions changed by \+3.1%, from 1000 to 1031: ")
        self.assertRegex(self.found(global_lines=96), r"^vif: global_lines changed by -4.0%, from 100 to 96: if that is ")
        self.assertRegex(self.found(scalar=1), "^vif: scalar instructions changed from none, from 0 to 1: ")

    def test_no_kernel_spills(self):
        self.assertEqual(self.found(spilled_registers=2), "vif spills 2 registers")

    def test_waves_of_a_simd(self):
        self.assertEqual(self.found(lds_bytes=8000), "", "four waves a SIMD as before")
        self.assertRegex(self.found(lds_bytes=8193), "^vif has 3.5 waves a SIMD instead of 4, with 64 registers instead ")
        self.assertEqual(self.found(vector_registers=128), "", "LDS limits")
        self.assertRegex(self.found(vector_registers=129), "^vif has 3 waves a SIMD instead of 4, with 129 registers ")
        self.assertRegex(self.found(lds_bytes=4096), "^vif has 8 waves a SIMD instead of 4")

    def test_counters_are_those_of_the_record(self):
        changed = {**self.kernel, "lines": 1}
        self.assertRegex("".join(problems({"vif": self.kernel}, {"vif": changed}, PROCESSORS["gfx90a"])),
                         "^vif: the record lacks or has lines: if that is meant")

    def test_kernels_are_those_of_the_record(self):
        kernels = {"vif": self.kernel}
        self.assertRegex("".join(problems({}, kernels, PROCESSORS["gfx90a"])), "^vif is not in the record")
        self.assertRegex("".join(problems(kernels, {}, PROCESSORS["gfx90a"])), "^vif is in the record, but was not launched")


if __name__ == "__main__":
    WRITE = sys.argv[1] == "--write"
    COMPILER, *FILES = sys.argv[1 + WRITE:5 + WRITE]
    GPUS = sys.argv[5 + WRITE:]
    BUILD, VERSION = Build(*map(pathlib.Path, FILES)), compiler_version(COMPILER)
    if WRITE:
        write_record(BUILD, VERSION, GPUS)
    elif VERSION != read_record()["compiler"]:
        print(f"the kernels were compiled by {VERSION}, the record is of {read_record()['compiler']}")
        sys.exit(SKIPPED)
    else:
        unittest.main(argv=sys.argv[:1], verbosity=2)
