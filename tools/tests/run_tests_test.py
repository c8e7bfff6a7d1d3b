#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What tools/run_tests.py shows of failures, given the source folder. Records of tests are made up; nothing is built."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(sys.argv.pop(1)) / 'tools'))
import run_tests


def record(name, result, stdout='', stderr=''):
    """What meson writes of a test."""
    return {'name': name, 'result': result, 'stdout': stdout, 'stderr': stderr}


def numbered(text, count):
    return ''.join(f'{text} {i}\n' for i in range(count))


class FailuresTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        with mock.patch.object(run_tests, 'ROOT', pathlib.Path(temporary.name)):
            self.stage = run_tests.Stage('release')

    def shown(self):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            run_tests.print_failures(self.stage)
        return text.getvalue().splitlines()

    def test_each_failed_test_shows_the_end_of_both_streams(self):
        self.stage.log.write_text('the log of the stage\n')
        self.stage.count([record('isovmaf / batch', 'FAIL', numbered('out', 100), numbered('error', 50)),
                          record('isovmaf / good', 'OK', 'good\n'),
                          record('isovmaf / parts', 'TIMEOUT', stderr='started\n')])
        self.assertEqual((self.stage.passed, self.stage.failed),
                         (1, ['isovmaf / batch (FAIL)', 'isovmaf / parts (TIMEOUT)']))
        self.assertEqual(self.shown(), [
            '---- isovmaf / batch (FAIL), end of stdout', *(f'out {i}' for i in range(60, 100)),
            '---- isovmaf / batch (FAIL), end of stderr', *(f'error {i}' for i in range(10, 50)),
            '---- isovmaf / parts (TIMEOUT), end of stderr', 'started',
            '---- stage release: FAILED isovmaf / batch (FAIL)', '---- stage release: FAILED isovmaf / parts (TIMEOUT)'])

    def test_what_a_sanitizer_found_comes_first(self):
        self.stage.log.write_text('1/2\n==7==ERROR: AddressSanitizer: stack-overflow\n#0 main\n')
        self.stage.count([record('isovmaf / batch', 'FAIL', 'out\n')])
        self.assertEqual(self.shown()[1:5], ['==7==ERROR: AddressSanitizer: stack-overflow', '#0 main',
                                             '---- isovmaf / batch (FAIL), end of stdout', 'out'])

    def test_a_stage_that_failed_elsewhere_shows_the_end_of_its_log(self):
        self.stage.log.write_text(numbered('line', 100))
        self.stage.failed.append('`ninja -k0 -C ...` ended with code 1')
        self.assertEqual(self.shown()[1:], [*(f'line {i}' for i in range(40, 100)),
                                            '---- stage release: FAILED `ninja -k0 -C ...` ended with code 1'])


if __name__ == '__main__':
    unittest.main()
