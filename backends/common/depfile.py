# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What scripts of the build tell ninja about the files that they read."""

import pathlib


def write_depfile(depfile, output, files):
    """`output` was made of `files`, whose paths may have spaces. Without the backslash ninja looks for other files, and
    makes the output again each time."""
    names = " ".join(str(file).replace(" ", "\\ ") for file in files)
    pathlib.Path(depfile).write_text(f"{output}: {names}\n", encoding="utf-8")
