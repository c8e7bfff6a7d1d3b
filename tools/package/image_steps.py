#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The steps of contrib/container: as the Containerfile and the Apptainer definition have them, and in a minimal root.

    image_steps.py PACKAGES ROOT      follows the Containerfile in ROOT, a fresh root of debootstrap, with the packages of
                                      the folder PACKAGES; then starts the program as the image would, and shows in which
                                      order ROCm is looked for. As root"""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

CONTAINER = pathlib.Path(__file__).resolve().parents[2] / "contrib" / "container"
# What a container has mounted. What is mounted here is gone with the process.
IN_ROOT = ('for tree in proc sys dev; do mount --rbind /$tree "$0/$tree" || exit; done; '
           'exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"')


def steps_of_containerfile():
    """Pairs of an instruction and its text."""
    text = (CONTAINER / "Containerfile").read_text()
    return re.findall(r"^([A-Z]+) (.*)$", text, re.MULTILINE)


def steps_of_definition():
    """The same instructions, read from the sections of the Apptainer definition."""
    text = re.sub(r"^#.*\n", "", (CONTAINER / "isovmaf.def").read_text(), flags=re.MULTILINE)
    head, *sections = re.split(r"^%(\w+)\n", text, flags=re.MULTILINE)
    parts = {name: [line.strip() for line in body.strip().splitlines()] for name, body in zip(sections[::2], sections[1::2])}
    steps = [("FROM", re.search(r"^From: (.*)$", head, re.MULTILINE)[1])]
    steps += [("COPY", line) for line in parts["files"]] + [("RUN", line) for line in parts["post"]]
    program = re.fullmatch(r'exec (\S+) "\$@"', parts["runscript"][0])[1]
    return steps + [("ENTRYPOINT", json.dumps([program]))]


def run(root, *command, **options):
    return subprocess.run(["unshare", "--mount", "sh", "-c", IN_ROOT, root, *command], check=True, text=True, **options)


def follow(packages, root):
    """Returns the command that the image starts with."""
    for instruction, text in steps_of_containerfile():
        print(f"== {instruction} {text}", flush=True)
        if instruction == "COPY":
            pattern, target = text.split()
            folder = root / target.strip("/")
            folder.mkdir(parents=True, exist_ok=True)
            for file in glob.glob(os.path.join(packages, pattern)):
                shutil.copy(file, folder)
        elif instruction == "RUN":
            run(root, "sh", "-c", text)
        elif instruction == "ENTRYPOINT":
            entry = json.loads(text)
    return entry


def main(packages, root):
    entry = follow(packages, root)
    run(root, *entry, "--version")
    found = run(root, "env", "ROCM_PATH=/of-the-host", "sh", "-c", f"{entry[0]} backends || true", stdout=subprocess.PIPE).stdout
    print(found)
    places = [found.index(text) for text in ("/of-the-host/lib (ROCM_PATH)", "libamdhip64.so.7", "/opt/rocm/lib")]
    assert places == sorted(places), "docs/hpc.md has another order of places"
    print("== ROCm is looked for in ROCM_PATH, then by the linker, then in /opt/rocm")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
