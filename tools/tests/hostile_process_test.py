#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Programs whose process has another locale, or computes in another way, give the same bytes (docs/adr/0072).

    hostile_process_test.py HOSTILE_PROCESS ISOVMAF VMAF CLIENT LIBVMAF MODELS PACKAGE [TEST]...

HOSTILE_PROCESS is the library that is loaded before a program and sets these. PACKAGE is the folder of the Python
package, or nothing.
"""
import importlib.util
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

preload, isovmaf, vmaf, client, libvmaf, models, package = sys.argv[1:8]
sys.argv[1:8] = []
if package and importlib.util.find_spec('numpy') is None:
    print('NumPy is missing (python3-numpy)')
    sys.exit(77)

WIDTH, HEIGHT, FRAMES = 128, 96, 5
# A decimal comma, a decimal point of two bytes, another lower case of I. "C": only the locale of C++ is another one.
LOCALES = ['C', 'de_DE.UTF-8', 'ps_AF.UTF-8', 'tr_TR.UTF-8']

PYTHON = '''
import locale, os, sys, numpy, isovmaf
locale.setlocale(locale.LC_ALL, os.environ.get("HOSTILE_LOCALE", "C"))  # Python starts with another one
result = isovmaf.score(sys.argv[1], sys.argv[2], models=(sys.argv[3], "version=vmaf_b_v0.6.3:name=members"),
                       features=("psnr", "adm:adm_enhn_gain_limit=1.1"), backend="cpu")
for name in result.scores:
    print(name, [value.hex() for value in result.scores[name].tolist()], result.pooled[name].mean.hex(),
          result.pooled[name].percentile_5.hex())
print(result.to_json(precision="legacy"), result.to_csv(precision="max"))
with isovmaf.Session(64, 64, models=(sys.argv[3],), backend="cpu") as session:
    for n in range(3):
        planes = [bytearray((n * 7 + i * i) % 200 for i in range(size * size)) for size in (64, 32, 32)]
        arrays = tuple(numpy.frombuffer(plane, numpy.uint8).reshape(size, size)
                       for plane, size in zip(planes, (64, 32, 32)))
        session.push(arrays, tuple(array // 2 for array in arrays))
    result = session.finish()
    print([session.next_result() for n in range(3)], result.to_json())
'''


def write_clip(path, seed):
    pictures = random.Random(seed)
    noise = pictures.randbytes(WIDTH)
    with open(path, 'wb') as file:
        file.write(b'YUV4MPEG2 W%d H%d F25:1 C420jpeg\n' % (WIDTH, HEIGHT))
        for n in range(FRAMES):
            file.write(b'FRAME\n' + bytes((x * 3 + y * 2 + n * 5 + noise[x] // (8 * seed)) % 256
                                          for y in range(HEIGHT) for x in range(WIDTH)) + bytes(WIDTH * HEIGHT // 2))


class HostileProcess(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name)
        cls.reference, cls.distorted = str(cls.path / 'ref.y4m'), str(cls.path / 'dis.y4m')
        write_clip(cls.reference, 1)
        write_clip(cls.distorted, 2)
        cls.model = str(Path(models) / 'vmaf_v0.6.1.json')
        cls.made = [name for name in LOCALES if name == 'C' or cls.make_locale(name)]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def make_locale(cls, name):
        if shutil.which('localedef') is None:
            return False
        language, _, charset = name.partition('.')
        made = subprocess.run(['localedef', '-i', language, '-f', charset, cls.path / name], capture_output=True,
                              check=False)
        return made.returncode < 4 and (cls.path / name / 'LC_NUMERIC').is_file()  # 1: with warnings

    def hostile(self):
        for name in self.made:
            yield name, {'HOSTILE_LOCALE': name, 'LOCPATH': str(self.path)}
        yield 'floats', {'HOSTILE_FLOATS': '1'}

    def run_program(self, command, variables, preloaded):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(('LC_', 'LANG'))}
        environment['LANGUAGE'] = 'C'  # what the system says of a file that is missing may be translated
        environment |= {'ISOVMAF_BACKEND': 'cpu', 'PYTHONPATH': package, 'PYTHONDONTWRITEBYTECODE': '1'} | variables
        if preloaded:
            environment['LD_PRELOAD'] = preload
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return re.sub(rb'(fps"?[:=] ?"?)[0-9.,]+', rb'\1', done.stdout)

    def expect_same(self, *command, report=None):
        def output(variables, preloaded=True):
            shown = self.run_program(command, variables, preloaded)
            written = Path(report).read_bytes() if report else b''
            return shown, re.sub(rb'(fps"?[:=] ?"?)[0-9.,]+', rb'\1', written)
        expected = output({}, preloaded=False)
        self.assertTrue(any(expected))
        for name, variables in self.hostile():
            with self.subTest(name, command=command):
                self.assertEqual(output(variables), expected)

    def test_isovmaf_score(self):
        report = str(self.path / 'report')
        for kind in ('--json', '--xml', '--csv', '--sub'):
            for precision in ('max', 'legacy', 'hex') if kind == '--json' else ('legacy',):
                self.expect_same(isovmaf, 'score', '-r', self.reference, '-d', self.distorted, '--model',
                                 f'path={self.model}', '--model', 'version=vmaf_b_v0.6.3:name=members', '--feature',
                                 'adm:adm_enhn_gain_limit=1.1', '--feature', 'motion:motion_five_frame_window=true',
                                 '--precision', precision, kind, '-o', report, '-q', report=report)
        page = str(self.path / 'page.html')
        self.expect_same(isovmaf, 'score', '-r', self.reference, '-d', self.distorted, '--html', page, '-q',
                         report=page)

    def test_stored_reports_are_read_alike(self):
        report = str(self.path / 'stored.json')
        self.run_program([isovmaf, 'score', '-r', self.reference, '-d', self.distorted, '--feature', 'psnr', '--json',
                          '-o', report, '-q'], {}, False)
        self.expect_same(isovmaf, 'diff', '--reference', self.reference, '--distorted', self.distorted, '--backends',
                         'cpu', '--against', report, '--feature', 'psnr')

    def test_vmaf(self):
        report = str(self.path / 'report')
        for kind in ('--json', '--xml', '--csv', '--sub'):
            self.expect_same(vmaf, '-r', self.reference, '-d', self.distorted, '-m', f'path={self.model}', '--feature',
                             'psnr', kind, '-o', report, '-q', report=report)

    def test_c_interface(self):
        report = str(self.path / 'report')
        for kind in ('--json', '--xml', '--csv', '--sub'):
            self.expect_same(client, libvmaf, 'score', '-r', self.reference, '-d', self.distorted, '-m',
                             f'path={self.model}', '--feature', 'adm=adm_enhn_gain_limit=1.1', kind, '-o', report, '-q',
                             report=report)

    def test_python(self):
        if not package:
            self.skipTest('it is a test of its own')
        self.expect_same(sys.executable, '-c', PYTHON, self.reference, self.distorted, f'path={self.model}')

    def test_locales_are_there(self):
        missing = sorted(set(LOCALES) - set(self.made))
        if missing:
            self.skipTest(f'localedef cannot make {", ".join(missing)}: install locales')


if __name__ == '__main__':
    unittest.main()
