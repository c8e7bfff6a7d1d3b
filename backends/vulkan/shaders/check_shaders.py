#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks compiled shaders without a device: their kernels, block sizes and arguments equal those of the .cu file; they
need only capabilities that the plugin requires; no result depends on how floating point is rounded.

    check_shaders.py SPIRV_VAL LAYOUTS {SOURCE.cu SHADER.comp FOLDER}...

LAYOUTS is the program that kernel_layouts.py wrote; FOLDER holds the shader's modules that compile.py wrote.
SHADER.comp is SOURCE.cu again where that has the bodies of both. An empty SHADER.comp means that there is no shader;
with an empty SPIRV_VAL the test is skipped if nothing else is wrong.
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "common")]
import spirv  # noqa: E402
from kernel_names import TAPS_SUFFIX, is_taps, kernel_names  # noqa: E402

KERNEL = re.compile(r"^//! kernel (\w+)", re.MULTILINE)
# The kernels that compute in f32: estimates, and what the functions of portable/f32.h make exact.
F32 = re.compile(r"^//! f32 (?:estimates|arithmetic): (\w+(?: \w+)*)$", re.MULTILINE)

# Capabilities that the plugin requires or that every device has, with the numbers of the SPIR-V specification. They include
# no capability of rounding modes, subgroups, f64 or f16.
CAPABILITIES = {1: "Shader", 11: "Int64", 22: "Int16", 39: "Int8", 4433: "StorageBuffer16BitAccess",
                4448: "StorageBuffer8BitAccess", 5347: "PhysicalStorageBufferAddresses"}
INT64_ATOMICS = 12
FLOAT_ARITHMETIC = {127, 129, 131, 133, 136, 140, 141, *range(142, 149)}  # OpFNegate ... OpDot
EXTENDED_INSTRUCTION, FMA = 12, 50  # the optimiser fuses a product and a sum to FMA unless they are precise
MOST_THREADS = 1024
MOST_SHARED_BYTES = 32768


def read_layouts(program):
    """For each kernel: threads of a block, number of pointers, and size and members of the structure of parameters."""
    layouts = {}
    for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
        name, threads, pointers, size, *numbers = line.split()
        layouts[name] = int(threads), int(pointers), int(size), [tuple(map(int, each.split(":"))) for each in numbers]
    return layouts


def capability_problems(module, atomics):
    allowed = {*CAPABILITIES, INT64_ATOMICS} if atomics else {*CAPABILITIES}
    return [f"needs capability {number}, which the plugin does not require"
            for number in sorted(module.capabilities() - allowed)]


def size_problems(module, threads):
    modes = module.modes()
    problems = [f"has execution mode {mode}" for mode in sorted(modes.keys() - {spirv.LOCAL_SIZE})]
    size = modes.get(spirv.LOCAL_SIZE)
    if size != (threads, 1, 1):
        problems.append(f"has blocks of {size}, the .cu file of {threads}")
    elif threads > MOST_THREADS:
        problems.append(f"has {threads} threads a block, of at most {MOST_THREADS}")
    if module.shared_bytes() > MOST_SHARED_BYTES:
        problems.append(f"uses {module.shared_bytes()} bytes of shared memory, of at most {MOST_SHARED_BYTES}")
    return problems


def float_problems(module, computes_in_f32):
    """A kernel may compute in f32 only if its file says so, and then every operation has to be precise."""
    if not computes_in_f32:
        return ["has floating point"] if module.operands_of(spirv.TYPE_FLOAT) else []
    kept = (identifier for identifier, found in module.decorations.items() if spirv.NO_CONTRACTION in found)
    arithmetic = {operands[1] for operation, operands in module.instructions if operation in FLOAT_ARITHMETIC or
                  (operation == EXTENDED_INSTRUCTION and operands[3] == FMA)}
    problems = [] if arithmetic else ["has no arithmetic in f32, but its file says so"]
    return problems + [f"has arithmetic in f32 (%{each}) that is not precise" for each in sorted(arithmetic - {*kept})]


def argument_problems(module, pointers, size, numbers):
    """Compares the block of arguments with the addresses and the structure as C lays it out, which may have no gaps."""
    start = 8 * pointers
    expected = [(8 * i, 8, True) for i in range(pointers)] + [(start + at, each, False) for at, each in numbers]
    try:
        found = list(module.layout(module.uniform_block()))
    except ValueError as error:
        return [str(error)]
    if sum(each for _, each in numbers) != size:
        return [f"a structure of {size} bytes has gaps"]
    wrong = [i for i in range(max(len(expected), len(found))) if expected[i : i + 1] != found[i : i + 1]]
    if not wrong:
        return []
    own, other = (each[wrong[0]] if wrong[0] < len(each) else "nothing" for each in (found, expected))
    return [f"argument {wrong[0]} is (offset, bytes, an address) {own}, in the .cu file {other}"]


def module_problems(file, layout, computes_in_f32, spirv_val):
    if not file.exists():
        return [f"{file}: is missing"]
    problems = []
    if spirv_val:
        ran = subprocess.run([spirv_val, "--target-env", "vulkan1.2", "--uniform-buffer-standard-layout", file],
                             capture_output=True, text=True)
        problems += [f"is refused by spirv-val: {ran.stderr.strip()}"] if ran.returncode else []
    threads, pointers, size, numbers = layout
    module = spirv.Module(file.read_bytes())
    problems += capability_problems(module, file.name.endswith(".with_int64_atomics.spv"))
    problems += size_problems(module, threads)
    problems += float_problems(module, computes_in_f32)
    problems += argument_problems(module, pointers, size, numbers)
    return [f"{file}: {problem}" for problem in problems]


def shader_problems(source, shader, folder, layouts, spirv_val):
    if not shader:
        return [f"{source}: has no shader beside it"]
    taps = is_taps(pathlib.Path(folder).name)
    suffix = TAPS_SUFFIX if taps else ""
    text = pathlib.Path(shader).read_text(encoding="utf-8")
    expected = kernel_names(source, taps)
    found = expected if shader == source else {name + suffix for name in KERNEL.findall(text)}
    in_f32 = {name + suffix for names in F32.findall(text) for name in names.split()}
    problems = [f"{shader}: no kernel {name}, which {source} has" for name in sorted(expected - found)]
    problems += [f"{shader}: kernel {name} is not in {source}" for name in sorted(found - expected)]
    problems += [f"{shader}: f32 in {name}, which is no kernel of it" for name in sorted(in_f32 - found)]
    for name in sorted(expected & found):
        for variant in ("with", "without"):
            problems += module_problems(pathlib.Path(folder, f"{name}.{variant}_int64_atomics.spv"), layouts[name],
                                        name in in_f32, spirv_val)
    return problems


def main(spirv_val, program, *shaders):
    layouts = read_layouts(program)
    problems = [problem for shader in zip(shaders[::3], shaders[1::3], shaders[2::3])
                for problem in shader_problems(*shader, layouts, spirv_val)]
    if problems or not shaders:
        sys.exit("\n".join(problems) or "no shader to check")
    if not spirv_val:
        print("spirv-val is missing: install spirv-tools")
        sys.exit(77)
    print(f"{len(shaders) // 3} files of shaders are as they should be")


if __name__ == "__main__":
    main(*sys.argv[1:])
