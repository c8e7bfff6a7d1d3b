#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Says in a wheel under which licences its files are: those of licences.tsv, and the texts that lie in it.

    wheel_metadata.py FOLDER

FOLDER is the unpacked wheel, with the texts in its licenses/bundled.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

import package_files  # noqa: E402
import wheel_licences  # noqa: E402


def expression(stated, files):
    """SPDX: what the project states of its own wheel, and the licences of all files of this one."""
    found = [stated] + [package_files.licence_of(file)[0] for file in files if package_files.licence_of(file)]
    parts = {part for licence in found for part in licence.split(" AND ")}
    return " AND ".join(sorted(part for part in parts if not part.startswith("LicenseRef-")))


def changed(metadata, files, texts):
    """The text of METADATA for a wheel with these files and texts of licences."""
    return wheel_licences.changed_metadata(metadata, lambda stated: expression(stated, files), texts)


def main(folder):
    info, = folder.glob("isovmaf-*.dist-info")
    files = [str(file.relative_to(folder)) for file in package_files.files_of(folder)]
    texts = [f"bundled/{file.name}" for file in sorted((info / "licenses/bundled").iterdir())]
    metadata = info / "METADATA"
    metadata.write_text(changed(metadata.read_text(encoding="utf-8"), files, texts), encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
