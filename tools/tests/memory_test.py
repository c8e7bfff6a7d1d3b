#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Shows that the memory of `isovmaf score` does not grow with the length of the video.

    memory_test.py ISOVMAF [--size 1920x1080] [--bits 8] [--model NAME] [--frames 40 1000] [--most MB] [--growth MIB]

Scores a short and a long Y4M pair with the default model, or another one, and compares the peak resident sizes. With
--most they are compared with that limit, too; one number of frames is enough then. The videos are sparse files (a frame
of zeros takes one disk block), so that a thousand frames of 1080p cost neither disk nor decoding. Reading is faster than
scoring, so forty frames fill every queue of frames. How many pairs are in flight at once varies from run to run: large
pictures need a larger --growth.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

MIB = 1 << 20
GROWTH_MIB = 8  # per-frame scores are kept for the report, and allocators keep some memory
THREADS = 2


def write_sparse_y4m(path, arguments, frames, level):
    width, height = map(int, arguments.size.split("x"))
    sample_bytes = 1 if arguments.bits == 8 else 2
    frame_bytes = sample_bytes * (width * height + 2 * ((width + 1) // 2) * ((height + 1) // 2))
    chroma = "420jpeg" if arguments.bits == 8 else f"420p{arguments.bits}"
    start = level.to_bytes(sample_bytes, "little") * 64
    with open(path, "wb") as video:
        video.write(f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 C{chroma}\n".encode())
        for _ in range(frames):
            video.write(b"FRAME\n" + start)
            video.seek(frame_bytes - len(start), os.SEEK_CUR)
        video.truncate()


def peak_bytes(arguments, frames):
    with tempfile.TemporaryDirectory() as folder:
        reference, distorted, report = (pathlib.Path(folder) / name for name in ("ref.y4m", "dis.y4m", "report.json"))
        write_sparse_y4m(reference, arguments, frames, 100)
        write_sparse_y4m(distorted, arguments, frames, 140)
        model = ["-m", f"version={arguments.model}"] if arguments.model else []
        process = subprocess.Popen([arguments.isovmaf, "score", "-r", reference, "-d", distorted, *model, "--threads",
                                    str(THREADS), "--json", "-o", report, "--quiet"], stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            sys.exit(f"isovmaf ended with code {code} on {frames} frames of {arguments.size}")
        scored = report.read_text().count('"frameNum"')
        if scored != frames:
            sys.exit(f"isovmaf scored {scored} of {frames} frames")
    return usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isovmaf")
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--bits", type=int, default=8)
    parser.add_argument("--model", help="a built-in model; without it the default one")
    parser.add_argument("--frames", type=int, nargs="+", default=(40, 1000))
    parser.add_argument("--most", type=int, help="MB that no run may take more than")
    parser.add_argument("--growth", type=int, default=GROWTH_MIB, metavar="MIB",
                        help="what the last run may take beyond the first one")
    arguments = parser.parse_args()
    if len(arguments.frames) < 2 and not arguments.most:
        parser.error("one number of frames needs --most")
    peaks = [peak_bytes(arguments, frames) for frames in arguments.frames]
    print(f"peak memory, {arguments.size}, {arguments.bits} bit, {arguments.model or 'the default model'}: "
          + ", ".join(f"{frames} frames {peak / MIB:.1f} MiB" for frames, peak in zip(arguments.frames, peaks)))
    fits = not arguments.most or max(peaks) <= arguments.most * 10**6
    return 0 if peaks[-1] <= peaks[0] + arguments.growth * MIB and fits else 1


if __name__ == "__main__":
    sys.exit(main())
