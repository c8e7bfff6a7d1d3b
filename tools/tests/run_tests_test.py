#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What tools/run_tests.py shows of failures, given the source folder. Records of tests are made up; nothing is built."""
import contextlib
import io
import os
import pathlib
import subprocess
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


class StagesTest(unittest.TestCase):
    def names(self, *wanted):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(run_tests, 'ROOT', pathlib.Path(folder)):
            return [body.__name__ for body in run_tests.stages_of(wanted)]

    def test_all_is_what_ci_runs(self):
        self.assertEqual(self.names('all'), ['release', 'asan', 'tsan', 'fuzz', 'wheel', 'kernels'])
        self.assertEqual(self.names('tsan', 'all', 'alone')[:2], ['tsan', 'release'])
        ci = (pathlib.Path(run_tests.__file__).parents[1] / '.ci' / 'run').read_text()
        self.assertIn('BUILD_AHEAD="asan tsan fuzz wheel kernels" ./quickstart test ||', ci)
        self.assertIn('./quickstart test rest asan tsan fuzz wheel kernels ||', ci)

    def test_packages_that_were_installed_later_are_noticed(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            with mock.patch.object(run_tests, 'PACKAGES', folder / 'status'):
                self.assertTrue(run_tests.has_new_packages(folder))  # there is no dpkg
                for file, time in (('build.ninja', 20), ('status', 10)):
                    (folder / file).touch()
                    os.utime(folder / file, (time, time))
                self.assertFalse(run_tests.has_new_packages(folder))
                os.utime(folder / 'status', (30, 30))
                self.assertTrue(run_tests.has_new_packages(folder))

    def test_an_unknown_stage_is_named(self):
        with self.assertRaisesRegex(SystemExit, 'there is no stage everything; there are all, release'):
            self.names('release', 'everything')


class TimesTest(unittest.TestCase):
    def timed(self, *command):
        """What timed_test.sh adds to its file, and how the command ends."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / 'times'
            script = pathlib.Path(run_tests.__file__).with_name('timed_test.sh')
            done = subprocess.run([script, *command], env={**os.environ, 'TIMES': str(file)}, capture_output=True, text=True)
            return done, file.read_text(), os.listdir(folder)

    def test_a_command_keeps_its_exit_code_and_its_output(self):
        done, line, files = self.timed('sh', '-c', 'echo out; echo error >&2; exit 77')
        self.assertEqual((done.returncode, done.stdout, done.stderr), (77, 'out\n', 'error\n'))
        self.assertRegex(line, r'\A\d+\.\d\d sh -c echo out; echo error >&2; exit 77\n\Z')
        self.assertEqual(files, ['times'])

    def test_times_are_those_of_processors(self):
        busy = (sys.executable, '-c', 'import time\nwhile time.process_time() < 0.5: pass')
        seconds = [float(self.timed(*command)[1].split()[0]) for command in (('sleep', '0.5'), busy)]
        self.assertLess(seconds[0], 0.5)
        self.assertGreaterEqual(seconds[1], 0.5)

    def test_lines_are_joined_with_the_records_of_the_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / 'times'
            file.write_text('1.25 /b/test --all\n0.50 /b/other\n')
            results = [{'name': 'isovmaf / test', 'command': ['timed_test.sh', '/b/test', '--all']}]
            self.assertEqual(run_tests.processor_times(file, results), [(1.25, 'isovmaf / test')])


if __name__ == '__main__':
    unittest.main()
