#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks that the CUDA plugin is compiled from nothing of AMD's: no header of ROCm, no file of the HIP plugin. Ninja
keeps a record of the files that each compiler read.

    inputs_test.py NINJA BUILD_ROOT SOURCE_ROOT FOLDER...

A FOLDER is one of the build directory whose compiled files end up in the plugin.
"""

import os
import pathlib
import re
import subprocess
import sys

# Folders in which AMD's packages have their headers: /usr/include/hip, /opt/rocm-6.2.0/include/hsa, ...
AMD_FOLDER = re.compile(r"hip|hsa|hsakmt|rocm.*|amd.*", re.IGNORECASE)
RECORD = re.compile(r"(\S.*): #deps \d+, .*\((\w+)\)")

ninja, build_root, source_root = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
folders = sys.argv[4:]


def files_read() -> dict[str, list[str]]:
    """For each compiled file that is up to date, the files that its compiler read."""
    shown = subprocess.run([ninja, "-C", build_root, "-t", "deps"], check=True, text=True, stdout=subprocess.PIPE)
    records: dict[str, list[str]] = {}
    read: list[str] = []
    for line in shown.stdout.splitlines():
        if record := RECORD.fullmatch(line):
            read = []
            if record[2] == "VALID":
                records[record[1]] = read
        elif line.startswith(" "):
            read.append(line.strip())
    return records


def is_amds(path: str) -> bool:
    """Inside the project, a file of the HIP plugin; elsewhere, a file in a folder of AMD's."""
    file = pathlib.Path(os.path.normpath(build_root / path))
    for root in (build_root, source_root):
        if file.is_relative_to(root):
            return file.is_relative_to(root / "backends" / "hip")
    return any(AMD_FOLDER.fullmatch(folder) for folder in file.parent.parts)


def main() -> int:
    records = {output: read for output, read in files_read().items() if output.startswith(tuple(folders))}
    problems = [f"ninja has no record of what is compiled in {folder}: build the plugin first"
                for folder in folders if not any(output.startswith(folder) for output in records)]
    problems += [f"{output} is compiled from {path}, which is AMD's"
                 for output, read in records.items() for path in read if is_amds(path)]
    count = len(set().union(*records.values()))
    print("\n".join(problems) or f"{len(records)} compiled files, {count} files read, none of them AMD's")
    return 1 if problems else 0


sys.exit(main())
