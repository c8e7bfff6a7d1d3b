#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Scores that the Python package gives equal those of the command-line tool, in every bit; and failures are exceptions.
Arguments: the tool, the folder of the bundled clips, the plugin of the host stand-in or "", then those of unittest."""
import contextlib
import dataclasses
import json
import os
import pathlib
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
import xml.etree.ElementTree

try:
    import numpy as np
except ImportError:
    print('NumPy is missing (python3-numpy)')
    sys.exit(77)

import isovmaf

tool, clips, host = sys.argv[1:4]
host_folder = os.path.dirname(host)
del sys.argv[1:4]
CLIPS = {'landscape_640x360_8b': (640, 360, 8), 'landscape_576x324_10b': (576, 324, 10)}
RESULT_HEADER = pathlib.Path(__file__).parents[3] / 'core/include/isovmaf/result.hpp'


def clip(name):
    return [str(pathlib.Path(clips) / f'{name}_{side}.mkv') for side in ('ref', 'dis')]


def report(name, *options):
    """The tool's JSON report of a clip, whose numbers read back to the same bits."""
    reference, distorted = clip(name)
    command = [tool, 'score', '-r', reference, '-d', distorted, '--backend', 'cpu', '--json', '--precision', 'max', *options]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout)


def read_frames(path, width, height, depth):
    """All frames of a 4:2:0 video, as tuples of planes, decoded by ffmpeg."""
    layout = 'yuv420p' if depth == 8 else f'yuv420p{depth}le'
    raw = subprocess.run(['ffmpeg', '-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', layout, '-'], check=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout
    samples = np.frombuffer(raw, np.uint8 if depth == 8 else np.uint16).reshape(-1, width * height * 3 // 2)
    luma, chroma = width * height, width * height // 4
    for frame in samples:
        yield (frame[:luma].reshape(height, width), frame[luma:luma + chroma].reshape(height // 2, width // 2),
               frame[luma + chroma:].reshape(height // 2, width // 2))


def flat_frame(width=64, height=48, value=100, dtype=np.uint8):
    return tuple(np.full((height // n, width // n), value, dtype) for n in (1, 2, 2))


@contextlib.contextmanager
def nobody():
    """Who runs the test, but root as a user who may not read everything."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


class Scores(unittest.TestCase):
    def check(self, result, expected):
        """Compares a result with the tool's report."""
        frames = expected['frames']
        self.assertEqual(result.frames.tolist(), [frame['frameNum'] for frame in frames])
        self.assertEqual(result.frames.dtype, np.int64)
        self.assertEqual(set(result.scores), set(frames[0]['metrics']))
        for name, column in result.scores.items():
            self.assertEqual(column.dtype, np.float64)
            self.assertEqual(column.tolist(), [frame['metrics'][name] for frame in frames], name)
            pooled = expected['pooled_metrics'][name]
            self.assertEqual([getattr(result.pooled[name], part) for part in ('min', 'max', 'mean', 'harmonic_mean')],
                             [pooled[part] for part in ('min', 'max', 'mean', 'harmonic_mean')], name)
        self.assertEqual(result.aggregates, expected['aggregate_metrics'])

    def test_of_files_and_of_arrays_equal_the_tools(self):
        for name, (width, height, depth) in CLIPS.items():
            with self.subTest(name):
                expected = report(name, '--feature', 'psnr')
                files = isovmaf.score(*clip(name), features='psnr', backend='cpu')
                self.check(files, expected)
                with isovmaf.Session(width, height, bit_depth=depth, features=['psnr'], backend='cpu') as session:
                    for pair in zip(*(read_frames(path, width, height, depth) for path in clip(name))):
                        session.push(*pair)
                    self.check(session.finish(), expected)

    def test_follow_the_options(self):
        expected = report('landscape_640x360_8b', '-m', 'version=vmaf_v0.6.1neg:name=neg', '-m', 'version=vmaf_v0.6.1',
                          '--feature', 'vif:vif_enhn_gain_limit=1.0', '--frame_cnt', '7', '--frame_skip_ref', '2',
                          '--subsample', '2', '--crop', '320x240+8+6', '--compat', 'libvmaf-3.0')
        result = isovmaf.score(*map(pathlib.Path, clip('landscape_640x360_8b')), backend='cpu', threads=1, cpu='scalar',
                               models=['version=vmaf_v0.6.1neg:name=neg', 'version=vmaf_v0.6.1'], frame_cnt=7,
                               features='vif:vif_enhn_gain_limit=1.0', frame_skip_ref=2, subsample=2,
                               crop='320x240+8+6', compat='libvmaf-3.0')
        self.check(result, expected)

    def test_of_vmaf_v1_are_those_of_libvmaf(self):
        result = isovmaf.score(*clip('landscape_640x360_8b'), models='v1', features='ciede', frame_cnt=2, backend='cpu')
        self.assertEqual([f'{score:.6f}' for score in result.scores['vmaf']], ['85.606367', '83.651887'])
        self.assertEqual(json.loads(result.to_json())['isovmaf']['models'], {'vmaf': 'version=vmaf_v1.0.16_3d0h'})
        self.assertIn('ciede2000', result.scores)

    def test_do_not_depend_on_strides(self):
        rng = np.random.default_rng(1)
        wide = [[rng.integers(0, 256, (48 // n, 100), np.uint8) for n in (1, 2, 2)] for _ in range(2)]
        sliced = [tuple(plane[:, 3:3 + 64 // n] for plane, n in zip(frame, (1, 2, 2))) for frame in wide]
        upside_down = [tuple(np.ascontiguousarray(plane[::-1])[::-1] for plane in frame) for frame in sliced]
        packed = [tuple(np.ascontiguousarray(plane) for plane in frame) for frame in sliced]
        found = []
        for frames in (packed, sliced, upside_down):
            with isovmaf.Session(64, 48, features='psnr', backend='cpu') as session:
                session.push(*frames)
                found.append({name: column.tolist() for name, column in session.finish().scores.items()})
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])

    def test_can_be_taken_on_the_way(self):
        with isovmaf.Session(64, 48, models=(), features=('motion', 'psnr'), backend='cpu') as session:
            taken = []
            for value in range(20):
                session.push(flat_frame(value=value), flat_frame(value=2 * value))
                while (ready := session.next_result()) is not None:
                    taken.append(ready)
            self.assertGreater(len(taken), 5)
            result = session.finish()
            while (ready := session.next_result()) is not None:
                taken.append(ready)
        self.assertEqual([ready.frame for ready in taken], list(range(20)))
        for name, column in result.scores.items():
            self.assertEqual([ready.scores[name] for ready in taken], column.tolist())

    def test_become_the_tools_reports(self):
        name = 'landscape_640x360_8b'
        result = isovmaf.score(*clip(name), features='psnr', backend='cpu', frame_cnt=9)
        copy = pickle.loads(pickle.dumps(result))
        for form, precision in (('json', 'max'), ('json', 'legacy'), ('csv', 'max'), ('csv', 'hex')):
            command = [tool, 'score', '-r', clip(name)[0], '-d', clip(name)[1], '--feature', 'psnr', '--backend', 'cpu',
                       '--frame_cnt', '9', f'--{form}', '--precision', precision]
            text = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout.decode()
            self.assertEqual(getattr(result, f'to_{form}')(precision=precision), text)
            self.assertEqual(getattr(copy, f'to_{form}')(precision=precision), text)
        page = result.to_html()
        self.assertIn(f'{result.pooled["vmaf"].mean:.4f}', page)
        self.assertEqual(copy.to_html(), page)
        with self.assertRaisesRegex(isovmaf.InvalidArgumentError, 'precision="exact"'):
            result.to_csv(precision='exact')

    def test_of_arrays_become_reports(self):
        with isovmaf.Session(64, 48, features=['psnr'], backend='cpu', models='version=vmaf_v0.6.1') as session:
            session.push(flat_frame(value=90), flat_frame(value=91))
            result = session.finish()
        report = json.loads(result.to_json())
        self.assertEqual(report['frames'][0]['metrics'], {name: column[0] for name, column in result.scores.items()})
        self.assertEqual(report['isovmaf']['options']['feature'], 'psnr')
        self.assertEqual(report['isovmaf']['reference']['width'], 64)
        self.assertEqual(report['isovmaf']['models'], {'vmaf': 'version=vmaf_v0.6.1'})
        self.assertIn('psnr_y', result.to_html())

    def test_reports_replace_only_reports(self):
        result = isovmaf.score(*clip('landscape_640x360_8b'), backend='cpu', frame_cnt=2)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'report.json')
            for write in (result.to_json, result.to_csv, result.to_html):
                self.assertEqual(write(path), path.read_text(encoding='utf-8'))
            path.write_text('a diary')
            with self.assertRaisesRegex(isovmaf.IOFailedError, 'no report'):
                result.to_csv(path)
            self.assertEqual(path.read_text(), 'a diary')
            result.to_csv(path, force=True)
            self.assertEqual(path.read_text(), result.to_csv())

    def test_are_equal_when_their_bits_are(self):
        def score(distorted, backend='cpu'):
            with isovmaf.Session(64, 48, features=['psnr'], backend=backend) as session:
                session.push(flat_frame(value=90), flat_frame(value=distorted))
                return session.finish()

        result = score(91)
        self.assertEqual(result, score(91, 'cpu-ref'))
        self.assertEqual(result, pickle.loads(pickle.dumps(result)))
        self.assertNotEqual(result, score(92))
        self.assertNotEqual(result, 'a result')
        lost = {name: column for name, column in result.scores.items() if name != 'psnr_y'}
        self.assertNotEqual(result, dataclasses.replace(result, scores=lost))
        minus = {**result.scores, 'psnr_y': -0.0 * np.ones(1)}
        plus = {**result.scores, 'psnr_y': 0.0 * np.ones(1)}
        self.assertNotEqual(dataclasses.replace(result, scores=minus), dataclasses.replace(result, scores=plus))
        nothing = dataclasses.replace(result, scores={'psnr_y': np.array([np.nan])})
        self.assertEqual(nothing, pickle.loads(pickle.dumps(nothing)))

    def test_say_which_model_they_are_of(self):
        def result_of(**options):
            with isovmaf.Session(64, 48, backend='cpu', **options) as session:
                session.push(flat_frame(value=90), flat_frame(value=91))
                return session.finish()

        result = result_of()
        self.assertEqual(result.models, {'vmaf': 'vmaf_v0.6.1'})
        self.assertRegex(repr(result), r'mean vmaf \d+(\.\d+)? \(model vmaf_v0\.6\.1\)>$')
        self.assertIn('; vmaf: model vmaf_v0.6.1</caption>', result._repr_html_())
        two = result_of(models=['vmaf_v0.6.1', 'vmaf_v0.6.1neg'])
        self.assertEqual(two.models, {'vmaf_v0.6.1': 'vmaf_v0.6.1', 'vmaf_v0.6.1neg': 'vmaf_v0.6.1neg'})
        self.assertEqual(two.scores['vmaf_v0.6.1'].tolist(), result.scores['vmaf'].tolist())
        self.assertEqual(result_of(models=(), features='psnr').models, {})

    def test_are_a_table_in_a_notebook(self):
        with isovmaf.Session(64, 48, models='version=vmaf_v0.6.1:name=a<b>c', backend='cpu') as session:
            session.push(flat_frame(value=90), flat_frame(value=91))
            result = session.finish()
        table = xml.etree.ElementTree.fromstring(result._repr_html_())
        rows = [[cell.text for cell in row] for row in table.findall('tr')]
        self.assertEqual(rows[0][1:4], ['min', 'max', 'mean'])
        self.assertEqual({row[0] for row in rows[1:]}, set(result.pooled))
        self.assertEqual(rows[1][:2], ['a<b>c', f'{result.pooled["a<b>c"].min:.6g}'])

    def test_of_files_with_any_name(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.fsdecode(os.fsencode(folder) + b'/\xff.mkv')
            os.symlink(os.path.abspath(clip('landscape_640x360_8b')[0]), name)
            result = isovmaf.score(name, name, backend='cpu', frame_cnt=1)
            self.assertIn('\ufffd.mkv', result.to_json())
            with self.assertRaises(FileNotFoundError) as caught:
                isovmaf.score(name, name + 'x')
            self.assertEqual(caught.exception.filename, name + 'x')

    def test_become_a_data_frame(self):
        try:
            import pandas
        except ImportError:
            self.skipTest('pandas is missing (python3-pandas)')
        result = isovmaf.score(*clip('landscape_640x360_8b'), frame_cnt=3, backend='cpu')
        table = result.to_pandas()
        self.assertEqual(list(table.columns), list(result.scores))
        self.assertEqual(table['vmaf'].tolist(), result.scores['vmaf'].tolist())
        self.assertEqual(table.index.tolist(), [0, 1, 2])

    def test_say_where_they_were_computed(self):
        result = isovmaf.score(*clip('landscape_640x360_8b'), frame_cnt=2, backend='cpu-ref')
        self.assertEqual(result.execution.backend, 'cpu-ref')
        self.assertEqual({place.code for place in result.execution.placement}, {'definition'})
        if not host:
            self.skipTest('the host stand-in was not built')
        result = isovmaf.score(*clip('landscape_640x360_8b'), frame_cnt=2, backend='host', backend_dir=host_folder)
        self.assertEqual(result.execution.backend, 'host')
        self.assertTrue(all(count > 0 for count in result.execution.launches.values()), result.execution.launches)


class Program(unittest.TestCase):
    def test_of_the_package_is_the_tool(self):
        program = 'import sys; from isovmaf._program import main; sys.argv[0] = "isovmaf"; main()'
        for arguments in (['--version'], ['probe', clip('landscape_640x360_8b')[0]], ['score', '--no-such-option']):
            ran, expected = (subprocess.run([*command, *arguments], text=True, stdin=subprocess.DEVNULL,
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                             for command in ([sys.executable, '-c', program], [tool]))
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr),
                             (expected.returncode, expected.stdout, expected.stderr))


class Diff(unittest.TestCase):
    SMALL = {'generate': 'noise', 'size': '64x48', 'chroma': '420', 'bit_depth': 8, 'frames': 2}

    def test_of_generated_pictures_is_the_tools(self):
        found = isovmaf.diff(['cpu-ref', 'cpu'], features='psnr', models=(), **self.SMALL)
        self.assertTrue(found.equal)
        self.assertEqual((found.verdict, found.failure, found.different), ('equal', None, 0))
        self.assertGreater(found.values, 0)
        command = [tool, 'diff', '--backends', 'cpu-ref,cpu', '--feature', 'psnr', '--no_prediction', '--generate', 'noise',
                   '--size', '64x48', '--chroma', '420', '--depth', '8', '--frames', '2', '--json', '-']
        report = json.loads(subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                           stderr=subprocess.DEVNULL).stdout)
        self.assertEqual({**found.report, 'command': ''}, {**report, 'command': ''})

    def test_of_videos(self):
        found = isovmaf.diff('cpu-ref,cpu', *clip('landscape_640x360_8b'), frame_cnt=2, models=(), features='psnr')
        self.assertTrue(found.equal)
        self.assertEqual(found.report['frames'], 2)

    def test_that_finds_a_difference_says_so(self):
        videos = clip('landscape_640x360_8b')
        result = isovmaf.score(*videos, models=(), features='psnr', backend='cpu', frame_cnt=2)
        report = json.loads(result.to_json())
        report['frames'][1]['metrics']['psnr_y'] += 1
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (('good.json', result.to_json()), ('wrong.json', json.dumps(report))):
                pathlib.Path(folder, name).write_text(text)
            options = {'models': (), 'features': 'psnr', 'frame_cnt': 2, 'locate': False}
            good, wrong = (isovmaf.diff('cpu', *videos, against=pathlib.Path(folder, name), **options)
                           for name in ('good.json', 'wrong.json'))
            with self.assertRaises(FileNotFoundError):
                isovmaf.diff('cpu', *videos, against=pathlib.Path(folder, 'none.json'))
        self.assertEqual((good.equal, good.verdict, good.different), (True, 'equal', 0))
        self.assertEqual((wrong.equal, wrong.verdict, wrong.different), (False, 'differ', 1))

    def test_that_cannot_begin(self):
        for kind, words, backends, options in (
                (isovmaf.InvalidArgumentError, 'nothing to compare', 'cpu', {}),
                (isovmaf.InvalidArgumentError, 'chroma="411"', 'cpu,cpu-ref', {'chroma': '411'}),
                (isovmaf.InvalidArgumentError, 'bit_depth=7', 'cpu,cpu-ref', {'bit_depth': 7}),
                (isovmaf.InvalidArgumentError, 'frames=0', 'cpu,cpu-ref', {'frames': 0}),
                (isovmaf.InvalidArgumentError, 'devices="some"', 'cpu,cpu-ref', {'devices': 'some'}),
                (isovmaf.NotFoundError, 'quantum', 'cpu,quantum', {})):
            with self.subTest(words), self.assertRaisesRegex(kind, words):
                isovmaf.diff(backends, **options)

    def test_ends_with_ctrl_c(self):
        with self.assertRaises(KeyboardInterrupt):
            threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
            isovmaf.diff('cpu-ref,cpu', fuzz=1e6)  # seconds, far more than the test may take


class Lists(unittest.TestCase):
    def run_tool(self, *arguments):
        return json.loads(subprocess.run([tool, *arguments, '--json'], check=True, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE).stdout)

    def test_of_models_are_those_that_score(self):
        self.assertIn('vmaf_v0.6.1', isovmaf.models())
        for version in isovmaf.models():
            isovmaf.Session(576, 324, backend='cpu', models=f'version={version}').close()

    def test_of_backends_are_the_tools(self):
        if not host:
            self.skipTest('the host stand-in was not built')
        found, expected = isovmaf.backends(host_folder), self.run_tool('backends', '--backend-dir', host_folder)
        for report in (found, expected):
            del report['backends'][0]['devices'][0]['memory_free_bytes']  # it changes all the time
        self.assertEqual(found, expected)
        self.assertEqual([(plugin['name'], plugin['devices'][0]['usable']) for plugin in found['backends']],
                         [('host', True)])
        with self.assertRaises(FileNotFoundError):
            isovmaf.backends('/no/such/folder')

    def test_of_backends_count_the_rocm_that_pip_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            rocm = pathlib.Path(folder, '_rocm_sdk_core')
            rocm.mkdir()
            (rocm / '__init__.py').write_text('raise RuntimeError("it is not imported")')
            for given, expected in ((None, str(rocm)), ('/other', '/other')):
                variables = {name: value for name, value in os.environ.items() if name != 'ISOVMAF_ROCM_FALLBACK'}
                if given:
                    variables['ISOVMAF_ROCM_FALLBACK'] = given
                variables['PYTHONPATH'] = os.pathsep.join((os.environ['PYTHONPATH'], folder))
                printed = subprocess.run(
                    [sys.executable, '-c', 'import isovmaf, os; print(os.environ["ISOVMAF_ROCM_FALLBACK"])'],
                    check=True, stdout=subprocess.PIPE, text=True, env=variables).stdout
                self.assertEqual(printed.strip(), expected)

    def test_of_streams_are_the_tools(self):
        path = clip('landscape_640x360_8b')[0]
        found = isovmaf.probe(pathlib.Path(path))
        self.assertEqual([found], self.run_tool('probe', path)['files'])
        self.assertEqual((found['streams'][0]['stream'], found['streams'][0]['width']), ('v:0', 640))
        with self.assertRaises(FileNotFoundError):
            isovmaf.probe('no-such-file.mkv')


class Failures(unittest.TestCase):
    def test_have_a_class_for_every_code(self):
        codes = dict(re.findall(r'^    (\w+) = (\d+),', RESULT_HEADER.read_text(), re.MULTILINE))
        self.assertEqual({code.name.lower(): str(code.value) for code in isovmaf.ErrorCode}, codes)
        from isovmaf._errors import make_error
        for code in isovmaf.ErrorCode:
            self.assertEqual((make_error(code.value, 'why').code, str(make_error(code.value, 'why'))), (code, 'why'))

    def test_of_files(self):
        reference, distorted = clip('landscape_640x360_8b')
        other = clip('landscape_576x324_10b')[1]
        for kind, words, arguments, options in (
                (isovmaf.NotFoundError, 'no-such-file', ('no-such-file.mkv', distorted), {}),
                (isovmaf.MismatchError, '576x324', (reference, other), {}),
                (isovmaf.CorruptDataError, 'scores_test', (reference, __file__), {}),
                (isovmaf.NotFoundError, 'vmaf_v9', (reference, distorted), {'models': 'version=vmaf_v9'}),
                (isovmaf.InvalidArgumentError, 'nothing to score', (reference, distorted), {'models': ()}),
                (isovmaf.InvalidArgumentError, 'frame_cnt', (reference, distorted), {'frame_cnt': 0}),
                (isovmaf.InvalidArgumentError, '411', (reference, distorted), {'chroma': '411'}),
                (isovmaf.InvalidArgumentError, 'sideways', (reference, distorted), {'sync': 'sideways'}),
                (isovmaf.InvalidArgumentError, 'film_grain', (reference, distorted), {'film_grain': 'coarse'}),
                (isovmaf.InvalidArgumentError, 'libvmaf-1', (reference, distorted), {'compat': 'libvmaf-1'}),
                (isovmaf.InvalidArgumentError, 'vaapi', (reference, distorted), {'hwaccel': 'vaapi'}),
                (isovmaf.UnavailableError, 'hwaccel cuda cannot be had', (reference, distorted), {'hwaccel': 'cuda'}),
                (isovmaf.NotFoundError, 'quantum', (reference, distorted), {'backend': 'quantum'})):
            with self.subTest(words):
                with self.assertRaisesRegex(kind, words):
                    isovmaf.score(*arguments, **{'backend': 'cpu', **options})
        with self.assertRaisesRegex(TypeError, "threads='two'"):
            isovmaf.score(reference, distorted, threads='two')
        with self.assertRaisesRegex(TypeError, 'colour'):
            isovmaf.score(reference, distorted, colour='red')

    def test_of_files_are_those_of_python_too(self):
        # Nobody may read what lies below /root, where the checkout may lie: neither the clip nor the package's modules.
        isovmaf.probe(clip('landscape_640x360_8b')[0])
        with tempfile.TemporaryDirectory() as folder:
            video = shutil.copy(clip('landscape_640x360_8b')[0], folder)
            secret = os.path.join(folder, 'secret.y4m')
            pathlib.Path(secret).touch()
            os.chmod(secret, 0)
            os.chmod(folder, 0o755)
            missing, below = os.path.join(folder, 'missing.mkv'), os.path.join(video, 'below.mkv')
            for kind, also, name, arguments, options in (
                    (isovmaf.MissingFileError, FileNotFoundError, missing, (missing, video), {}),
                    (isovmaf.MissingFileError, FileNotFoundError, below, (video, below), {}),
                    (isovmaf.MissingFileError, FileNotFoundError, '', (video, ''), {}),
                    (isovmaf.FolderError, IsADirectoryError, folder, (video, folder), {}),
                    (isovmaf.UnreadableFileError, PermissionError, secret, (video, secret), {}),
                    (isovmaf.MissingFileError, FileNotFoundError, missing, (video, video),
                     {'models': f'path={missing}'}),
                    (isovmaf.MissingFileError, FileNotFoundError, missing, (video, video), {'backend_dir': missing})):
                with self.subTest(name=name, options=options):
                    with nobody(), self.assertRaises(kind) as caught:
                        isovmaf.score(*arguments, **{'backend': 'host' if 'backend_dir' in options else 'cpu', **options})
                    self.assertIsInstance(caught.exception, also)
                    self.assertEqual(caught.exception.filename, name)
                    self.assertIn(os.path.basename(name), str(caught.exception))
            with self.assertRaises(FileNotFoundError):
                isovmaf.Session(64, 48, models=f'path={missing}')
            with self.assertRaises(isovmaf.NotFoundError) as caught:
                isovmaf.score(video, video, models='version=vmaf_v9')
        self.assertNotIsInstance(caught.exception, OSError)

    def test_of_files_are_not_about_standard_input(self):
        program = """if True:
            import isovmaf
            try:
                isovmaf.score('-', 'no-such-file.mkv')
            except FileNotFoundError as error:
                print(error.filename)"""
        with open(clip('landscape_640x360_8b')[0], 'rb') as video:
            ran = subprocess.run([sys.executable, '-c', program], stdin=video, stdout=subprocess.PIPE, text=True)
        self.assertEqual(ran.stdout, 'no-such-file.mkv\n')

    def test_survive_pickling(self):
        with self.assertRaises(isovmaf.Error) as caught:
            isovmaf.score('no-such-file.mkv', 'other.mkv')
        for error in (caught.exception, isovmaf.DeviceError('gone', isovmaf.ErrorCode.DEVICE_LOST)):
            copy = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(copy), str(copy), copy.code), (type(error), str(error), error.code))
            self.assertEqual(getattr(copy, 'filename', None), getattr(error, 'filename', None))

    def test_of_masked_arrays(self):
        good = flat_frame()
        masked = np.ma.masked_equal(good[1], 100)
        with isovmaf.Session(64, 48, backend='cpu') as session:
            with self.assertRaisesRegex(isovmaf.InvalidArgumentError, 'distorted plane 1.*masked'):
                session.push(good, (good[0], masked, good[2]))
            session.push(good, (good[0], masked.filled(0), good[2]))
            self.assertEqual(len(session.finish().frames), 1)

    def test_of_names_say_how_options_are_called(self):
        for name, here in (('model', 'models'), ('feature', 'features'), ('pixel_format', 'chroma'),
                           ('bitdepth', 'bit_depth')):
            for call in (isovmaf.score, isovmaf.Session):
                with self.assertRaisesRegex(TypeError, f"no option '{name}': it is called '{here}'"):
                    call('a', 'b', **{name: '1'})

    def test_of_names_do_not_come_from_one_function_alone(self):
        import inspect
        session, score = (inspect.signature(call).parameters for call in (isovmaf.Session, isovmaf.score))
        self.assertEqual(set(session) - set(score), set())

    def test_of_frames(self):
        good = flat_frame()
        with isovmaf.Session(64, 48, backend='cpu') as session:
            for words, frame in (('has 1 planes', good[0]), ('has 2 planes', good[:2]),
                                 ('Cb.*24 rows of 32 samples', (good[0], good[0], good[2])),
                                 ('uint8.*int64', (good[0].astype(np.int64), *good[1:])),
                                 ('shape', (np.zeros((48, 128), np.uint8)[:, ::2], *good[1:])),
                                 ('Y.*list', ([1, 2], *good[1:])), ('Y.*NoneType', (None, *good[1:]))):
                with self.subTest(words):
                    with self.assertRaisesRegex(isovmaf.MismatchError, 'distorted.*' + words):
                        session.push(good, frame)
            session.push(good, good)
            self.assertEqual(len(session.finish().frames), 1)
            with self.assertRaises(isovmaf.Error):
                session.push(good, good)
        with self.assertRaisesRegex(isovmaf.InvalidArgumentError, 'closed'):
            session.push(good, good)
        with self.assertRaises(isovmaf.InvalidArgumentError):
            isovmaf.Session(0, 48)
        with self.assertRaisesRegex(isovmaf.InvalidArgumentError, '410'):
            isovmaf.Session(64, 48, '410')

    def test_of_samples_above_the_bit_depth(self):
        good, p010 = (flat_frame(value=value, dtype=np.uint16) for value in (512, 512 << 6))
        with isovmaf.Session(64, 48, bit_depth=10, backend='cpu') as session:
            session.push(good, good)
            with self.assertRaisesRegex(isovmaf.CorruptDataError, 'frame 1 of the reference has samples above 1023 in '
                                        'row 0 of plane 0, too large for 10 bit; check the bit depth'):
                session.push(p010, good)
            session.push((good[0], *p010[1:]), good)  # the model reads luma alone
            self.assertEqual(len(session.finish().frames), 2)
        with isovmaf.Session(64, 48, bit_depth=10, features='psnr', backend='cpu') as session:
            with self.assertRaisesRegex(isovmaf.CorruptDataError, 'frame 0 of the distorted video .* of plane 1'):
                session.push(good, (good[0], *p010[1:]))

    def test_of_a_session_without_frames(self):
        with isovmaf.Session(64, 48, backend='cpu') as session:
            with self.assertRaisesRegex(isovmaf.InvalidArgumentError, 'got no frames: push at least one pair'):
                session.finish()

    def test_of_deep_samples_that_are_read_as_8_bit_are_warnings(self):
        x, y = np.meshgrid(np.arange(64), np.arange(48))
        words = np.concatenate([(64 + 4 * ((x + y) % 200)).ravel(), np.full(2 * 32 * 24, 512)]).astype('<u2')
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'ten.yuv'
            path.write_bytes(words.tobytes())
            options = {'width': 64, 'height': 48, 'chroma': '420', 'features': 'psnr', 'models': (), 'backend': 'cpu'}
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter('always')
                isovmaf.score(path, path, bit_depth=10, film_grain='off', **options)
                self.assertEqual(caught, [])
                isovmaf.score(path, path, bit_depth=8, **options)
            self.assertEqual([warning.category for warning in caught], [isovmaf.ScoreWarning] * 2)
            self.assertIn('look like words of 16 bit', str(caught[0].message))
            with self.assertRaisesRegex(isovmaf.MismatchError, 'look like words of 16 bit'):
                isovmaf.score(path, path, bit_depth=8, strict=True, **options)

    def test_that_leave_scores_are_warnings(self):
        reference, distorted = clip('landscape_640x360_8b')
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            result = isovmaf.score(reference, distorted, frame_skip_ref=55, backend='cpu')
        self.assertEqual(len(result.frames), 5)
        self.assertEqual([warning.category for warning in caught], [isovmaf.ScoreWarning])
        self.assertIn('frames', str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)
        self.assertEqual([(warning.kind, warning.text) for warning in result.warnings], [('lengths', str(caught[0].message))])
        with self.assertRaises(isovmaf.MismatchError):
            isovmaf.score(reference, distorted, frame_skip_ref=55, strict=True, backend='cpu')


class Warnings(unittest.TestCase):
    """What the tool's report says of videos that do not fit."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def clip(self, name, pictures, header):
        path = os.path.join(self.folder.name, name)
        with open(path, 'wb') as file:
            file.write(f'YUV4MPEG2 {header} Cmono\n'.encode() + b''.join(b'FRAME\n' + picture for picture in pictures))
        return path

    def bars(self, name, first, rate='25:1'):
        """24 pictures of bars that move, from one of them on."""
        pictures = [bytes(int(x + 2 * y + 9 * n) // 16 % 5 * 40 + int(n) % 3 for y in range(54) for x in range(96))
                    for n in range(first, first + 24)]
        return self.clip(name, pictures, f'W96 H54 F{rate}')

    def expect_as_of_the_tool(self, reference, distorted, **options):
        """Scores both ways; returns the warnings."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            result = isovmaf.score(reference, distorted, backend='cpu', **options)
        arguments = [argument for name, value in options.items() for argument in (f'--{name.rstrip("s")}', str(value))]
        report = json.loads(subprocess.run([tool, 'score', reference, distorted, '--backend', 'cpu', '--json', *arguments],
                                           check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout)['isovmaf']
        self.assertEqual([dataclasses.asdict(warning) for warning in result.warnings], report['warnings'])
        self.assertEqual([str(warning.message) for warning in caught], [warning.text for warning in result.warnings])
        own = json.loads(result.to_json())['isovmaf']
        self.assertEqual((own['warnings'], own['sync'], own['notes']), (report['warnings'], report['sync'], report['notes']))
        self.assertEqual(pickle.loads(pickle.dumps(result)).warnings, result.warnings)
        return [(warning.kind, warning.text) for warning in result.warnings]

    def test_of_a_shifted_video(self):
        reference, late, early = self.bars('ref.y4m', 0), self.bars('late.y4m', -2), self.bars('early.y4m', 3)
        self.assertEqual(self.expect_as_of_the_tool(reference, reference), [])
        for distorted, words in ((late, '2 frames late'), (early, '3 frames early')):
            (kind, text), = self.expect_as_of_the_tool(reference, distorted)
            self.assertEqual(kind, 'alignment')
            self.assertIn(f'distorted seems {words}', text)
        self.assertEqual([kind for kind, _ in self.expect_as_of_the_tool(reference, late, offset=2)], ['lengths'])
        with self.assertRaisesRegex(isovmaf.MismatchError, 'distorted seems 2 frames late'):
            isovmaf.score(reference, late, strict=True, backend='cpu')

    def test_what_a_pair_needs_is_decided_when_asked_for(self):
        reference, late = self.bars('ref.y4m', 0), self.bars('late.y4m', -2)
        self.assertEqual([kind for kind, _ in self.expect_as_of_the_tool(reference, late, offset='auto')], ['lengths'])
        small = self.clip('small.y4m', [bytes((x + y + n) * 3 % 240 for y in range(54) for x in range(80))
                                        for n in range(3)], 'W80 H54 F25:1')
        options = {'models': (), 'features': 'psnr:enable_chroma=false', 'backend': 'cpu', 'crop': 'ref:64x54+0+0'}
        with warnings.catch_warnings():
            warnings.simplefilter('ignore') # other lengths, and another shape
            fitted = isovmaf.score(reference, small, fit=True, **options)
            by_hand = isovmaf.score(reference, small, resize='dis:bicubic+exact', **options)
        self.assertEqual(fitted.scores['psnr_y'].tolist(), by_hand.scores['psnr_y'].tolist())
        self.assertIn(f'--fit: reference {reference} has 64x54, distorted {small} has 80x54: --resize dis:bicubic+exact',
                      fitted.notes)
        with self.assertRaisesRegex(isovmaf.InvalidArgumentError, 'offset="soon" is not known: give one of auto'):
            isovmaf.score(reference, late, offset='soon')
        with self.assertRaises(TypeError):
            isovmaf.score(reference, late, offset=1.5)
        with self.assertRaisesRegex(TypeError, 'fit says how a file is read'):
            isovmaf.score(np.zeros((1, 54, 96), np.uint8), np.zeros((1, 54, 96), np.uint8), fit=True)

    def test_of_models_for_other_videos(self):
        large = self.clip('large.y4m', [bytes(64 * 2160)], 'W64 H2160 F25:1')
        (kind, text), = self.expect_as_of_the_tool(large, large)
        self.assertEqual((kind, text.rpartition(' ')[2]), ('model', 'version=vmaf_4k_v0.6.1'))
        self.assertEqual(self.expect_as_of_the_tool(large, large, models='version=vmaf_4k_v0.6.1'), [])

    def test_of_arrays_are_none(self):
        reference = np.random.default_rng(1).integers(0, 255, (2, 54, 96), np.uint8)
        self.assertEqual(isovmaf.score(reference, reference, backend='cpu').warnings, ())


if __name__ == '__main__':
    unittest.main()
