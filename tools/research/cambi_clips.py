#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Draws clips that are hard on CAMBI, as Y4M: reference and distorted video, 4:2:0 with grey chroma.

    cambi_clips.py CLIP WIDTHxHEIGHT FRAMES REFERENCE.y4m DISTORTED.y4m [--depth 8|10|12]

gradient     diagonal bands, each a code above the one before: every pixel is flat enough to be counted
blocks       blocks of 8x8 in 24 neighbouring codes: most values in every window
gradient-10  finer bands, by default of 10 bit: large sums of large c-values
letterbox    a gradient with noise in its middle third, between black bars

The distorted video has three of four levels: every fourth is drawn as the one below it.
"""

import argparse
import pathlib
import random
import sys


def bands(width, height, number, depth, band):
    """Rows of bands that move by two columns a frame."""
    first = 1 << (depth - 2)
    codes = [first + (i + 2 * number) // band % (2 * first) for i in range(width + height)]
    return [codes[y:y + width] for y in range(height)]


def gradient(width, height, number, depth):
    return bands(width, height, number, depth, 24)


def fine_gradient(width, height, number, depth):
    return bands(width, height, number, depth, 12)


def blocks(width, height, number, depth):
    first, side, rows = 1 << (depth - 2), 8, []
    for top in range(0, height, side):
        values = random.Random(1000 * number + top)
        row = [first + code for _ in range(0, width, side) for code in [values.randrange(24)] * side][:width]
        rows += [row] * min(side, height - top)
    return rows


def letterbox(width, height, number, depth):
    bar, black = height // 8, [16 << (depth - 8)] * width
    rows, values = bands(width, height, number, depth, 24), random.Random(number)
    for y in range(bar, height - bar):
        noisy = range(width // 3, 2 * width // 3)
        rows[y] = [code + (values.getrandbits(2) if x in noisy else 0) for x, code in enumerate(rows[y])]
    return [black if y < bar or y >= height - bar else row for y, row in enumerate(rows)]


CLIPS = {"gradient": (gradient, 8), "blocks": (blocks, 8), "gradient-10": (fine_gradient, 10), "letterbox": (letterbox, 8)}


def frame(rows, depth):
    """A frame of Y4M, with grey chroma."""
    width, height, size = len(rows[0]), len(rows), 1 if depth == 8 else 2
    chroma = (1 << (depth - 1)).to_bytes(size, "little") * (2 * ((width + 1) // 2) * ((height + 1) // 2))
    luma = b"".join(bytes(row) if size == 1 else b"".join(code.to_bytes(2, "little") for code in row) for row in rows)
    return b"FRAME\n" + luma + chroma


def write(clip, width, height, count, reference, distorted, depth=None):
    """Writes both videos."""
    draw, usual_depth = CLIPS[clip]
    depth = depth or usual_depth
    head = f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 C420{'jpeg' if depth == 8 else f'p{depth}'}\n".encode()
    with open(reference, "wb") as sound, open(distorted, "wb") as coarse:
        for file in (sound, coarse):
            file.write(head)
        for number in range(count):
            rows = draw(width, height, number, depth)
            sound.write(frame(rows, depth))
            coarse.write(frame([[code - (code % 4 == 3) for code in row] for row in rows], depth))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip", choices=CLIPS)
    parser.add_argument("size", metavar="WIDTHxHEIGHT")
    parser.add_argument("frames", type=int)
    parser.add_argument("reference", type=pathlib.Path)
    parser.add_argument("distorted", type=pathlib.Path)
    parser.add_argument("--depth", type=int, choices=(8, 10, 12))
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    write(arguments.clip, width, height, arguments.frames, arguments.reference, arguments.distorted, arguments.depth)


if __name__ == "__main__":
    sys.exit(main())
