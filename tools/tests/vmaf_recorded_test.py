#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `vmaf` with command lines for which the output of libvmaf was recorded, and compares.

    vmaf_recorded_test.py VMAF RECORDING CLIPS [MODEL]

RECORDING is a JSON file of command lines, each with exit code, report, and whether the program writes to standard error. Its
files are made of CLIPS and MODEL. Exits with 77 (skipped) where RECORDING is absent: the larger one is no part of the project.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SKIPPED = 77

# Command lines on which the exit code of libvmaf's program is a defect, and our exit code.
MENDED = {
    "-r ref.y4m -d dis.y4m --threads two": 1,  # libvmaf's program aborts
    "-r ref.y4m -d dis.y4m -o absent/o": 255,  # it exits with 0, although there is no report
    "-r ref.y4m -d dis.y4m --nonsense": 1,     # it exits with 0, although the option is unknown
    # Pictures that are too small: it crashes, or exits with a part of an error's number.
    "-r small_ref.y4m -d small_dis.y4m --feature speed_chroma -n -o o": 255,
    "-r small_ref.y4m -d small_dis.y4m --feature cambi -n -o o": 255,
    "-r small_ref.y4m -d small_dis.y4m --feature float_ms_ssim -n -o o": 255,
    "-r small_ref.y4m -d small_dis.y4m -m version=vmaf_v1.0.16_3d0h -o o": 255,
}

# Command lines on which libvmaf's program complains of a matrix that has no inverse. Such a score is defined.
SILENT = {
    "-r ref.y4m -d dis.y4m -m version=vmaf_v1.0.16_5d0h --csv -o o",
    "-r ref10.y4m -d dis10.y4m -m version=vmaf_v1.0.16_hfr_3d0h -o o",
}


def write_video(path, clip, header):
    """The raw clip as it is, or as Y4M with the given header."""
    content = clip.read_bytes()
    if header is not None:
        width, height = (int(re.search(rf" {side}(\d+)", header)[1]) for side in "WH")
        size = width * height * 3 // 2 * (2 if "p10" in header else 1)
        content = header.encode() + b"".join(
            b"FRAME\n" + content[start:start + size] for start in range(0, len(content), size))
    path.write_bytes(content)


def without_version_and_fps(report):
    report = re.sub(r'(<VMAF version=|"version": )"[^"]*"', r'\1"VERSION"', report)
    return re.sub(r'(fps=")[^"]*|("fps": )[^,]*', r"\1\2FPS", report)


def describe_difference(expected, found):
    for number, (a, b) in enumerate(zip(expected.split("\n"), found.split("\n")), 1):
        if a != b:
            return f"line {number} of the report is {b!r}, recorded is {a!r}"
    return f"the report has {len(found)} bytes, recorded are {len(expected)}"


def run(program, command, folder):
    """Returns what differs from the recording: sentences. `program` is a list, to which arguments are added."""
    report_path = folder / "o"
    report_path.unlink(missing_ok=True)
    result = subprocess.run([*program, *command["args"]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                            check=False)
    line = " ".join(command["args"])
    wanted = MENDED.get(line, command["exit"])
    if result.returncode != wanted:
        yield f"exit code {result.returncode}, wanted {wanted}"
    if result.stdout:
        yield f"standard output is {result.stdout!r}"
    if bool(result.stderr) != (line not in SILENT and (command["speaks"] or line in MENDED)):
        yield f"standard error is {result.stderr.decode()!r}"
    found = without_version_and_fps(report_path.read_text() if report_path.exists() else "")
    expected = without_version_and_fps(command["report"] or "")
    if found != expected:
        yield describe_difference(expected, found)


def main(program, recording, clips, model=None, is_wanted=lambda command: True):
    if not recording.exists():
        print(f"{recording} is absent: there is nothing to compare with")
        return SKIPPED
    recorded = json.loads(recording.read_text())
    start, differing = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, source in recorded["files"].items():
            write_video(folder / file, clips / source["clip"], source["y4m_header"])
        if model:
            (folder / "model.json").write_bytes(model.read_bytes())
        commands = list(filter(is_wanted, recorded["commands"]))
        for command in commands:
            sentences = list(run(program, command, folder))
            differing += bool(sentences)
            for sentence in sentences:
                print(f"vmaf {' '.join(command['args'])}: {sentence}")
    count = len(commands)
    print(f"{count} command lines in {time.monotonic() - start:.1f} s: {count - differing} as recorded, {differing} not")
    return 0 if count and not differing else 1


if __name__ == "__main__":
    sys.exit(main([os.path.abspath(sys.argv[1])], *map(pathlib.Path, sys.argv[2:])))
