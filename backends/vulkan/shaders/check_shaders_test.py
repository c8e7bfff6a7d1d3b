#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""check_shaders.py reports no problem for a correct shader, and the right one for shaders with one fault each.

    check_shaders_test.py SPIRV_VAL GLSLC [OPTION...]
"""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from check_shaders import argument_problems, shader_problems
from spirv import Module

spirv_val, *glslc = sys.argv[1:]
failed = False

SOURCE = """
ISOVMAF_KERNEL(64)
total(const int32_t *values, int64_t *sums, TotalParams p) {}
"""
LAYOUTS = {"total": (64, 2, 12, [(0, 4), (4, 4), (8, 4)])}
SHADER = """#version 460
//! kernel total
#include "portable/reduce.glsl"
layout(local_size_x = 64) in;
struct TotalParams { int32_t sum; int32_t factors[2]; };
ISOVMAF_ARGUMENTS {
    ConstI32 values;
    I64 sums;
    TotalParams p;
} arguments;
ISOVMAF_BLOCK_ADD(64)
void main() {
    const int32_t thread = thread_x();
    int32_t value = arguments.values.at[thread] * arguments.p.factors[0];
    block_add(arguments.sums, arguments.p.sum, value, thread);
}
"""
VALUE = "    block_add("
ESTIMATE = "//! kernel total\n//! f32 estimates: total"
ROUNDING = """#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4467], 4462, 32);
"""


def compiled(folder, shader):
    """Writes SOURCE, a shader beside it, and the folder with the shader's modules."""
    source, text, modules = (pathlib.Path(folder, name) for name in ("total.cu", "total.comp", "modules"))
    source.write_text(SOURCE, encoding="utf-8")
    text.write_text(shader, encoding="utf-8")
    modules.mkdir()
    for atomics, variant in enumerate(("without", "with")):
        subprocess.run([*glslc, f"-DISOVMAF_INT64_ATOMICS={atomics}", text,
                        "-o", modules / f"total.{variant}_int64_atomics.spv"], check=True)
    return source, text, modules


def expect(title, patterns, problems):
    """Each problem matches a pattern, and each pattern a problem."""
    global failed
    ok = (all(any(re.search(pattern, problem) for pattern in patterns) for problem in problems) and
          all(any(re.search(pattern, problem) for problem in problems) for pattern in patterns))
    print(f"{'ok' if ok else 'WRONG'}: {title}" + "".join(f"\n    {problem}" for problem in problems))
    failed |= not ok


def expect_of(title, patterns, *changes):
    shader = SHADER
    for old, new in changes:
        assert old in shader
        shader = shader.replace(old, new)
    with tempfile.TemporaryDirectory() as folder:
        expect(title, patterns, shader_problems(*compiled(folder, shader), LAYOUTS, spirv_val))


def value(code):
    return VALUE, f"    {code}\n{VALUE}"


NOT_PRECISE = ["has arithmetic in f32 .* not precise"]

expect_of("sound", [])
expect_of("a kernel by another name", ["no kernel total, which", "kernel totals is not in"],
          ("kernel total", "kernel totals"))
expect_of("other blocks", [r"blocks of \(128, 1, 1\), the .cu file of 64"],
          ("(local_size_x = 64)", "(local_size_x = 128)"))
expect_of("flat blocks", [r"blocks of \(32, 2, 1\)"], ("(local_size_x = 64)", "(local_size_x = 32, local_size_y = 2)"))
expect_of("f64", ["needs capability 10,", "has floating point"], value("value += int32_t(double(value) * 0.5lf);"))
expect_of("f16", ["needs capability 9,", "has floating point"],
          value("value = int32_t(float16_t(value) * float16_t(value));"))
expect_of("f32", ["has floating point"], value("value = int32_t(float(value) * 0.3);"))
expect_of("a precise estimate", [], ("//! kernel total", ESTIMATE),
          value("precise float f = float(value) * 0.3 + 1.0; value = int32_t(f);"))
expect_of("precise arithmetic", [], ("//! kernel total", ESTIMATE.replace("estimates", "arithmetic")),
          value("precise float f = float(value) + 1.0; value = int32_t(f);"))
expect_of("a product that may be fused with a sum", NOT_PRECISE, ("//! kernel total", ESTIMATE),
          value("value = int32_t(float(value) * 0.3 + 1.0);"))  # the optimiser fuses it
expect_of("a quotient that may be changed", NOT_PRECISE, ("//! kernel total", ESTIMATE),
          value("value = int32_t(1.0 / float(value));"))
expect_of("no estimate", ["has no arithmetic in f32, but"], ("//! kernel total", ESTIMATE))
expect_of("estimates of another kernel", ["f32 in other, which is no kernel"],
          ("//! kernel total", f"{ESTIMATE} other"),
          value("precise float f = float(value) * 0.3; value = int32_t(f);"))
expect_of("a rounding mode", ["needs capability 4467,", "has execution mode 4462"],
          ("layout(local", f"{ROUNDING}layout(local"))
expect_of("a subgroup's sum", ["needs capability 61,", "needs capability 63,"],
          ("layout(local", "#extension GL_KHR_shader_subgroup_arithmetic : require\nlayout(local"),
          value("value = subgroupAdd(value);"))
expect_of("64-bit atomics everywhere", ["without_int64_atomics.spv: needs capability 12,"],
          ("layout(local", "#extension GL_EXT_shader_atomic_int64 : require\nlayout(local"),
          value("atomicAdd(arguments.sums.at[0], int64_t(value));"))
expect_of("too much shared memory", ["uses 32776 bytes of shared memory"],
          ("layout(local", "shared int64_t more[4033];\nlayout(local"),
          value("more[thread] = value; barrier(); value = int32_t(more[value]);"))
expect_of("another structure", [r"argument 2 is \(offset, bytes, an address\) \(16, 8, False\)"],
          ("int32_t sum;", "int64_t sum;"), ("arguments.p.sum", "int32_t(arguments.p.sum)"))
expect_of("a shorter structure", [r"argument 4 is .* nothing, in the .cu file \(24, 4, False\)"],
          ("factors[2]", "factors[1]"))
expect_of("a structure in other steps", [r"argument 3 is .* \(32, 4, False\)"],
          ("ISOVMAF_ARGUMENTS", "layout(set = 0, binding = 0, std140) uniform Arguments"))
expect_of("a vector", ["a member that C has not"], ("int32_t factors[2];", "i32vec2 factors;"))
expect_of("one pointer more", [r"argument 2 is .* \(16, 8, True\), in the .cu file \(16, 4, False\)"],
          ("I64 sums;", "I64 sums, others;"))
expect_of("a pointer last", ["argument 1 is"], ("    I64 sums;\n", ""), ("TotalParams p;", "TotalParams p; I64 sums;"))

with tempfile.TemporaryDirectory() as folder:
    arguments = compiled(folder, SHADER)
    modules = list(arguments[2].iterdir())
    expect("a structure with a gap", ["of 16 bytes has gaps"],
           argument_problems(Module(modules[0].read_bytes()), 2, 16, LAYOUTS["total"][3]))
    for file in modules:
        words = {number: struct.pack("<II", 2 << 16 | 17, number) for number in (11, 22)}  # OpCapability Int64, Int16
        file.write_bytes(file.read_bytes().replace(words[11], words[22], 1))
    if spirv_val:
        expect("modules that do not say what they need", ["is refused by spirv-val"],
               shader_problems(*arguments, LAYOUTS, spirv_val))
    for file in modules:
        file.unlink()
    expect("no shader", ["total.cu: has no shader"],
           shader_problems(arguments[0], "", arguments[2], LAYOUTS, spirv_val))
    expect("no modules", ["is missing"], shader_problems(*arguments, LAYOUTS, spirv_val))

sys.exit(failed)
