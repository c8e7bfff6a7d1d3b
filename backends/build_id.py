#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Writes a plugin's build id as a C++ source: a digest of its sources and of all they include from this project.

    build_id.py OUTPUT.cpp DEPFILE INCLUDE_DIR... -- SOURCE...
"""

import hashlib
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "common"))
from depfile import write_depfile  # noqa: E402

INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def with_includes(sources: list[pathlib.Path], folders: list[pathlib.Path]) -> dict[pathlib.Path, bytes]:
    """The sources and what they include, each once, with their content."""
    found: dict[pathlib.Path, bytes] = {}
    waiting = list(sources)
    while waiting:
        path = waiting.pop().resolve()
        if path in found:
            continue
        found[path] = path.read_bytes()
        for name in INCLUDE.findall(found[path]):
            candidates = [folder / name.decode() for folder in (path.parent, *folders)]
            waiting += [candidate for candidate in candidates if candidate.is_file()][:1]
    return found


def main(output: str, depfile: str, *arguments: str) -> None:
    split = arguments.index("--")
    texts = with_includes(list(map(pathlib.Path, arguments[split + 1 :])), list(map(pathlib.Path, arguments[:split])))
    digest = hashlib.sha256()
    for text in sorted(hashlib.sha256(text).digest() for text in texts.values()):
        digest.update(text)
    pathlib.Path(output).write_text(
        f'extern const char isovmaf_build_id[];\nconst char isovmaf_build_id[] = "{digest.hexdigest()[:16]}";\n',
        encoding="ascii",
    )
    write_depfile(depfile, output, sorted(texts))


main(*sys.argv[1:])
