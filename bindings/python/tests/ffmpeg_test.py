#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""A machine without FFmpeg: arrays score all the same, and files are an error that says what to install. FFmpeg is hidden
behind empty files with the names of its libraries. Arguments: the folder above the built package, then those of
unittest."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401: the package needs it
except ImportError:
    print('NumPy is missing (python3-numpy)')
    sys.exit(77)

package = pathlib.Path(sys.argv.pop(1)) / 'isovmaf'
ARRAYS = '''
import numpy as np
import isovmaf
with isovmaf.Session(64, 48, "400", backend="cpu") as session:
    session.push(np.zeros((48, 64), np.uint8), np.ones((48, 64), np.uint8))
    print(len(session.finish().frames))
'''
FILES = 'import isovmaf; isovmaf.score("a.mkv", "b.mkv")'


def needed(module):
    """The libraries that an extension module is linked to."""
    file, = package.glob(f'{module}.*.so')
    listed = subprocess.run(['readelf', '-d', file], check=True, text=True, stdout=subprocess.PIPE).stdout
    return re.findall(r'NEEDED.*\[(.*)\]', listed)


def is_of_ffmpeg(library):
    return library.startswith(('libav', 'libsw'))


class WithoutFfmpeg(unittest.TestCase):
    def run_python(self, program):
        with tempfile.TemporaryDirectory() as folder:
            for library in filter(is_of_ffmpeg, needed('_files')):
                pathlib.Path(folder, library).touch()
            searched = os.pathsep.join(filter(None, (folder, os.environ.get('LD_LIBRARY_PATH'))))
            return subprocess.run([sys.executable, '-c', program], text=True, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env={**os.environ, 'LD_LIBRARY_PATH': searched})

    def test_arrays_score(self):
        self.assertEqual([name for name in needed('_isovmaf') if is_of_ffmpeg(name)], [])
        scored = self.run_python(ARRAYS)
        self.assertEqual((scored.returncode, scored.stdout), (0, '1\n'), scored.stderr)

    def test_files_are_an_error_that_says_what_to_install(self):
        failed = self.run_python(FILES)
        self.assertEqual(failed.returncode, 1)
        self.assertRegex(failed.stderr.splitlines()[-1],
                         r'^ImportError: .*libav.*file too short; install libavformat, .*apt install ffmpeg')


if __name__ == '__main__':
    unittest.main()
