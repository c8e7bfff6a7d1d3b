#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Times a ladder: one reference and several encodes of it.

    ladder_speed.py ISOVMAF [--size 1920x1080] [--frames 100] [--encodes 8] [--rounds 3] [--video mp4|y4m]
                    [--backend cpu] [--threads N] [--folder FOLDER] [--option=OPTION ...]

Makes the videos from generated pictures. `y4m` needs no other program; `mp4` encodes with ffmpeg (x264) at a bit rate
for each encode. Three ways take turns, and the best time of each is printed, with the processor time of its processes:

    single      `isovmaf score` for one encode after the other
    group 1     `isovmaf batch --group 1`
    group N     `isovmaf batch --group N`, N being the number of encodes

All three have to give the same scores. FOLDER should lie in a tmpfs: it holds the videos, 1.5 bytes a pixel as y4m.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def texture(width, height):
    """Rows of a picture larger than the video: frames are parts of it."""
    noise = random.Random(1)
    rows = []
    for y in range(height):
        wave = bytes(int(110 + 50 * math.sin(x / 37) * math.cos(y / 23)) for x in range(width)) if y % 8 == 0 else wave
        grain = int.from_bytes(noise.randbytes(width), "little") & int.from_bytes(b"\x1f" * width, "little")
        rows.append((int.from_bytes(wave, "little") + grain).to_bytes(width, "little"))
    return rows


def write_reference(path, width, height, frames):
    rows = texture(width + 64, height + 64)
    chroma = bytes([120]) * (((width + 1) // 2) * ((height + 1) // 2)) * 2
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 C420jpeg\n".encode())
        for n in range(frames):
            x, y = 3 * n % 64, 2 * n % 64
            file.write(b"FRAME\n" + b"".join(row[x:x + width] for row in rows[y:y + height]) + chroma)


def write_encode(reference, path, step):
    """The reference with luma and chroma in steps: like an encode of low quality, and quickly made."""
    table = bytes(min(255, value // step * step + step // 2) for value in range(256))
    with open(reference, "rb") as source, open(path, "wb") as file:
        header = source.readline()
        file.write(header)
        words = {word[:1]: word[1:] for word in header.split()[1:]}
        width, height = int(words[b"W"]), int(words[b"H"])
        size = width * height + 2 * ((width + 1) // 2) * ((height + 1) // 2)
        while line := source.readline():
            file.write(line + source.read(size).translate(table))


def make_ladder(folder, arguments):
    """The names of the reference and of the encodes."""
    width, height = map(int, arguments.size.split("x"))
    reference = folder / "reference.y4m"
    write_reference(reference, width, height, arguments.frames)
    encodes = []
    for i in range(arguments.encodes):
        encodes.append(folder / f"encode{i}.{arguments.video}")
        if arguments.video == "y4m":
            write_encode(reference, encodes[-1], 2 + 2 * i)
        else:
            encode(reference, encodes[-1], 12000 // (i + 1))
    if arguments.video != "y4m":
        encode(reference, folder / f"reference.{arguments.video}", 40000)
        reference.unlink()
        reference = folder / f"reference.{arguments.video}"
    return reference, encodes


def encode(source, target, kilobits):
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, "-c:v", "libx264", "-preset", "fast", "-pix_fmt",
                    "yuv420p", "-b:v", f"{kilobits}k", target], check=True)


class Times:
    """Seconds of wall-clock and processor time of the best round."""

    def __init__(self):
        self.wall = self.processor = math.inf

    def run(self, commands):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        for command in commands:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        wall = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.wall, self.processor = min(self.wall, wall), min(self.processor, processor)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isovmaf")
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--frames", type=int, default=100)
    parser.add_argument("--encodes", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--video", choices=("mp4", "y4m"), default="y4m")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--folder")
    parser.add_argument("--option", action="append", default=[], help="for all three ways, such as --option=--feature=psnr")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(dir=arguments.folder or ("/dev/shm" if os.path.isdir("/dev/shm") else None)))
    try:
        measure(folder, arguments)
    finally:
        shutil.rmtree(folder)


def measure(folder, arguments):
    reference, encodes = make_ladder(folder, arguments)
    options = ["--backend", arguments.backend, *arguments.option]
    if arguments.threads:
        options += ["--threads", str(arguments.threads)]
    manifest = folder / "ladder.csv"
    manifest.write_text("reference,distorted\n" + "".join(f"{reference.name},{path.name}\n" for path in encodes))
    runs = {"single": [], "group 1": [], f"group {arguments.encodes}": []}
    times = {name: Times() for name in runs}
    for _ in range(arguments.rounds):
        for name in runs:
            run = folder / "run"
            shutil.rmtree(run, ignore_errors=True)
            if name == "single":
                times[name].run([[arguments.isovmaf, "score", "-r", reference, "-d", path, *options, "-q", "--json", "-o",
                                  f"{path}.json"] for path in encodes])
                runs[name] = [json.loads(pathlib.Path(f"{path}.json").read_text())["pooled_metrics"]["vmaf"]["mean"]
                              for path in encodes]
            else:
                times[name].run([[arguments.isovmaf, "batch", manifest, "--run", run, "--group", name.split()[1],
                                  "--fast-keys", "-q", *options]])
                with open(run / "results.csv", encoding="utf-8") as file:
                    runs[name] = [float(row["vmaf_mean"]) for row in csv.DictReader(file)]
    report(times, runs, arguments)


def report(times, runs, arguments):
    frames = arguments.frames * arguments.encodes
    print(f"{arguments.encodes} encodes of {arguments.frames} frames, {arguments.size}, {arguments.video}, "
          f"--backend {arguments.backend}{f' --threads {arguments.threads}' if arguments.threads else ''}, "
          f"best of {arguments.rounds}")
    single = times["single"]
    for name, best in times.items():
        print(f"{name:8}  {best.wall:8.2f} s  {frames / best.wall:8.1f} frames/s  {single.wall / best.wall:5.2f} x"
              f"  {best.processor:8.2f} s of processors  {single.processor / best.processor:5.2f} x")
    if len({tuple(round(score, 6) for score in scores) for scores in runs.values()}) > 1:
        sys.exit(f"the scores differ: {runs}")


if __name__ == "__main__":
    main()
