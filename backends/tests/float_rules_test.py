#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Compiles float_rules.cu as kernels are compiled, and checks in the assembly that every operation rounds once, to
nearest, and keeps denormals.

    float_rules_test.py ptx|amdgcn COMPILER ARGUMENT...
"""

import re
import subprocess
import sys

# For each assembly and kernel: what has to be in it, and what must not be.
RULES = {
    "ptx": {
        "multiply_add_f32": (["mul.rn.f32", "add.rn.f32"], ["fma", "ftz"]),
        "multiply_add_f64": (["mul.rn.f64", "add.rn.f64"], ["fma"]),
        "divide_f32": (["div.rn.f32"], ["ftz"]),
        "root_f32": (["sqrt.rn.f32"], ["ftz"]),
    },
    "amdgcn": {
        "multiply_add_f32": (["[sv]_(dual_)?mul_f32", "[sv]_(dual_)?add_f32", "float_denorm_mode_32 3",
                              "float_round_mode_32 0"], ["[sv]_(dual_)?(fma|mad|mac)"]),
        "multiply_add_f64": (["v_mul_f64", "v_add_f64", "float_denorm_mode_16_64 3", "float_round_mode_16_64 0"],
                             ["v_fma"]),
        "divide_f32": (["v_div_fixup_f32"], []),  # ends the correctly rounded division; others have none
        "root_f32": (["v_(s_)?sqrt_f32", "[sv]_fma"], []),  # the root, and the fma that corrects its approximation
    },
}


def kernel_texts(kind, assembly):
    """The text of each kernel: from its label, or PTX's .entry, to the next one."""
    start = r"\.entry (\w+)\(" if kind == "ptx" else r"(?m)^(\w+):"
    parts = re.split(start, assembly)
    return dict(zip(parts[1::2], parts[2::2]))


def problems(kind, assembly):
    texts = kernel_texts(kind, assembly)
    for kernel, (required, forbidden) in RULES[kind].items():
        text = texts.get(kernel, "")
        yield from (f"{kernel} has no {each}" for each in required if not re.search(each, text))
        yield from (f"{kernel} has {each}" for each in forbidden if re.search(each, text))


def main(kind, *command):
    assembly = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    found = list(problems(kind, assembly))
    if found:
        sys.exit("\n".join([f"{' '.join(command)} makes other arithmetic of kernels than the definitions have:", *found]))
    print(f"{len(RULES[kind])} kernels round as they should")


main(*sys.argv[1:])
