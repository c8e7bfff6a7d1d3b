#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""How long 1,000 processes take for a batch on a slow file system, as shards and as ranks of an MPI job.

    tools/research/shards_simulation.py build/tools/isovmaf/isovmaf [--scratch /dev/shm] [--shards 100]

Counts with `strace` the operations for files of the run folder and videos: those of a shard with two encodes of one
reference, of merging the shards, and of the ranks of an MPI job of two. Operations of the start of a program (its
libraries) are left out, as are lseek and fcntl, which ask no server. Then it simulates so many processes on a file
system whose operations take 0.5 ms, and of which it does 50,000 a second."""

import argparse
import dataclasses
import heapq
import itertools
import os
import pathlib
import re
import subprocess
import tempfile

LATENCY, CAPACITY = 0.0005, 50_000  # seconds of an operation; operations a second
PROCESSES, WORK, READERS = 1000, 20, 32  # READERS: threads of `batch merge`
SIZE, FRAMES = (176, 144), 6
LOCAL_CALLS = {"lseek", "fcntl", "execve", "mmap", "munmap", "flock"}


def make_clip(path, seed):
    width, height = SIZE
    frame = b"FRAME\n" + bytes((i * 7 + i // width * 3) % 220 + 16 for i in range(width * height * 3 // 2))
    path.write_bytes(f"YUV4MPEG2 W{width} H{height} F25:1 C420jpeg Xseed={seed}\n".encode() + frame * FRAMES)


def make_batch(folder, shards):
    rows = ["reference,distorted"]
    for i in range(shards):
        for seed, name in enumerate(("r", "a", "b")): # no two files are equal: their units would be
            make_clip(folder / f"{name}{i}.y4m", 3 * i + seed)
        rows += [f"r{i}.y4m,a{i}.y4m", f"r{i}.y4m,b{i}.y4m"]
    (folder / "m.csv").write_text("\n".join(rows) + "\n")


@dataclasses.dataclass
class Operations:
    """Of one process: before it begins its work, while it reads videos, and afterwards."""
    before: int = 0
    videos: int = 0
    after: int = 0

    def __str__(self):
        return f"{self.before} before the work, {self.videos} while videos are read, {self.after} after it"


def split(lines):
    """`lines`: of a process that does one task."""
    videos = [i for i, line in enumerate(lines) if re.search(r" (openat|read|pread64|close)\((\d+<|[^\"]*\")[^>\"]*\.y4m[>\"]", line)]
    return Operations(videos[0], videos[-1] - videos[0] + 1, len(lines) - videos[-1] - 1)


def traced(folder, *command, launcher=()):
    """What a program and its threads do with files of the batch, in the order of time."""
    trace = folder / "trace"
    subprocess.run([*launcher, "strace", "-f", "-y", "-ttt", "-s", "60", "-o", trace, *command], cwd=folder, check=True,
                   env=os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lines = []
    for line in trace.read_text(errors="replace").splitlines():
        call = re.match(r"\d+ +[\d.]+ (\w+)\((.*)", line)
        if not call or call[1] in LOCAL_CALLS:
            continue
        words = call[2].replace(f"AT_FDCWD<{folder}>", "")
        if "/tmp/isovmaf-" not in words and (f"{folder}/" in words or re.match(r', "run', words)):
            lines.append(line)
    trace.unlink()
    return lines


class Server:
    """Does operations in the order in which they come."""

    def __init__(self):
        self.free = 0.0

    def serve(self, time):
        self.free = max(self.free, time) + 1 / CAPACITY
        return max(time + LATENCY, self.free)


def simulate(process, merging):
    """When the last of all processes has ended, and then the results are there. Each works 20 s; the operations for
    videos are spread over its work."""
    server, events = Server(), []
    for number in range(PROCESSES):
        steps = itertools.chain((0.0,) * process.before, (WORK / process.videos,) * process.videos, (0.0,) * process.after)
        heapq.heappush(events, (0.0, number, iter(steps)))
    end = 0.0
    while events:
        time, number, steps = heapq.heappop(events)
        pause = next(steps, None)
        if pause is None:
            end = max(end, time)
            continue
        heapq.heappush(events, (max(time + pause, server.serve(time)), number, steps))
    readers = [end] * READERS
    for _ in range(merging):
        heapq.heapreplace(readers, server.serve(readers[0]))
    return end, max(readers)


def show(what, end, results):
    print(f"{PROCESSES} {what} with {WORK} s of work each: the last one ends after {end:.2f} s, the results are there after "
          f"{results:.2f} s: {results / WORK:.3f} times the work")


def is_status_of_video(line):
    return "newfstatat(" in line and ".y4m" in line


def ranks_of_a_job(folder, isovmaf, shards):
    """The operations of both ranks of a job with a task each; and how many videos the first rank looks at for the results
    of one task, of a job with many."""
    (folder / "mpi.csv").write_text("".join((folder / "m.csv").read_text().splitlines(keepends=True)[:5]))
    found = {}

    def trace(rank, manifest):
        run = f"run-{rank}-{len(os.listdir(folder))}"
        batch = [isovmaf, "batch", manifest, "--run", run, "--backend", "cpu", "-q"]
        plain = ["-n", "1", *batch]
        launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", *([*plain, ":"] if rank else []), "-n", "1"]
        return traced(folder, *batch, *([] if rank else [":", *plain]), launcher=launcher)

    for rank in (0, 1):
        while sum("begun" in line and "write(" in line for line in found.get(rank, [])) != 1: # it got one of the two tasks
            found[rank] = trace(rank, "mpi.csv")
    many = trace(0, "m.csv")
    worked = [i for i, line in enumerate(many) if "fdatasync(" in line][-1]
    looks = sum(map(is_status_of_video, many[worked:])) / shards
    worked = [i for i, line in enumerate(found[0]) if "fdatasync(" in line][-1]
    return split(found[0][:worked + 1]), split(found[1]), looks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isovmaf", type=pathlib.Path)
    parser.add_argument("--scratch", default="/dev/shm")
    parser.add_argument("--shards", type=int, default=100)
    arguments = parser.parse_args()
    isovmaf = arguments.isovmaf.resolve()
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as name:
        folder = pathlib.Path(name)
        make_batch(folder, arguments.shards)
        run = lambda *options: subprocess.run([isovmaf, "batch", *options], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        run("prepare", "m.csv", "--run", "run", "--shards", str(arguments.shards))
        shard = lambda i: ["--run", "run", "--shard", f"{i}/{arguments.shards}", "--backend", "cpu", "-q"]
        process = split(traced(folder, isovmaf, "batch", *shard(0)))
        print(f"a shard: {process}")
        for i in range(1, arguments.shards):
            run(*shard(i))
        merging = len(traced(folder, isovmaf, "batch", "merge", "run")) / arguments.shards
        print(f"merging: {merging:.1f} for each shard")
        end, results = simulate(process, round(merging * PROCESSES))
        show("shards", end, results)
        first, other, looks = ranks_of_a_job(folder, isovmaf, arguments.shards)
        print(f"the first rank of an MPI job of two: {first}; the other rank: {other}")
        print(f"results of such a job: as many as merging, and {looks:.1f} looks at videos for each rank")
        show("ranks", *simulate(other, round((merging + looks) * PROCESSES)))


if __name__ == "__main__":
    main()
