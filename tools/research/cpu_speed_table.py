#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Prints the tables of docs/research/cpu-speed.md for VMAF v1 and the features that came with it.

    cpu_speed_table.py ISOVMAF LIBVMAF.so [--rounds N] [--sizes 1080 2160] [--bits 8 10] [--threads 1 2] [--only TEXT]

ISOVMAF is the program of a release build, LIBVMAF.so libvmaf 3.2.0, such as the one in the PyPI package `av` 19.0.2.
Clips are made with ffmpeg in a tmpfs: testsrc2 with noise, and its x264 encode. A row is a model, several models in one
pass, or a feature. Programs and levels take turns; a figure is the median of all rounds, and cpu_speed.py says how one
is measured. --only keeps the rows whose name has TEXT in it.

The last table is about four models in one pass: the time of the pass beside the sum of the times of each model alone.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from cpu_speed import ISOVMAF_LEVELS, LIBVMAF_LEVELS, Clip, Libvmaf, Task, V061, isovmaf_seconds

FOUR_MODELS = ("vmaf_v0.6.1", "vmaf_v0.6.1neg", "vmaf_v1.0.16_3d0h", "vmaf_v1.0.16_5d0h")
TASKS = [
    V061,
    Task("v1 3d0h", models=("vmaf_v1.0.16_3d0h",)),
    Task("v1 5d0h", models=("vmaf_v1.0.16_5d0h",)),
    Task("v1 3d0h_2160", models=("vmaf_v1.0.16_3d0h_2160",)),
    Task("v1 1d5h_2160", models=("vmaf_v1.0.16_1d5h_2160",)),
    Task("four models", models=FOUR_MODELS),
    Task("cambi", feature="cambi"),
    Task("cambi of v1", feature="cambi", options={"cambi_high_res_speedup": "1080", "cambi_max_val": "17",
                                                  "cambi_vis_lum_threshold": "0.06"}),
    Task("speed_chroma", feature="speed_chroma"),
    Task("speed_temporal", feature="speed_temporal"),
    Task("adm of v1", feature="adm", options={"adm_csf_mode": "2", "adm_dlm_weight": "0.7", "adm_enhn_gain_limit": "1",
                                              "adm_min_val": "0.5", "adm_noise_weight": "0.02"}),
    Task("float_ssim", feature="float_ssim"),
    Task("float_ms_ssim", feature="float_ms_ssim"),
    Task("psnr_hvs", feature="psnr_hvs"),
    Task("ciede", feature="ciede"),
]
SIZES = {1080: (1920, 1080), 2160: (3840, 2160)}
LENGTHS = {1080: (4, 12), 2160: (2, 6)}  # frames of the short and of the long run
CLIP_FRAMES = 12


def make_clips(folder, size, bits):
    """A reference and its encode, as Y4M files."""
    width, height = SIZES[size]
    pixels = "yuv420p" if bits == 8 else "yuv420p10le"
    reference, encoded, distorted = (folder / f"{name}_{size}_{bits}.{end}"
                                     for name, end in (("ref", "y4m"), ("enc", "mkv"), ("dis", "y4m")))
    for arguments in (["-f", "lavfi", "-i", f"testsrc2=s={width}x{height}:r=25", "-vf",
                       f"noise=alls=8:allf=t,format={pixels}", "-frames:v", str(CLIP_FRAMES), reference],
                      ["-i", reference, "-c:v", "libx264", "-crf", "32", "-preset", "veryfast", encoded],
                      ["-i", encoded, "-pix_fmt", pixels, distorted]):
        command = ["ffmpeg", "-v", "error", "-y", *arguments[:-1], "-strict", "-1", arguments[-1]]  # Y4M of 10 bit
        subprocess.run(list(map(str, command)), check=True, stdin=subprocess.DEVNULL)
    encoded.unlink()
    return reference, distorted


def medians(task, programs, lengths, rounds):
    """Milliseconds a frame of each program; None where a program cannot do the task."""
    short, long = lengths
    found = {name: [] for name in programs}
    for _ in range(rounds):
        for name, seconds in programs.items():
            if found[name] is None:
                continue
            try:
                first = seconds(task, short)
                found[name].append(1e3 * (seconds(task, long) - first) / (long - short))
            except (RuntimeError, subprocess.CalledProcessError) as error:
                print(f"{name} cannot do {task.name}: {error}", file=sys.stderr)
                found[name] = None
    return {name: times and statistics.median(times) for name, times in found.items()}


def cell(value, digits=1):
    return "" if value is None else f"{value:.{digits}f}"


def ratio(above, below):
    return cell(above / below if above and below else None, 2)


def row_of(label, times):
    ours, theirs = ([times[f"{program} {level}"] for level in ISOVMAF_LEVELS] for program in ("isovmaf", "libvmaf"))
    ratios = [ratio(their, our) for our, their in zip(ours, theirs)]
    return "| " + " | ".join([label, *map(cell, theirs + ours), *ratios]) + " |"


def print_head(what):
    levels = list(ISOVMAF_LEVELS)
    columns = [f"{program} {level}" for program in ("libvmaf", "isovmaf") for level in levels]
    print(f"\n| {what} | " + " | ".join(columns + [f"{level} ratio" for level in levels]) + " |")
    print("|---" * (1 + len(columns) + len(levels)) + "|", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isovmaf")
    parser.add_argument("libvmaf")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--bits", type=int, nargs="+", choices=(8, 10), default=[8, 10])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", default="", metavar="TEXT")
    arguments = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))
    tasks = [task for task in TASKS if arguments.only in task.name]
    passes = []  # of the four models
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for size, bits in ((size, bits) for size in arguments.sizes for bits in arguments.bits):
            clips = make_clips(pathlib.Path(folder), size, bits)
            libvmaf = Libvmaf(arguments.libvmaf, [Clip(path, CLIP_FRAMES) for path in clips])
            for threads in arguments.threads:
                os.sched_setaffinity(0, processors[:threads])
                programs = {f"libvmaf {level}": lambda task, n, level=level: libvmaf.seconds(
                    task, n, threads, LIBVMAF_LEVELS[level]) for level in ISOVMAF_LEVELS}
                programs |= {f"isovmaf {level}": lambda task, n, level=level: isovmaf_seconds(
                    arguments.isovmaf, clips, task, n, threads, level) for level in ISOVMAF_LEVELS}
                print_head(f"{size}p, {bits} bit, threads: {threads}; ms a frame")
                for task in tasks:
                    print(row_of(task.name, medians(task, programs, LENGTHS[size], arguments.rounds)), flush=True)
                if "four models" in (task.name for task in tasks):
                    passes.append((size, bits, threads, four_models(programs, LENGTHS[size], arguments.rounds)))
            for path in clips:
                path.unlink()
            os.sched_setaffinity(0, processors)
    if passes:
        print("\n| four models | program | ms a frame in one pass | ms a frame alone, summed up | ratio |")
        print("|---" * 5 + "|")
    for size, bits, threads, (together, alone) in passes:
        for name, time in together.items():
            print(f"| {size}p, {bits} bit, threads: {threads} | {name} | {cell(time)} | {cell(alone[name])} | "
                  f"{ratio(alone[name], time)} |")


def four_models(programs, lengths, rounds):
    """The times of one pass, and the sums of the times of each model alone."""
    together = medians(Task("four models", models=FOUR_MODELS), programs, lengths, rounds)
    alone = [medians(Task(model, models=(model,)), programs, lengths, rounds) for model in FOUR_MODELS]
    sums = {name: None if any(times[name] is None for times in alone) else sum(times[name] for times in alone)
            for name in programs}
    return together, sums


if __name__ == "__main__":
    sys.exit(main())
