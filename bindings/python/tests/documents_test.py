#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs every Python block of README.md and docs/python.md in a folder with two clips; device_test.py runs the block that needs
a GPU.
Arguments: the source folder, the folder of the clips, then those of unittest."""
import os
import pathlib
import re
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401: the blocks use it
except ImportError:
    print('NumPy is missing (python3-numpy)')
    sys.exit(77)

source, clips = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
del sys.argv[1:3]


def blocks(path):
    """The Python blocks of a Markdown file with the lines where they begin."""
    text = path.read_text(encoding='utf-8')
    for block in re.finditer(r'^```python\n(.*?)^```$', text, re.MULTILINE | re.DOTALL):
        yield text.count('\n', 0, block.start(1)), block.group(1)


class Documents(unittest.TestCase):
    def test_blocks_of_the_page_run(self):
        names, ran = {}, 0
        with tempfile.TemporaryDirectory() as folder:
            for side in ('ref', 'dis'):
                os.symlink(clips / f'landscape_640x360_8b_{side}.mkv', pathlib.Path(folder) / f'{side}.mkv')
            os.chdir(folder)
            for page in (source / 'README.md', source / 'docs' / 'python.md'):
                for line, block in blocks(page):
                    if 'backend="cuda"' in block:
                        continue
                    with self.subTest(page=page.name, line=line):
                        exec(compile('\n' * line + block, page, 'exec'), names)
                        ran += 1
            os.chdir('/')
        self.assertGreater(ran, 4)
        self.assertEqual(len(names['result'].frames), 5)


if __name__ == '__main__':
    unittest.main()
