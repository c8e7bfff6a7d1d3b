#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks compiled kernels for AMD GPUs: each file is for the architecture it should be for, has the source's kernels,
and spills no registers beyond those listed in common/spills.txt. Kernels with taps may spill.

    check_code_objects.py {ARCH SOURCE.cu FILE.hsaco}...
"""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
from kernel_names import problems_of  # noqa: E402

EM_AMDGPU = 224
SHT_NOTE = 7
NT_AMDGPU_METADATA = 32


def unpack(data, at=0):
    """Decodes one MessagePack value of the kinds that the metadata uses. Returns it and the position of the next."""
    tag = data[at]
    at += 1

    def number(form):
        size = struct.calcsize(form)
        return struct.unpack_from(form, data, at)[0], at + size

    def text(length, start):
        return data[start : start + length].decode(), start + length

    def items(count, start):
        values = []
        for _ in range(count):
            value, start = unpack(data, start)
            values.append(value)
        return values, start

    def table(count, start):
        values, start = items(2 * count, start)
        return dict(zip(values[::2], values[1::2])), start

    if tag < 0x80:
        return tag, at
    if tag >= 0xE0:
        return tag - 0x100, at
    if tag < 0x90:
        return table(tag & 0x0F, at)
    if tag < 0xA0:
        return items(tag & 0x0F, at)
    if tag < 0xC0:
        return text(tag & 0x1F, at)
    if tag in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[tag], at
    numbers = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
    if tag in numbers:
        return number(numbers[tag])
    sized = {0xD9: (">B", text), 0xDA: (">H", text), 0xDC: (">H", items), 0xDD: (">I", items), 0xDE: (">H", table)}
    form, reader = sized[tag]
    return reader(*number(form))


def metadata(data):
    """The decoded AMDGPU note of an ELF file."""
    machine, = struct.unpack_from("<H", data, 18)
    if data[:5] != b"\x7fELF\x02" or machine != EM_AMDGPU:
        raise ValueError("not an ELF file for AMD GPUs")
    sections, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    for header in (sections + i * size for i in range(count)):
        kind, = struct.unpack_from("<I", data, header + 4)
        if kind != SHT_NOTE:
            continue
        offset, = struct.unpack_from("<Q", data, header + 24)
        name_bytes, note_bytes, note = struct.unpack_from("<III", data, offset)
        if note == NT_AMDGPU_METADATA and data[offset + 12 : offset + 18] == b"AMDGPU":
            start = offset + 12 + (name_bytes + 3) // 4 * 4
            return unpack(data[start : start + note_bytes])[0]
    raise ValueError("no AMDGPU metadata")


def check(arch, source, file):
    try:
        found = metadata(pathlib.Path(file).read_bytes())
    except ValueError as error:
        return [f"{file}: {error}"]
    target = f"amdgcn-amd-amdhsa--{arch}"
    problems = []
    if found["amdhsa.target"] != target:
        problems.append(f"{file}: compiled for {found['amdhsa.target']}, not {target}")
    spills = {kernel[".name"]: kernel[".sgpr_spill_count"] + kernel[".vgpr_spill_count"]
              for kernel in found["amdhsa.kernels"]}
    for kernel in found["amdhsa.kernels"]:
        print(f"{arch} {kernel['.name']}: {kernel['.vgpr_count']} VGPRs, {kernel['.sgpr_count']} SGPRs, "
              f"{kernel['.group_segment_fixed_size']} bytes of LDS, "
              f"{kernel['.private_segment_fixed_size']} bytes of scratch, {spills[kernel['.name']]} spilled, "
              f"wave {kernel['.wavefront_size']}")
    return problems + problems_of(file, arch, source, spills)


def main(arguments):
    images = list(zip(arguments[::3], arguments[1::3], arguments[2::3]))
    problems = [problem for image in images for problem in check(*image)]
    print("\n".join(problems) or f"{len(images)} code objects have the right target, kernels and spills")
    return 1 if problems or not arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
