# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The FFmpeg that PyPI's wheel of av carries, with its own libvmaf or with another library in place of it."""

import functools
import os
import pathlib
import shutil
import subprocess
import sys

RELEASE = "19.0.2"  # its libavfilter loads libvmaf 3.2.0
PIP_OPTIONS = ("--ignore-requires-python", "--python-version=3.12", "--implementation=cp", "--abi=abi3",
               "--platform=manylinux_2_28_x86_64")
VARIABLE = "ISOVMAF_STOCK_FFMPEG"


def wheel():
    """The folder that the wheel is unpacked in, or None."""
    folder = pathlib.Path(os.environ.get(VARIABLE) or "/nonexistent")
    return folder if list(folder.glob("av.libs/libvmaf-*.so.3.2.0")) else None


@functools.cache
def python():
    """A Python that the wheel is for, or None."""
    names = [f"python3.{minor}" for minor in range(12, 16)]
    found = [sys.executable, *filter(None, map(shutil.which, names))]
    found += sorted(map(str, pathlib.Path.home().glob(".pyenv/versions/3.1[2-9]*/bin/python3")))
    for program in found:
        check = [program, "-c", "import sys; sys.exit(sys.version_info < (3, 12))"]
        if subprocess.run(check, stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return program
    return None


def why_not():
    if not wheel():
        return f"{VARIABLE} names no folder with the wheel of av {RELEASE} (pip install --target does it, given a network)"
    if not python():
        return "there is no Python >= 3.12, which the wheel of av needs"
    return None


def libvmaf_of(folder):
    return next(pathlib.Path(folder).glob("av.libs/libvmaf-*.so.3.2.0"))


def with_library(library, folder):
    """Makes `folder` a copy of the wheel in which `library` lies under the name of the wheel's libvmaf."""
    for part in ("av", "av.libs"):
        shutil.copytree(wheel() / part, folder / part, copy_function=os.symlink)
    name = libvmaf_of(folder)
    name.unlink()
    shutil.copyfile(library, name)
    return folder
