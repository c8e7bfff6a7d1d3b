#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Device memory does not grow with the video, and a killed run leaves nothing behind on the device.

    device_memory_test.py ISOVMAF PLUGIN [--frames FEW MANY]

The second part needs nvidia-smi, and is skipped without it.
"""

import argparse
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

WIDTH, HEIGHT = 640, 360
MOST_WAITING = 32  # pictures that are read and not yet scored: how many depends on the speed of the machine


def write_clip(path, frames):
    """Writes grey frames; the content does not matter here."""
    frame = b"FRAME\n" + bytes([128]) * (WIDTH * HEIGHT * 3 // 2)
    with open(path, "wb") as clip:
        clip.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 C420jpeg\n".encode())
        for _ in range(frames):
            clip.write(frame)


def command(arguments, clip, *options):
    name = arguments.plugin.name.removeprefix("libvmaf_").removesuffix(".so")
    return [arguments.isovmaf, "score", "-r", clip, "-d", clip, "--backend", name, "--backend-dir",
            arguments.plugin.parent, *options]


def memory_after(arguments, folder, frames):
    clip = folder / f"{frames}.y4m"
    write_clip(clip, frames)
    result = subprocess.run(command(arguments, clip, "--quiet", "--json", "-o", "-"), check=True, capture_output=True)
    clip.unlink()
    return json.loads(result.stdout)["isovmaf"]["execution"]["memory_bytes"]


def device_memory_used():
    """In MiB, by all processes."""
    result = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"], check=True,
                            capture_output=True, text=True)
    return int(result.stdout.split()[0])


def killed_run_leaves(arguments, folder):
    clip, report = folder / "long.y4m", folder / "report.json"
    write_clip(clip, 2000)
    before = device_memory_used()
    run = subprocess.Popen(command(arguments, clip, "--progress=frames", "--json", "-o", report), stderr=subprocess.PIPE,
                           stdout=subprocess.DEVNULL)
    run.stderr.readline()  # returns when the first frame is scored
    during = device_memory_used()
    run.send_signal(signal.SIGKILL)
    run.wait()
    print(f"device memory used: {before} MiB before, {during} MiB during a run that was killed")
    while device_memory_used() > before:  # the driver cleans up after the process
        time.sleep(0.1)
    return during > before and not report.exists()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isovmaf")
    parser.add_argument("plugin", type=pathlib.Path)
    parser.add_argument("--frames", type=int, nargs=2, default=(20, 200))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        few, many = (memory_after(arguments, folder, frames) for frames in arguments.frames)
        print(f"device memory of {arguments.frames[0]} frames: {few}\nof {arguments.frames[1]} frames: {many}")
        waiting = few.pop("pinned") + MOST_WAITING * WIDTH * HEIGHT - many.pop("pinned")
        if few != many or waiting < 0:
            sys.exit("memory grows with the number of frames")
        if shutil.which("nvidia-smi") and not killed_run_leaves(arguments, folder):
            sys.exit("a killed run left something behind")


if __name__ == "__main__":
    main()
