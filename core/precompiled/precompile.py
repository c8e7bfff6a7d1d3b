#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Compiles a header once for each set of flags that files are compiled with.

    precompile.py HEADER COPY COMPILER... -- COMMON... [-- VARIANT...]...

The compiler is told to include COPY. With one variant the compiled header is COPY.pch, where clang++ looks for it. With
more, COPY.gch/ has one for each, and g++ takes the first that fits the flags of a file; where none fits it reads COPY.
"""

import concurrent.futures
import filecmp
import itertools
import os
import pathlib
import shutil
import subprocess
import sys


def split(arguments):
    return [list(group) for dashes, group in itertools.groupby(arguments, "--".__eq__) if not dashes]


def main(header, copy, *arguments):
    compiler, common, *variants = split(arguments)
    if not os.path.exists(copy) or not filecmp.cmp(header, copy, shallow=False):
        shutil.copyfile(header, copy)  # a new one makes every file that includes it compile again
    outputs = [copy + ".pch"]
    if len(variants) > 1:
        folder = pathlib.Path(copy + ".gch")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        outputs = [folder / str(number) for number in range(len(variants))]

    def compile_variant(variant, output):
        return subprocess.run([*compiler, *common, *variant, "-x", "c++-header", copy, "-o", output],
                              check=False).returncode

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return max(pool.map(compile_variant, variants, outputs))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
