#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Times isovmaf's CPU paths beside libvmaf on the same frames.

    cpu_speed.py ISOVMAF LIBVMAF.so REF.y4m DIS.y4m [--threads N] [--rounds N] [--frames SHORT LONG] [--feature NAME]

ISOVMAF is the program, LIBVMAF.so a libvmaf 3.x, such as the one in the PyPI package `av`. Both score the model
vmaf_v0.6.1, or one feature; cpu_speed_table.py has tables of many models and features. Each is run with SHORT and with
LONG frames; the difference leaves out start-up. libvmaf gets copies of frames in memory, isovmaf reads the files,
which should lie in a tmpfs. Levels take turns; the medians of all rounds are printed. The process runs on as many
processors as there are threads.
"""

import argparse
import ctypes
import dataclasses
import os
import statistics
import subprocess
import sys
import time

# libvmaf's bits for instruction sets that it must not use
LIBVMAF_LEVELS = {"C": -1 & 0xFFFFFFFF, "avx2": 16 | 32, "avx512": 0}
ISOVMAF_LEVELS = ("avx2", "avx512")
YUV420P = 1


class Picture(ctypes.Structure):
    _fields_ = [("pix_fmt", ctypes.c_int), ("bpc", ctypes.c_uint), ("w", ctypes.c_uint * 3), ("h", ctypes.c_uint * 3),
                ("stride", ctypes.c_ssize_t * 3), ("data", ctypes.c_void_p * 3), ("ref", ctypes.c_void_p),
                ("priv", ctypes.c_void_p)]


class Configuration(ctypes.Structure):
    _fields_ = [("log_level", ctypes.c_int), ("n_threads", ctypes.c_uint), ("n_subsample", ctypes.c_uint),
                ("cpumask", ctypes.c_uint64), ("gpumask", ctypes.c_uint64)]


class ModelConfig(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("flags", ctypes.c_uint64)]


@dataclasses.dataclass
class Task:
    """What is timed: models in one pass, or a feature with options."""
    name: str
    models: tuple = ()
    feature: str = ""
    options: dict = dataclasses.field(default_factory=dict)

    def arguments(self):
        """Of `isovmaf score`."""
        if self.models:
            return [word for i, model in enumerate(self.models) for word in ("-m", f"version={model}:name=m{i}")]
        options = "".join(f":{name}={value}" for name, value in self.options.items())
        return ["--no_prediction", "--feature", self.feature + options]


V061 = Task("vmaf_v0.6.1", models=("vmaf_v0.6.1",))


class Clip:
    """The first frames of a Y4M file of 4:2:0."""

    def __init__(self, path, most):
        with open(path, "rb") as file:
            header = file.readline().split()
            words = {word[:1]: word[1:].decode() for word in header[1:]}
            self.width, self.height = int(words[b"W"]), int(words[b"H"])
            self.bits = 10 if "p10" in words.get(b"C", "") else 8
            sample = 2 if self.bits > 8 else 1
            luma = self.width * self.height * sample
            chroma = ((self.width + 1) // 2) * ((self.height + 1) // 2) * sample
            self.sizes = (luma, chroma, chroma)
            self.frames = []
            while len(self.frames) < most and file.readline():
                self.frames.append([file.read(size) for size in self.sizes])


class Libvmaf:
    def __init__(self, path, clips):
        self.library = ctypes.CDLL(path)
        self.clips = clips
        self.library.vmaf_init.argtypes = [ctypes.c_void_p, Configuration]

    def call(self, name, *arguments):
        error = getattr(self.library, name)(*arguments)
        if error:
            raise RuntimeError(f"{name}: error {error}")

    def fill(self, picture, frame, clip):
        self.call("vmaf_picture_alloc", ctypes.byref(picture), YUV420P, clip.bits, clip.width, clip.height)
        for p, samples in enumerate(frame):
            row = len(samples) // picture.h[p]
            if picture.stride[p] == row:
                ctypes.memmove(picture.data[p], samples, len(samples))
            else:
                for y in range(picture.h[p]):
                    ctypes.memmove(picture.data[p] + y * picture.stride[p], samples[y * row:(y + 1) * row], row)

    def use(self, context, task):
        for i, version in enumerate(task.models):
            model, config = ctypes.c_void_p(), ModelConfig(f"m{i}".encode(), 0)
            self.call("vmaf_model_load", ctypes.byref(model), ctypes.byref(config), version.encode())
            self.call("vmaf_use_features_from_model", context, model)
        if task.feature:
            options = ctypes.c_void_p()
            for name, value in task.options.items():
                self.call("vmaf_feature_dictionary_set", ctypes.byref(options), name.encode(), value.encode())
            self.call("vmaf_use_feature", context, task.feature.encode(), options)

    def seconds(self, task, frames, threads, mask):
        context = ctypes.c_void_p()
        self.call("vmaf_init", ctypes.byref(context), Configuration(0, threads if threads > 1 else 0, 1, mask, 0))
        self.use(context, task)
        start = time.perf_counter()
        for n in range(frames):
            pair = [Picture(), Picture()]
            for picture, clip in zip(pair, self.clips):
                self.fill(picture, clip.frames[n % len(clip.frames)], clip)
            self.call("vmaf_read_pictures", context, ctypes.byref(pair[0]), ctypes.byref(pair[1]), n)
        self.call("vmaf_read_pictures", context, None, None, 0)
        elapsed = time.perf_counter() - start
        self.library.vmaf_close(context)
        return elapsed


def isovmaf_seconds(program, videos, task, frames, threads, level):
    reference, distorted = videos
    start = time.perf_counter()
    subprocess.run([program, "score", "-r", reference, "-d", distorted, "-q", "--cpu", level, "--threads", str(threads),
                    "--frame_cnt", str(frames), *task.arguments()],
                   check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("isovmaf", "libvmaf", "reference", "distorted"):
        parser.add_argument(name)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--frames", type=int, nargs=2, default=(8, 40), metavar=("SHORT", "LONG"))
    parser.add_argument("--feature", help="a feature in place of the model")
    parser.add_argument("--skip-c", action="store_true", help="leave out libvmaf's plain C")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:arguments.threads])
    videos = (arguments.reference, arguments.distorted)
    clips = [Clip(path, 16) for path in videos]
    libvmaf = Libvmaf(arguments.libvmaf, clips)
    task = Task(arguments.feature, feature=arguments.feature) if arguments.feature else V061

    runs = {}
    for level, mask in LIBVMAF_LEVELS.items():
        if level != "C" or not arguments.skip_c:
            runs["libvmaf " + level] = lambda n, mask=mask: libvmaf.seconds(task, n, arguments.threads, mask)
    for level in ISOVMAF_LEVELS:
        runs["isovmaf " + level] = lambda n, level=level: isovmaf_seconds(
            arguments.isovmaf, videos, task, n, arguments.threads, level)
    short, long = arguments.frames
    found = {name: [] for name in runs}
    for _ in range(arguments.rounds):
        for name, run in runs.items():
            first = run(short)
            found[name].append((run(long) - first) / (long - short))
    print(f"{clips[0].width}x{clips[0].height}, {clips[0].bits} bit, {task.name}, "
          f"{arguments.threads} thread(s), {arguments.rounds} rounds")
    medians = {name: statistics.median(times) for name, times in found.items()}
    for name, times in found.items():
        print(f"{name:16} {medians[name] * 1e3:8.2f} ms a frame ({min(times) * 1e3:.2f} to {max(times) * 1e3:.2f}), "
              f"{1 / medians[name]:7.1f} frames/s")
    for level in ISOVMAF_LEVELS:
        print(f"ratio at {level}: {medians['libvmaf ' + level] / medians['isovmaf ' + level]:.2f}")


if __name__ == "__main__":
    sys.exit(main())
