# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Counts of the kernels that a frame takes, from machine code that is executed on the CPU (docs/testing.md)."""

import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile

CLIPS = pathlib.Path(__file__).resolve().parents[4] / "testdata" / "clips"

# What the code object says of a kernel. All other entries of a kernel are sums over its launches.
OF_CODE = ("vector_registers", "spilled_registers", "lds_bytes", "group_threads", "lanes")



def bundled(clip):
    """Both videos of a bundled clip."""
    return tuple(CLIPS / f"{clip}_{side}.mkv" for side in ("ref", "dis"))


@dataclasses.dataclass(frozen=True)
class Case:
    """What is scored: frame 1 of two videos, or the part `crop` of their pictures."""
    videos: tuple
    width: int
    height: int
    options: tuple
    crop: str = ""

    @property
    def pixels(self):
        return self.width * self.height

    def arguments(self):
        """Of `isovmaf score`."""
        return [*self.videos, *self.options, *(["--crop", self.crop] if self.crop else [])]


@dataclasses.dataclass(frozen=True)
class Build:
    """A build directory, and the folder of the plugin that is used with it."""
    folder: pathlib.Path
    plugins: pathlib.Path

    @classmethod
    def of(cls, folder):
        return cls(pathlib.Path(folder), pathlib.Path(folder) / "backends" / "hip")

    @property
    def program(self):
        return self.folder / "tools" / "isovmaf" / "isovmaf"

    @property
    def runtime(self):
        return self.folder / "backends" / "hip" / "testing" / "executing"


def run(build, gpu, arguments, frames):
    """The counters of a process that scores the first `frames` frames: a dictionary of kernels by name."""
    with tempfile.TemporaryDirectory() as folder:
        counters = os.path.join(folder, "counters.json")
        environment = {**os.environ, "LD_LIBRARY_PATH": str(build.runtime), "FAKE_HIP_ARCH": gpu,
                       "FAKE_HIP_COUNTERS": counters}
        command = [build.program, "score", *arguments, "--frame_cnt", str(frames), "--backend", "hip", "--backend-dir",
                   build.plugins, "--threads", "1", "-q"]
        done = subprocess.run([str(word) for word in command], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(done.args)} ended with {done.returncode}: {done.stderr.strip()}")
        return {kernel.pop("name"): kernel for kernel in json.loads(pathlib.Path(counters).read_text(encoding="utf-8"))}


def subtracted(kernel, less):
    """The counts of `kernel` without those of `less`."""
    result = {}
    for name, value in kernel.items():
        if name in OF_CODE:
            result[name] = value
        elif isinstance(value, dict):
            result[name] = {part: count - less.get(name, {}).get(part, 0) for part, count in value.items()}
        else:
            result[name] = value - less.get(name, 0)
    return result


def counts_of_frame(build, gpu, case):
    """The counts of the second frame, by kernel. The first frame, which has none before it, and the self-test of the
    device are in both runs."""
    one, two = (run(build, gpu, case.arguments(), frames) for frames in (1, 2))
    kernels = {name: subtracted(kernel, one.get(name, {})) for name, kernel in two.items()}
    return {name: kernel for name, kernel in sorted(kernels.items()) if kernel["launches"]}
