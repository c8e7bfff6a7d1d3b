#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Writes SHA256SUMS and the text of a release page, release.md, beside the packages of a folder.

    release_page.py FOLDER VERSION CHANGELOG
"""

import hashlib
import pathlib
import re
import sys

OWN = ("SHA256SUMS", "release.md")


def changes(changelog, version):
    """The changelog's section of a version, without its title."""
    sections = re.split(r"^## ", changelog.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = [section.partition("\n")[2].strip() for section in sections if re.match(re.escape(version) + r"\b", section)]
    if len(found) != 1:
        sys.exit(f"release_page.py: {changelog} has {len(found)} sections of {version}: it should have one")
    return found[0]


def main(folder, version, changelog):
    files = sorted(file for file in folder.iterdir() if file.is_file() and file.name not in OWN)
    digests = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    (folder / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in digests.items()), encoding="utf-8")
    table = "".join(f"| `{file.name}` | {file.stat().st_size / 1e6:.1f} MB | `{digests[file.name]}` |\n" for file in files)
    (folder / "release.md").write_text(
        f"# isovmaf {version}\n\n| file | size | SHA-256 |\n|---|---|---|\n{table}\n"
        "`sha256sum --check SHA256SUMS` compares the files with these digests. What is inside an archive, and under which\n"
        "licences, says `share/doc/isovmaf/sbom.spdx.json` in it.\n\n" + changes(changelog, version) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]))
