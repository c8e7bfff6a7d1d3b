#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Writes the tables of core/math from the C library that they come from.

    libm_tables.py [LIBM] [FOLDER]

LIBM is Debian 12's libm.so.6 of x86-64, /lib/x86_64-linux-gnu/libm.so.6 by default; FOLDER is core/math. Constants that
stand alone are written in the sources; docs/adr/0071 says how both were found.
"""

import hashlib
import pathlib
import struct
import subprocess
import sys

SHA256 = "7f2ca87f652f56b094462474b076749e90e689d0ecb9cb63c7679820b271b4e7"  # of package libc6 2.36-9+deb12u14

HEAD = """// SPDX-License-Identifier: BSD-2-Clause-Patent
// Written by tools/research/libm_tables.py.
#pragma once

#include <cstdint>

namespace isovmaf::math {

"""


def number(value):
    text = value.hex()
    mantissa, exponent = text.split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent if "." in mantissa else text


def doubles(data, offset, count):
    return [number(value) for value in struct.unpack_from(f"<{count}d", data, offset)]


def patterns(data, offset, count):
    return [f"{value:#018x}" for value in struct.unpack_from(f"<{count}Q", data, offset)]


def array(comment, declaration, rows):
    lines, line = [], "   "
    for row in rows:
        text = row[0] if len(row) == 1 else "{" + ", ".join(row) + "}"
        if len(line) + len(text) + 2 > 120:
            lines.append(line)
            line = "   "
        line += f" {text},"
    body = "\n".join([*lines, line]).removesuffix(",")
    return f"/// {comment}\n{declaration} = {{\n{body}\n}};\n"


def rows(values, width, wanted):
    return [[values[i + w] for w in wanted] for i in range(0, len(values), width)]


def main():
    file = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/lib/x86_64-linux-gnu/libm.so.6")
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parents[2] / "core" / "math")
    data = file.read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256:
        sys.exit(f"{file} is not the file that the offsets here were found in: take libc6 2.36-9+deb12u14 of amd64")
    reciprocal = "struct Reciprocal {\n    double inverse, log;\n};\n\n"
    precise = "struct PreciseReciprocal {\n    double inverse, log, log_tail;\n};\n\n"
    sine = "struct SineAndCosine {\n    double sine, sine_rest, cosine, cosine_rest;\n};\n\n"
    arctangent = "struct ArctangentCentre {\n    double at, a1, a2, a3, a4, a5, a6;\n};\n\n"
    files = {
        "exp_table.hpp": array(
            "2^(i/128) in parts: what follows its rounding, relatively, as a number; and the bits of the rounding less "
            "i · 2^45.\n/// As bits, since both are used so.",
            "inline constexpr std::uint64_t exp_table[128][2]",
            rows(patterns(data, 0xaab20 + 0x70, 256), 2, (0, 1))),
        "log_table.hpp": "/// 1/c of a number c in the middle of an interval, and the logarithm of c.\n" + reciprocal + array(
            "Natural logarithms, of 128 intervals from 0x1.6p-1 on.", "inline constexpr Reciprocal log_table[128]",
            rows(doubles(data, 0xab3a0 + 0x90, 256), 2, (0, 1))) + "\n" + array(
            "Logarithms to base 2, of 64 intervals from 0x1.6p-1 on.", "inline constexpr Reciprocal log2_table[64]",
            rows(doubles(data, 0xac440 + 0x90, 128), 2, (0, 1))) + "\n" + array(
            "Logarithms to base 2 for powf, of 16 intervals from 0x1.66p-1 on.",
            "inline constexpr Reciprocal powf_log2_table[16]",
            rows(doubles(data, 0xae0e0, 32), 2, (0, 1))),
        "pow_table.hpp": "/// 1/c, log c, and what follows the rounding of log c.\n" + precise + array(
            "Natural logarithms for pow, of 128 intervals from 0x1.69555p-1 on.",
            "inline constexpr PreciseReciprocal pow_log_table[128]",
            rows(doubles(data, 0xacce0 + 0x48, 512), 4, (0, 2, 3))) + "\n" + array(
            "The bits of 2^(i/32), less i · 2^47, for powf.", "inline constexpr std::uint64_t powf_exp2_table[32]",
            rows(patterns(data, 0xadd40, 32), 1, (0,))),
        "sin_cos_table.hpp": "/// The sine and the cosine of an angle, and what follows the rounding of each.\n" + sine + array(
            "Of i/128.", "inline constexpr SineAndCosine sin_cos_table[110]",
            rows(doubles(data, 0xa9d40, 440), 4, (0, 1, 2, 3))),
        "atan_table.hpp": "/// atan(at + v) = a1 + a2 v + a3 v² + ... for small v.\n" + arctangent + array(
            "Around (i + 16)/256.", "inline constexpr ArctangentCentre atan_table[241]",
            rows(doubles(data, 0xb5dc0, 241 * 7), 7, range(7))),
    }
    for name, text in files.items():
        (folder / name).write_text(HEAD + text + "\n} // namespace isovmaf::math\n")
        subprocess.run(["clang-format", "-i", folder / name], check=True)


main()
