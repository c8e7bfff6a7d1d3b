#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The package's types: mypy accepts the package and a program that uses it, refuses a wrong one, and the stubs of the
extension modules say what the modules have. Arguments: the folder above the built package, then those of unittest."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

for module, package in (('mypy', 'mypy'), ('numpy', 'python3-numpy')):
    if importlib.util.find_spec(module) is None:
        print(f'{module} is missing ({package})')
        sys.exit(77)

folder = sys.argv.pop(1)
CONFIGURATION = '[mypy]\nstrict = True\n[mypy-pandas.*]\nignore_missing_imports = True\n'
PROGRAM = '''
import isovmaf
import numpy as np

result = isovmaf.score("a.mkv", "b.mkv", models=["version=vmaf_v0.6.1"], features="psnr", progress=print)
mean: float = result.pooled["vmaf"].mean
worst: int = int(result.scores["vmaf"].argmin())
with isovmaf.Session(64, 64, "400", models=(), features=["psnr"]) as session:
    session.push(np.zeros((64, 64), np.uint8), np.zeros((64, 64), np.uint8))
    ready = session.next_result()
    if ready is not None:
        print(ready.frame, ready.scores)
    backend: str = session.finish().execution.backend

isovmaf.score(np.zeros((2, 64, 64), np.uint8), np.zeros((2, 64, 64), np.uint8), features="psnr")
same: bool = isovmaf.score_pairs(iter([(np.zeros((64, 64)), np.zeros((64, 64)))]), bit_depth=8) == result
text: str = result.to_json("report.json", precision="legacy")

# With `strict`, mypy refuses an ignored error that is none.
wrong: str = result.pooled["vmaf"].mean  # type: ignore[assignment]
isovmaf.Session("64", 64)  # type: ignore[arg-type]
isovmaf.score("a.mkv")  # type: ignore[call-arg]
'''


class Types(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.configuration = pathlib.Path(self.folder.name) / 'mypy.ini'
        self.configuration.write_text(CONFIGURATION)

    def run_mypy(self, module, *arguments):
        return subprocess.run([sys.executable, '-m', module, *arguments], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=self.folder.name, stdin=subprocess.DEVNULL,
                              env={**os.environ, 'MYPYPATH': folder, 'MYPY_CACHE_DIR': f'{folder}/mypy_cache'})

    def test_fit_a_program_and_refuse_what_is_wrong(self):
        path = pathlib.Path(self.folder.name) / 'program.py'
        path.write_text(PROGRAM)
        found = self.run_mypy('mypy', '--config-file', str(self.configuration), str(path))
        self.assertEqual(found.returncode, 0, found.stdout)

    def test_of_the_stubs_are_those_of_the_modules(self):
        allowed = pathlib.Path(self.folder.name) / 'allowed'
        allowed.write_text('isovmaf._isovmaf.Session\n')  # its metaclass, which pybind11 adds; not its members
        found = self.run_mypy('mypy.stubtest', 'isovmaf._isovmaf', 'isovmaf._files', '--allowlist', str(allowed),
                              '--mypy-config-file', str(self.configuration))
        self.assertEqual(found.returncode, 0, found.stdout)


if __name__ == '__main__':
    unittest.main()
