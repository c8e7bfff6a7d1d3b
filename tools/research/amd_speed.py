#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Counts what a frame costs on AMD GPUs, and prints a bound of frames/s at 1080p. No GPU is needed.

    amd_speed.py BUILD [--plugin FILE] [--gpu GPU]... [--case CASE]... [--kernel NAME]...
                 [--save FILE] [--against FILE] [--multiplication PASSES]

BUILD is a build directory with isovmaf, libvmaf_hip.so and the runtime that executes AMD's code. The second frame of a
bundled clip is executed; counts are per pixel of its luma picture. --plugin takes another libvmaf_hip.so: its kernels
have to have the tiles that the program launches. --save writes the counts; --against prints them beside the present
ones, as before and after. --multiplication 4 computes bounds with multiplications of 32 bits at a quarter of the full
rate on CDNA, where the published rates are contradictory.

A bound is the least time that vector instructions, LDS, the first cache or memory need, whichever needs most, summed
over kernels. Waits, launches, the scalar unit and idle compute units are left out: it is no measurement, and no GPU
reaches it.
"""

import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "backends" / "hip" / "testing" / "executing"))
from amd_rates import FULL_HEIGHT, FULL_WIDTH, GPUS, LINE_BYTES, bounds, lds_cycles, vector_passes, waves_by_lds  # noqa: E402
from amd_rates import waves_by_registers, waves_of_group  # noqa: E402
from kernel_counts import Build, Case, bundled, counts_of_frame  # noqa: E402

CLIP_8, CLIP_10 = bundled("landscape_640x360_8b"), bundled("landscape_576x324_10b")
MODEL = ("-m", "version=vmaf_v0.6.1")
PSNR = ("-n", "--feature", "psnr")
CASES = {
    "vmaf-8": Case(CLIP_8, 640, 360, MODEL),
    "vmaf-10": Case(CLIP_10, 576, 324, MODEL),
    "legacy-8": Case(CLIP_8, 640, 360, ("-n", "--feature", "motion", "--compat", "libvmaf-3.0")),
    "psnr-8": Case(CLIP_8, 640, 360, PSNR),
    "psnr-10": Case(CLIP_10, 576, 324, PSNR),
}


def table(header, rows):
    """A table in Markdown, whose columns but the first are aligned to the right."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]

    def line(row):
        return "| " + " | ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                                 for i, (cell, width) in enumerate(zip(row, widths))) + " |"

    rule = "|" + "|".join("-" * (width + 2) if i == 0 else "-" * (width + 1) + ":"
                          for i, width in enumerate(widths)) + "|"
    return "\n".join([line(cells[0]), rule, *map(line, cells[1:])])


def counts_table(kernels, gpu, pixels):
    """What lanes do for a pixel. Instructions are counted for all lanes of a wave, active or not."""
    header = ["per pixel", "vector 32", "64", "mul", "trans", "dual", "scalar", "LDS", "global", "LDS words",
              "conflicts", "bytes", "lines", "distinct"]
    rows = []
    for name, kernel in kernels.items():
        counted = kernel["instructions"]
        of_lanes = [counted[kind] * kernel["lanes"] / pixels
                    for kind in ("vector_32", "vector_64", "multiplication", "transcendental", "dual", "scalar",
                                 "local_memory", "global_memory")]
        rows.append([name, *(f"{value:.1f}" for value in of_lanes), f"{kernel['local_passes'] * 32 / pixels:.1f}",
                     f"{kernel['local_conflicts'] / max(kernel['local_passes'], 1):.0%}",
                     f"{kernel['global_bytes'] / pixels:.1f}",
                     f"{kernel['global_lines'] * LINE_BYTES / pixels:.1f}",
                     f"{kernel['launch_lines'] * LINE_BYTES / pixels:.1f}"])
    total = [sum(float(row[i]) for row in rows) for i in range(1, 10)]
    rows.append(["sum", *(f"{value:.1f}" for value in total), "", *("" for _ in range(3))])
    return table(header, rows)


def resources_table(kernels, gpu):
    header = ["resources", "registers", "spilled", "LDS of a group", "LDS of a wave", "waves by registers", "by LDS"]
    return table(header, [[name, kernel["vector_registers"], kernel["spilled_registers"], kernel["lds_bytes"],
                           kernel["lds_bytes"] // waves_of_group(kernel),
                           waves_by_registers(kernel, gpu.architecture),
                           f"{waves_by_lds(kernel, gpu.architecture):.4g}"] for name, kernel in kernels.items()])


def sum_of_bounds(kernels, gpu, passes, pixels):
    return sum(max(bounds(kernel, gpu, passes, pixels).values()) for kernel in kernels.values())


def bounds_table(kernels, gpu, passes, pixels):
    rows = []
    for name, kernel in kernels.items():
        least = bounds(kernel, gpu, passes, pixels)
        limit = max(least, key=least.get)
        rows.append([name, *(f"{seconds * 1e6:.2f}" for seconds in least.values()), limit])
    return table(["least µs at 1080p", "vector", "LDS", "first cache", "memory", "limit"], rows)


def ratio(after, before):
    return f"{after / before:.2f}" if before else "-"


def comparison_table(before, after, gpu, passes, pixels):
    """Sums of kernels are in the last row; kernels that only one side has count there, too."""
    header = ["before, after, ratio", "vector passes per 64 pixels", "", "", "LDS cycles per 32 pixels", "", "",
              "lines per 64 pixels", "", "", "waves a SIMD", "", "µs at 1080p", "", ""]
    rows, sums = [], [[0.0] * 4 for _ in range(2)]
    for name in sorted({*before, *after}):
        sides = []
        for side, total in zip((before, after), sums):
            kernel = side.get(name)
            if not kernel:
                sides.append(None)
                continue
            values = [vector_passes(kernel, passes) * kernel["lanes"] / pixels, lds_cycles(kernel) * 32 / pixels,
                      kernel["global_lines"] * LINE_BYTES / pixels,
                      max(bounds(kernel, gpu, passes, pixels).values()) * 1e6]
            total[:] = [sum(pair) for pair in zip(total, values)]
            waves = min(waves_by_registers(kernel, gpu.architecture), waves_by_lds(kernel, gpu.architecture))
            sides.append((values, f"{waves:.4g}"))
        rows.append(comparison_row(name, sides))
    rows.append(comparison_row("sum", [(total, "") for total in sums]))
    return table(header, rows)


def comparison_row(name, sides):
    before, after = sides
    row = [name]
    for i in range(4):
        if i == 3:
            row += [before[1] if before else "-", after[1] if after else "-"]
        row += [f"{side[0][i]:.2f}" if side else "-" for side in sides]
        row.append(ratio(after[0][i], before[0][i]) if before and after else "-")
    return row


def frames_per_second(gpu, seconds):
    both = f", {2 / seconds:,.0f} with both dies" if "one GCD" in gpu.name else ""
    return f"{seconds * 1e6:.1f} µs, {1 / seconds:,.0f} frames/s{both}"


def repeated(samples, width, height, new_width, new_height):
    """A plane of bytes, repeated to the right and downwards."""
    rows = [samples[i * width:(i + 1) * width] for i in range(height)]
    return b"".join((row * -(-new_width // width))[:new_width] for row in (rows * -(-new_height // height))[:new_height])


def in_full_hd(case, folder):
    """The case with its pictures repeated until they are 1920x1080. Decodes with ffmpeg."""
    videos = []
    for video in case.videos:
        deep = "10b" in video.name
        form = "yuv420p10le" if deep else "yuv420p"
        decoded = subprocess.run(["ffmpeg", "-v", "error", "-i", video, "-frames:v", "2", "-pix_fmt", form, "-f",
                                  "rawvideo", "-"], stdout=subprocess.PIPE, check=True).stdout
        sample = 2 if deep else 1
        made = pathlib.Path(folder) / f"{video.stem}.y4m"
        with made.open("wb") as file:
            file.write(f"YUV4MPEG2 W{FULL_WIDTH} H{FULL_HEIGHT} F25:1 C420{'p10' if deep else 'jpeg'}\n".encode())
            at = 0
            for _ in range(2):
                file.write(b"FRAME\n")
                for part in (1, 2, 2):
                    width, height = case.width // part, case.height // part
                    plane = decoded[at:at + width * height * sample]
                    at += len(plane)
                    file.write(repeated(plane, width * sample, height, FULL_WIDTH // part * sample,
                                        FULL_HEIGHT // part))
        videos.append(made)
    return dataclasses.replace(case, videos=tuple(videos), width=FULL_WIDTH, height=FULL_HEIGHT)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--plugin", type=pathlib.Path)
    parser.add_argument("--gpu", action="append", choices=GPUS)
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--kernel", action="append", help="only kernels whose names begin with this")
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--full-hd", action="store_true", help="repeat the pictures until they are 1920x1080")
    parser.add_argument("--multiplication", type=int, help="passes of a multiplication of 32 bits")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    before = json.loads(arguments.against.read_text(encoding="utf-8")) if arguments.against else {}
    counted = {}
    with tempfile.TemporaryDirectory() as folder:
        build = Build.of(arguments.build)
        if arguments.plugin:
            (pathlib.Path(folder) / "libvmaf_hip.so").symlink_to(arguments.plugin.resolve())
            build = dataclasses.replace(build, plugins=pathlib.Path(folder))
        for case_name in arguments.case or ["vmaf-8"]:
            case = in_full_hd(CASES[case_name], folder) if arguments.full_hd else CASES[case_name]
            shown = case_name + (", 1920x1080" if arguments.full_hd else "")
            for target in arguments.gpu or ["gfx90a", "gfx942", "gfx1100"]:
                counts = counts_of_frame(build, target, case)
                counted.setdefault(shown, {})[target] = counts
                print_case(arguments, shown, target, case.pixels, counts, before.get(shown, {}).get(target))
    if arguments.save:
        arguments.save.write_text(json.dumps(counted, indent=1) + "\n", encoding="utf-8")


def print_case(arguments, case_name, target, pixels, counts, before):
    case, gpu = CASES[case_name], GPUS[target]
    passes = dict(gpu.architecture.passes)
    if arguments.multiplication:
        passes["multiplication"] = arguments.multiplication

    def chosen(kernels):
        return {name: kernel for name, kernel in kernels.items()
                if not arguments.kernel or name.startswith(tuple(arguments.kernel))}

    after = chosen(counts)
    print(f"\n## {case_name}, {target}: {gpu.name}\n")
    if before is not None:
        before = chosen(before)
        print(comparison_table(before, after, gpu, passes, pixels))
        print(f"\nBound before: {frames_per_second(gpu, sum_of_bounds(before, gpu, passes, pixels))}")
    else:
        print(counts_table(after, gpu, pixels), resources_table(after, gpu),
              bounds_table(after, gpu, passes, pixels), sep="\n\n")
    print(f"\nBound: {frames_per_second(gpu, sum_of_bounds(after, gpu, passes, pixels))}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
