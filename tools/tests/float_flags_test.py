#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Flags that change scores are refused by configuring, and by the compiler (docs/adr/0072).

    float_flags_test.py SOURCE_ROOT MESON COMPILER...
"""
import os
import platform
import subprocess
import sys
import tempfile
import unittest

REFUSAL = 'scores would differ from those of other builds'


def configure(flags=(), **variables):
    """What the configuration prints after its start, or "configured" when it went past the check of flags."""
    with tempfile.TemporaryDirectory() as folder:
        # An accepted configuration ends soon: the option fuzz needs what this one lacks.
        done = subprocess.run([*meson, 'setup', folder, root, '-Dfuzz=true', *flags],
                              env=os.environ | {'CXX': ' '.join(compiler), 'CXXFLAGS': '', 'LDFLAGS': ''} | variables,
                              capture_output=True, text=True, check=False)
        return 'configured' if '-Dfuzz=true' in done.stdout else done.stdout


class Flags(unittest.TestCase):
    def test_of_packagers_are_refused(self):
        text = configure(CXXFLAGS='-O2 -ffast-math')
        self.assertIn(f'{REFUSAL}: remove -ffast-math from CXXFLAGS', text)
        text = configure(['-Dcpp_args=-ffp-contract=fast'])
        self.assertIn(f'{REFUSAL}: remove -ffp-contract=fast from CXXFLAGS', text)
        text = configure(LDFLAGS='-Wl,-O1 -ffast-math')
        self.assertIn(f'{REFUSAL}: remove -ffast-math from CXXFLAGS', text)

    def test_of_the_compilers_command_are_refused(self):
        extended = ['-mfpmath=387'] if platform.machine() == 'x86_64' else []
        for flag in ['-ffinite-math-only', *extended]:
            self.assertIn(f'{REFUSAL}: the compiler', configure(CXX=' '.join([*compiler, flag])))

    def test_that_keep_results_are_accepted(self):
        self.assertEqual(configure(CXXFLAGS='-O2 -g -ffp-contract=off -fno-math-errno'), 'configured')

    def test_are_refused_by_a_header_of_all_libraries(self):
        command = [*compiler, '-std=c++20', '-fsyntax-only', f'-I{root}/core', '-x', 'c++',
                   f'{root}/core/base/float_environment.hpp']
        for flag in ('-ffast-math', '-Ofast', '-ffinite-math-only'):
            done = subprocess.run([*command, flag], capture_output=True, text=True, check=False)
            self.assertNotEqual(done.returncode, 0, flag)
            self.assertIn(REFUSAL, done.stderr)
        subprocess.run([*command, '-O2'], check=True, capture_output=True)


if __name__ == '__main__':
    root, meson, compiler = sys.argv[1], [sys.argv[2]], sys.argv[3:]
    sys.argv[1:] = []
    unittest.main()
