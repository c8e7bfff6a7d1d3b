# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Finds the files of the sources."""

import os

SKIPPED_FOLDERS = ('build', '.', '__pycache__', 'corpus')  # what a folder that is not part of the sources begins with


def source_files(root, suffixes):
    """Paths, relative to the root, of its files with one of the suffixes."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(SKIPPED_FOLDERS))
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.relpath(os.path.join(folder, name), root)
