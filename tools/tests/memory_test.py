#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Shows that the memory of `isovmaf score` does not grow with the length of the video.

    memory_test.py ISOVMAF [--size 1920x1080] [--frames 40 1000]

Scores a short and a long Y4M pair with the default model and compares the peak resident sizes. The videos are sparse
files (a frame of zeros takes one disk block), so that a thousand frames of 1080p cost neither disk nor decoding. Reading
is faster than scoring, so forty frames fill every queue of frames.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

GROWTH_MIB = 8  # per-frame scores are kept for the report, and allocators keep some memory
THREADS = 2


def write_sparse_y4m(path, width, height, frames, level):
    frame_bytes = width * height + 2 * ((width + 1) // 2) * ((height + 1) // 2)
    with open(path, "wb") as video:
        video.write(f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 C420jpeg\n".encode())
        for _ in range(frames):
            video.write(b"FRAME\n" + bytes([level]) * 64)
            video.seek(frame_bytes - 64, os.SEEK_CUR)
        video.truncate()


def peak_mib(isovmaf, size, frames):
    width, height = map(int, size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        reference, distorted, report = (pathlib.Path(folder) / name for name in ("ref.y4m", "dis.y4m", "report.json"))
        write_sparse_y4m(reference, width, height, frames, 100)
        write_sparse_y4m(distorted, width, height, frames, 140)
        process = subprocess.Popen([isovmaf, "score", "-r", reference, "-d", distorted, "--threads", str(THREADS),
                                    "--json", "-o", report, "--quiet"], stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            sys.exit(f"isovmaf ended with code {code} on {frames} frames of {size}")
        scored = report.read_text().count('"frameNum"')
        if scored != frames:
            sys.exit(f"isovmaf scored {scored} of {frames} frames")
    return usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isovmaf")
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--frames", type=int, nargs=2, default=(40, 1000))
    arguments = parser.parse_args()
    short, long = (peak_mib(arguments.isovmaf, arguments.size, frames) for frames in arguments.frames)
    print(f"peak memory, {arguments.size}: {arguments.frames[0]} frames {short:.1f} MiB, "
          f"{arguments.frames[1]} frames {long:.1f} MiB")
    return 0 if long <= short + GROWTH_MIB else 1


if __name__ == "__main__":
    sys.exit(main())
