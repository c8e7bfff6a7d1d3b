# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What the tables of this folder say of the files of a package.

    package_files.py ARCH    prints each source that is inside on that architecture, with the text of its licence
"""

import fnmatch
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def rows(table):
    """The rows of a table, without the comments."""
    lines = (FOLDER / table).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def sources():
    """{name: (kind, package, version, sha256, licence, inside, text)} of sources.tsv."""
    return {name: tuple(cells) for name, *cells in rows("sources.tsv")}


def sources_inside(arch):
    """{name: form} of those of sources() that are inside a portable folder for that architecture."""
    forms = {name: cells[5].partition(":") for name, cells in sources().items()}
    return {name: form for name, (form, _, only) in forms.items() if form not in ("no", "wheel") and only in ("", arch)}


def licence_of(path, table=None):
    """(SPDX expression, names of sources) of a file of a package; None for a file that no row names."""
    for pattern, licence, names in table or rows("licences.tsv"):
        if fnmatch.fnmatchcase(path, pattern):
            of_sources = [sources()[name][4] for name in names.split()]
            return " AND ".join(sorted({licence, *of_sources})), names.split()
    return None


def files_of(folder):
    """The files of a folder, links too, by their paths from there."""
    return sorted(file for file in folder.rglob("*") if file.is_symlink() or file.is_file())


if __name__ == "__main__":
    for source in sources_inside(sys.argv[1]):
        print(source, sources()[source][6])
