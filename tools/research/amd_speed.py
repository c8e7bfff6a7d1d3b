#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Counts what a frame costs on AMD GPUs, and prints a bound of frames/s at 1080p. No GPU is needed.

    amd_speed.py BUILD [--plugin FILE] [--gpu GPU]... [--case CASE]... [--kernel NAME]... [--full-hd] [--summary]
                 [--save FILE] [--against FILE] [--multiplication PASSES]

BUILD is a build directory with isovmaf, libvmaf_hip.so and the runtime that executes AMD's code. The second frame of a
bundled clip is executed; counts are per pixel of its luma picture. --plugin takes another libvmaf_hip.so, whose kernels
have to have the tiles that the program launches. --save writes the counts. Such a file can take the place of BUILD, and
--against prints it as what was before. --full-hd repeats the pictures until they are 1920x1080, which takes ten times
as long. --multiplication 4 computes the bounds with multiplications of 32 bits at a quarter of the full rate.

A bound is the time that vector instructions, LDS, the caches of compute units or memory need at least, whichever needs
most, summed over kernels. Waits, launches, scalar instructions and idle compute units are left out: it is not measured.
"""

import argparse
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "backends" / "hip" / "testing" / "executing"))
from amd_rates import (FULL_HEIGHT, FULL_WIDTH, GPUS, LINE_BYTES, VECTOR_CLASSES, bound, bounds,  # noqa: E402
                       lds_cycles, vector_passes)
from kernel_counts import Build, Case, bundled, counts_of_second_frame  # noqa: E402
from occupancy import waves_by_lds, waves_by_registers, waves_of_group, waves_per_simd  # noqa: E402

CLIP_8, CLIP_10 = bundled("landscape_640x360_8b"), bundled("landscape_576x324_10b")
MODEL = ("-m", "version=vmaf_v0.6.1")
PSNR = ("-n", "--feature", "psnr")
CAMBI = ("-n", "--feature", "cambi:cambi_high_res_speedup=1080:cambi_max_val=17:cambi_vis_lum_threshold=0.06")
V1 = ("-m", "version=vmaf_v1.0.16_3d0h")
PSNR_HVS = ("-n", "--feature", "psnr_hvs")
XPSNR = ("-n", "--feature", "xpsnr")
SSIM = ("-n", "--feature", "float_ssim")
MS_SSIM = ("-n", "--feature", "float_ms_ssim")
CASES = {
    "vmaf-8": Case(CLIP_8, 640, 360, MODEL),
    "vmaf-10": Case(CLIP_10, 576, 324, MODEL),
    "legacy-8": Case(CLIP_8, 640, 360, ("-n", "--feature", "motion", "--compat", "libvmaf-3.0")),
    "cambi-8": Case(CLIP_8, 640, 360, CAMBI),
    "cambi-10": Case(CLIP_10, 576, 324, CAMBI),
    "v1-8": Case(CLIP_8, 640, 360, V1),
    "v1-10": Case(CLIP_10, 576, 324, V1),
    "psnr_hvs-8": Case(CLIP_8, 640, 360, PSNR_HVS),
    "psnr_hvs-10": Case(CLIP_10, 576, 324, PSNR_HVS),
    "float_ssim-8": Case(CLIP_8, 640, 360, SSIM),
    "float_ssim-10": Case(CLIP_10, 576, 324, SSIM),
    "float_ms_ssim-8": Case(CLIP_8, 640, 360, MS_SSIM),
    "float_ms_ssim-10": Case(CLIP_10, 576, 324, MS_SSIM),
    "psnr-8": Case(CLIP_8, 640, 360, PSNR),
    "psnr-10": Case(CLIP_10, 576, 324, PSNR),
    "xpsnr-8": Case(CLIP_8, 640, 360, XPSNR),
    "xpsnr-10": Case(CLIP_10, 576, 324, XPSNR),
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


def per_pixel(kernel, pixels):
    """What lanes execute, by class. All lanes of a wave count, active or not."""
    return {name: count * kernel["lanes"] / pixels for name, count in kernel["instructions"].items()}


def counts_table(kernels, pixels):
    kinds = {"vector 32": "vector_32", "64": "vector_64", "f64": "vector_f64", "mul": "multiplication",
             "trans": "transcendental", "trans f64": "transcendental_f64", "dual": "dual", "scalar": "scalar",
             "LDS": "local_memory", "global": "global_memory"}
    rows, total = [], dict.fromkeys(kinds.values(), 0)
    for name, kernel in kernels.items():
        counts = per_pixel(kernel, pixels)
        total = {kind: count + counts[kind] for kind, count in total.items()}
        rows.append([name, *(f"{counts[kind]:.1f}" for kind in kinds.values()),
                     f"{kernel['local_passes'] * 32 / pixels:.1f}",
                     f"{kernel['local_conflicts'] / max(kernel['local_passes'], 1):.0%}",
                     f"{kernel['global_bytes'] / pixels:.1f}",
                     *(f"{kernel[lines] * LINE_BYTES / pixels:.1f}" for lines in ("global_lines", "launch_lines"))])
    rows.append(["sum", *(f"{count:.1f}" for count in total.values()), *[""] * 5])
    return table(["per pixel", *kinds, "LDS words", "conflicts", "bytes", "of lines", "different"], rows)


def resources_table(kernels, gpu):
    header = ["resources", "registers", "spilled", "LDS of a group", "LDS of a wave", "waves by registers", "by LDS"]
    return table(header, [[name, kernel["vector_registers"], kernel["spilled_registers"], kernel["lds_bytes"],
                           kernel["lds_bytes"] // waves_of_group(kernel), waves_by_registers(kernel, gpu.processor),
                           f"{waves_by_lds(kernel, gpu.processor):.4g}"] for name, kernel in kernels.items()])


def bounds_table(kernels, gpu, pixels):
    rows = []
    for name, kernel in kernels.items():
        least = bounds(kernel, gpu, pixels)
        rows.append([name, *(f"{seconds * 1e6:.2f}" for seconds in least.values()), max(least, key=least.get)])
    return table(["least µs at 1080p", "vector", "LDS", "cache", "memory", "limit"], rows)


def comparison_table(before, after, gpu, pixels):
    """Two sides and their ratio. A kernel that one side lacks counts as nothing there."""
    quantities = {
        "vector passes": lambda kernel: vector_passes(kernel, gpu) * kernel["lanes"] / pixels,
        "LDS words and conflicts": lambda kernel: lds_cycles(kernel) * 32 / pixels,
        "bytes of lines": lambda kernel: kernel["global_lines"] * LINE_BYTES / pixels,
        "µs at 1080p": lambda kernel: bound(kernel, gpu, pixels) * 1e6,
    }
    sides = {"before": before, "after": after}
    rows, totals = [], {}
    for name in sorted({*before, *after}):
        row = [name]
        for quantity, value_of in quantities.items():
            values = {side: value_of(kernels[name]) if name in kernels else 0 for side, kernels in sides.items()}
            row += compared(values)
            for side, value in values.items():
                totals[quantity, side] = totals.get((quantity, side), 0) + value
        rows.append([*row, *(f"{waves_per_simd(kernels[name], gpu.processor):.4g}" if name in kernels else "-"
                             for kernels in sides.values())])
    rows.append(["sum", *(cell for quantity in quantities
                          for cell in compared({side: totals[quantity, side] for side in sides})), "", ""])
    header = ["before, after, ratio"]
    for quantity in quantities:
        header += [quantity, "", ""]
    return table([*header, "waves a SIMD", ""], rows)


def compared(values):
    before, after = values.values()
    return [f"{before:.2f}", f"{after:.2f}", f"{after / before:.2f}" if before else "-"]


def summary_table(gpus, before, after, pixels):
    """A row for each kernel, three columns for each GPU; cells are "before → after" if there is something before."""
    def cells(gpu, kernel):
        return [f"{vector_instructions(kernel, pixels):.0f}", f"{waves_per_simd(kernel, gpu.processor):.3g}",
                f"{bound(kernel, gpu, pixels) * 1e6:.1f}"]

    def sums(gpu, kernels):
        return [f"{sum(vector_instructions(kernel, pixels) for kernel in kernels.values()):.0f}", "",
                f"{total_bound(kernels, gpu, pixels) * 1e6:.1f}"]

    def row(name, cells_of):
        sides = [[cells_of(gpu, side[target]) for side in (before, after) if side.get(target)]
                 for target, gpu in gpus.items()]
        return [name, *(" → ".join(dict.fromkeys(cell)) for texts in sides for cell in zip(*texts))]

    names = sorted({name for kernels in [*after.values(), *before.values()] for name in kernels})
    rows = [row(name, lambda gpu, kernels: cells(gpu, kernels[name]) if name in kernels else ["-"] * 3)
            for name in names]
    return table(["", *(f"{target} {column}" for target in gpus for column in ("instructions", "waves", "µs"))],
                 [*rows, row("sum", sums)])


def vector_instructions(kernel, pixels):
    counts = per_pixel(kernel, pixels)
    return sum(counts[name] for name in VECTOR_CLASSES)


def total_bound(kernels, gpu, pixels):
    return sum(bound(kernel, gpu, pixels) for kernel in kernels.values())


def frames_per_second(kernels, gpu, pixels):
    seconds = total_bound(kernels, gpu, pixels)
    both = f", {2 / seconds:,.0f} with both" if "one GCD" in gpu.name else ""
    return f"{seconds * 1e6:.1f} µs, {1 / seconds:,.0f} frames/s{both}"


def repeated(samples, width, height, new_width, new_height):
    """A plane of bytes, repeated to the right and downwards."""
    rows = [samples[i * width:(i + 1) * width] * -(-new_width // width) for i in range(height)]
    return b"".join(rows[i % height][:new_width] for i in range(new_height))


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
    parser.add_argument("--summary", action="store_true", help="one table of all GPUs")
    parser.add_argument("--full-hd", action="store_true", help="repeat the pictures until they are 1920x1080")
    parser.add_argument("--multiplication", type=int, help="passes of a multiplication of 32 bits")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    before = read_counts(arguments.against) if arguments.against else {}
    for title, counted in counted_cases(arguments):
        size = re.search(r"(\d+)x(\d+)$", title)
        pixels = int(size[1]) * int(size[2])
        gpus = {target: rated(GPUS[target], arguments) for target in counted}
        sides = [{target: chosen(kernels, arguments) for target, kernels in side.items() if target in gpus}
                 for side in (before.get(title, {}), counted)]
        print_case(title, gpus, *sides, pixels, arguments.summary)


def read_counts(path):
    return json.loads(path.read_text(encoding="utf-8"))


def counted_cases(arguments):
    """Pairs of the title of a case, with the size of its pictures, and its kernels by GPU."""
    if arguments.build.is_file():
        for title, kernels in read_counts(arguments.build).items():
            if not arguments.case or title.startswith(tuple(f"{name}," for name in arguments.case)):
                yield title, {gpu: kernels[gpu] for gpu in arguments.gpu or kernels}
        return
    build = Build.of(arguments.build)
    if arguments.plugin:
        build = dataclasses.replace(build, plugin=arguments.plugin)
    counted = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.case or ["vmaf-8"]:
            case = in_full_hd(CASES[name], folder) if arguments.full_hd else CASES[name]
            title = f"{name}, {case.width}x{case.height}"
            counted[title] = {gpu: counts_of_second_frame(build, gpu, case)
                              for gpu in arguments.gpu or ["gfx90a", "gfx942", "gfx1100"]}
            yield title, counted[title]
    if arguments.save:
        arguments.save.write_text(json.dumps(counted) + "\n", encoding="utf-8")


def rated(gpu, arguments):
    multiplication = arguments.multiplication or gpu.passes["multiplication"]
    return dataclasses.replace(gpu, passes={**gpu.passes, "multiplication": multiplication})


def chosen(kernels, arguments):
    prefixes = tuple(arguments.kernel or [""])
    return {name: kernel for name, kernel in kernels.items() if name.startswith(prefixes)}


def print_case(title, gpus, before, after, pixels, summary):
    print(f"\n## {title}\n")
    if summary:
        print(summary_table(gpus, before, after, pixels), end="\n\n")
    for target, gpu in gpus.items():
        old, new = before.get(target), after[target]
        if not summary:
            print(f"### {target}: {gpu.name}\n")
            tables = [comparison_table(old, new, gpu, pixels)] if old else [
                counts_table(new, pixels), resources_table(new, gpu), bounds_table(new, gpu, pixels)]
            print(*tables, sep="\n\n", end="\n\n")
        for when, kernels in {" before": old, "": new}.items():
            if kernels:
                print(f"* {gpu.name}{when}: bound {frames_per_second(kernels, gpu, pixels)}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
