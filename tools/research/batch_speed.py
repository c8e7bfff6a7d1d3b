#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Measures what `isovmaf batch` costs beside the scoring itself, with input that it makes.

    tools/research/batch_speed.py build/tools/isovmaf/isovmaf [--pairs 10000] [--scratch /dev/shm] [OPTION...]

Prints three measurements, as wall-clock time and processor time (user and system, all threads):
  * many small pairs: pairs per second;
  * two pairs of 1080p: the time of one batch beside that of two runs of `isovmaf score`, in turn: the middle ratio and
    the range;
  * a dry run of 100,000 rows.
OPTIONs go to `isovmaf batch`, such as --fast-keys. Other load on the machine changes wall-clock time, hardly the other."""

import argparse
import dataclasses
import os
import pathlib
import random
import resource
import subprocess
import tempfile
import time

CPU = ["--backend", "cpu"]


@dataclasses.dataclass
class Cost:
    wall: float = 0.0
    processor: float = 0.0

    def __str__(self):
        return f"{self.wall:.2f} s, {self.processor:.2f} s of processor time"


def measure(*commands):
    """Runs commands one after the other."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    start, before = time.monotonic(), used()
    for command in commands:
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    return Cost(time.monotonic() - start, used() - before)


def write_y4m(path, width, height, frames, seed):
    """Noise: each frame is a cut-out of one field, so that frames cost little to make and differ."""
    size = width * height * 3 // 2
    field = random.Random(seed).randbytes(size + 64 * frames)
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 C420jpeg\n".encode())
        for n in range(frames):
            file.write(b"FRAME\n" + field[64 * n:64 * n + size])


def make_pairs(folder, name, count, width, height, frames):
    """Returns a manifest of pairs."""
    rows = []
    for i in range(count):
        reference, distorted = folder / f"{name}{i}r.y4m", folder / f"{name}{i}d.y4m"
        write_y4m(reference, width, height, frames, 2 * i)
        write_y4m(distorted, width, height, frames, 2 * i + 1)
        rows.append((reference, distorted))
    return rows, write_manifest(folder / f"{name}.csv", rows)


def write_manifest(path, rows):
    path.write_text("reference,distorted\n" + "".join(f"{reference},{distorted}\n" for reference, distorted in rows))
    return path


def small_pairs(isovmaf, folder, count, options):
    _, manifest = make_pairs(folder, "small", count, 64, 36, 5)
    workers = len(os.sched_getaffinity(0))
    cost = measure([isovmaf, "batch", manifest, "--run", folder / "small-run", "--workers", workers, "-q", *CPU, *options])
    print(f"{count} pairs of 5 frames of 64x36, {workers} workers: {cost}: {count / cost.wall:.0f} pairs/s, "
          f"{1000 * cost.processor / count:.2f} ms of processor time a pair")


def large_pairs(isovmaf, folder, frames, rounds, options):
    rows, manifest = make_pairs(folder, "large", 2, 1920, 1080, frames)
    costs = []
    for number in range(rounds + 1):  # the first one warms up
        alone = measure(*([isovmaf, "score", "-r", reference, "-d", distorted, "-q", *CPU]
                          for reference, distorted in rows))
        batch = measure([isovmaf, "batch", manifest, "--run", folder / f"large-run{number}", "-q", *CPU, *options])
        costs.append((alone, batch))
    print(f"2 pairs of {frames} frames of 1080p, {rounds} rounds: alone {costs[-1][0]}; batch {costs[-1][1]}")
    for kind in ("processor", "wall"):
        more = sorted(100 * (getattr(batch, kind) / getattr(alone, kind) - 1) for alone, batch in costs[1:])
        print(f"  the batch's {kind} time: {more[len(more) // 2]:+.1f} % ({more[0]:+.1f} to {more[-1]:+.1f})")


def dry_run(isovmaf, folder):
    names = [folder / f"dry{i}.y4m" for i in range(600)]
    for i, name in enumerate(names):
        write_y4m(name, 64, 36, 1, i)
    manifest = write_manifest(folder / "dry.csv", [(names[i // 300], names[300 + i % 300]) for i in range(90_000)] + [
        (names[300 + i // 300], names[i % 300]) for i in range(10_000)])
    print(f"dry run of 100,000 rows: {measure([isovmaf, 'batch', manifest, '--dry-run'])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isovmaf", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--frames", type=int, default=100, help="of each 1080p video")
    parser.add_argument("--rounds", type=int, default=5, help="of the 1080p pairs")
    parser.add_argument("--scratch", type=pathlib.Path, help="folder on the file system to measure on")
    arguments, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as name:
        folder = pathlib.Path(name)
        if arguments.pairs > 0:
            small_pairs(arguments.isovmaf, folder, arguments.pairs, options)
        if arguments.frames > 0:
            large_pairs(arguments.isovmaf, folder, arguments.frames, arguments.rounds, options)
        dry_run(arguments.isovmaf, folder)


if __name__ == "__main__":
    main()
