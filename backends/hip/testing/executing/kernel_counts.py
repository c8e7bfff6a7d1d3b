# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Counts of the kernels that score a frame, from machine code that is executed on the CPU (docs/testing-inside.md)."""

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
    """What is scored: two videos of a size, and options of `isovmaf score`."""
    videos: tuple
    width: int
    height: int
    options: tuple


@dataclasses.dataclass(frozen=True)
class Build:
    program: pathlib.Path  # isovmaf
    plugin: pathlib.Path  # libvmaf_hip.so
    runtime: pathlib.Path  # libamdhip64.so.7, which executes code

    @classmethod
    def of(cls, folder):
        hip = pathlib.Path(folder) / "backends" / "hip"
        return cls(pathlib.Path(folder) / "tools" / "isovmaf" / "isovmaf", hip / "libvmaf_hip.so",
                   hip / "testing" / "executing" / "libamdhip64.so.7")


def counts_of_run(build, gpu, case, frames):
    """The counts of a process that scores the first frames of a case: a dictionary of kernels by name."""
    with tempfile.TemporaryDirectory() as folder:
        counters, plugins = os.path.join(folder, "counters.json"), os.path.join(folder, "plugins")
        os.mkdir(plugins)
        os.symlink(build.plugin.resolve(), os.path.join(plugins, "libvmaf_hip.so"))
        command = [build.program, "score", *case.videos, *case.options, "--frame_cnt", frames, "--backend", "hip",
                   "--backend-dir", plugins, "--threads", 1, "-q"]
        environment = {**os.environ, "LD_LIBRARY_PATH": str(build.runtime.parent), "FAKE_HIP_ARCH": gpu,
                       "FAKE_HIP_COUNTERS": counters}
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


def counts_of_second_frame(build, gpu, case):
    """The counts of the second frame, by kernel. The first frame has none before it, so motion does nothing there."""
    one, two = (counts_of_run(build, gpu, case, frames) for frames in (1, 2))
    kernels = {name: subtracted(kernel, one.get(name, {})) for name, kernel in two.items()}
    return {name: kernel for name, kernel in sorted(kernels.items()) if kernel["launches"]}
