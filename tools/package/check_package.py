#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Checks a folder that is to be handed on, and says all that forbids it.

    check_package.py [--no-path PATH]... [--texts FOLDER] [--arch ARCH] FOLDER

Each file has a row in licences.tsv, and no licence is the GPL. FFmpeg's libraries say of themselves that they are under the
LGPL. Programs and libraries need no newer C library than FLOOR, nothing beside it that is not in the folder, and search
only folders beside their own. No file names a PATH of the machine that built it. The texts of licences of what is inside
on the architecture ARCH lie in a FOLDER of it. Exit code 1: something is wrong.
"""

import argparse
import pathlib
import platform
import re
import subprocess
import sys

import package_files

TEXTS = "share/doc/isovmaf/licences"
FLOOR = (2, 28)  # of the C library: toolchain.sh compiles for it
SYSTEM = re.compile(r"(ld-linux-[\w-]+|libc|libm|libdl|libpthread|librt)\.so\.\d+")  # what every system has
NEEDED = re.compile(r"\(NEEDED\).*\[(.+)\]")
SEARCHED = re.compile(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]")
VERSION = re.compile(r"Name: (GLIBC|GLIBCXX|CXXABI|GCC)_(\S+)")
GPL = re.compile(r"(?<![\w])A?GPL")
FFMPEG_SAYS = re.compile(rb"(lib\w+) license: ([ \w.]+)")
FORBIDDEN = re.compile(rb"--enable-(gpl|nonfree|version3|libx264|libx265|openssl)")


def read_elf(path):
    return subprocess.run(["readelf", "--wide", "-d", "-V", path], check=True, text=True, stdout=subprocess.PIPE).stdout


def elf_faults(text, there):
    """What keeps a program or library from running elsewhere, by what readelf says of it and the names of libraries that are
    there."""
    for library in NEEDED.findall(text):
        if not SYSTEM.fullmatch(library) and library not in there:
            yield f"needs {library}, which not every system has"
    for library, version in sorted(set(VERSION.findall(text))):
        if library != "GLIBC" or tuple(map(int, version.split("."))) > FLOOR:
            yield f"needs {library}_{version}; the floor is GLIBC_{FLOOR[0]}.{FLOOR[1]}"
    for place in SEARCHED.findall(text):
        if not all(part.startswith("$ORIGIN") for part in place.split(":")):
            yield f"searches {place}, which is no folder beside its own"


def licence_faults(name, content):
    found = package_files.licence_of(name)
    if found is None:
        yield "has no row in licences.tsv: say under which licence it is"
    elif GPL.search(found[0]):
        yield f"is under {found[0]}"
    for library, licence in FFMPEG_SAYS.findall(content):
        if not licence.startswith(b"LGPL"):
            yield f"says: {library.decode()} license: {licence.decode()}"
    for option in set(FORBIDDEN.findall(content)):
        yield f"was configured with --enable-{option.decode()}"


def text_faults(folder, place, arch):
    """Sources whose code is inside and whose licence's text is not."""
    texts = {file.stem for file in (folder / place).glob("*.txt")}
    for name in package_files.sources_inside(arch):
        if ("libcxx" if name == "zig" else name) not in texts:
            yield f"{place} has no text of {name}"


def faults(folder, paths, texts=TEXTS, arch=platform.machine()):
    there = {file.name for file in package_files.files_of(folder)}
    for file in package_files.files_of(folder):
        name = str(file.relative_to(folder))
        content = b"" if file.is_symlink() else file.read_bytes()
        is_elf = content.startswith(b"\x7fELF")
        if is_elf:
            yield from (f"{name} {fault}" for fault in elf_faults(read_elf(file), there))
        yield from (f"{name} {fault}" for fault in licence_faults(name, content if is_elf else b""))  # pages name options too
        yield from (f"{name} has the path {path}" for path in paths if path.encode() in content)
    yield from text_faults(folder, texts, arch)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--no-path", action="append", default=[])
    parser.add_argument("--texts", default=TEXTS)
    parser.add_argument("--arch", default=platform.machine())
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    found = list(faults(arguments.folder, arguments.no_path, arguments.texts, arguments.arch))
    print(*found, sep="\n", end="\n" if found else "")
    files = package_files.files_of(arguments.folder)
    elfs = sum(not file.is_symlink() and file.read_bytes().startswith(b"\x7fELF") for file in files)
    print(f"checked {len(files)} files, {elfs} of them programs and libraries: {len(found)} faults")
    sys.exit(1 if found or not elfs else 0)


if __name__ == "__main__":
    main()
