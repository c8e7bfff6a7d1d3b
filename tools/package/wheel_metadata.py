#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Says in a wheel under which licences its files are: those of licences.tsv, and the texts that lie in it.

    wheel_metadata.py FOLDER

FOLDER is the unpacked wheel, with the texts in its licenses/bundled.
"""

import pathlib
import re
import sys

import package_files


def expression(stated, files):
    """SPDX: what the project states of its own wheel, and the licences of all files of this one."""
    parts = set(stated.split(" AND "))
    for file in files:
        found = package_files.licence_of(file)
        if found:
            parts |= set(found[0].split(" AND "))
    return " AND ".join(sorted(part for part in parts if not part.startswith("LicenseRef-")))


def changed(metadata, files, texts):
    """The text with the whole expression and the added texts, in the header that ends at the first empty line."""
    header, gap, body = metadata.partition("\n\n")
    stated = re.search(r"^License-Expression: (.*)$", header, re.MULTILINE)
    if not stated:
        sys.exit("wheel_metadata.py: the wheel states no License-Expression")
    header = header.replace(stated[0], f"License-Expression: {expression(stated[1], files)}")
    return header + "".join(f"\nLicense-File: {text}" for text in texts) + gap + body


def main(folder):
    info, = folder.glob("isovmaf-*.dist-info")
    files = [str(file.relative_to(folder)) for file in package_files.files_of(folder)]
    texts = [f"bundled/{file.name}" for file in sorted((info / "licenses/bundled").iterdir())]
    metadata = info / "METADATA"
    metadata.write_text(changed(metadata.read_text(encoding="utf-8"), files, texts), encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
