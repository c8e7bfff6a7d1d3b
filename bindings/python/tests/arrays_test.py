#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Whole videos in arrays, and pairs from any iterable, score as frames that are pushed one by one. Arguments: those of
unittest."""
import itertools
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print('NumPy is missing (python3-numpy)')
    sys.exit(77)

import isovmaf

CPU = {'backend': 'cpu', 'features': 'psnr'}
STEPS = {'420': (2, 2), '422': (1, 2), '444': (1, 1)}


def video(seed, frames=5, width=64, height=48, chroma='420', depth=8):
    """The planes of all frames."""
    rng = np.random.default_rng(seed)
    dtype = np.uint8 if depth == 8 else np.uint16
    sizes = [(height, width)]
    if chroma != '400':
        rows, columns = STEPS[chroma]
        sizes += [(-(-height // rows), -(-width // columns))] * 2
    return tuple(rng.integers(0, 1 << depth, (frames, *size), dtype) for size in sizes)


def pushed(reference, distorted, chroma='420', depth=8, **options):
    """The result of pushing frame by frame."""
    height, width = reference[0].shape[1:]
    with isovmaf.Session(width, height, chroma, depth, **{**CPU, **options}) as session:
        for n in range(len(reference[0])):
            pair = [tuple(plane[n] for plane in planes) for planes in (reference, distorted)]
            session.push(*(pair if chroma != '400' else (frame[0] for frame in pair)))
        return session.finish()


class Arrays(unittest.TestCase):
    def test_score_as_pushed_frames_do(self):
        for chroma in ('400', '420', '422', '444'):
            for depth, (width, height) in ((8, (64, 48)), (10, (64, 48)), (8, (65, 49))):
                with self.subTest(chroma=chroma, depth=depth, width=width):
                    videos = [video(seed, 3, width, height, chroma, depth) for seed in (1, 2)]
                    given = {} if depth == 8 else {'bit_depth': depth}
                    result = isovmaf.score(*(videos if chroma != '400' else (planes[0] for planes in videos)), **CPU,
                                           **given)
                    self.assertEqual(result, pushed(*videos, chroma, depth))
                    self.assertEqual(len(result.frames), 3)

    def test_have_no_frame_rate(self):
        videos = [video(seed, 4) for seed in (1, 2)]
        results = {text: isovmaf.score(*videos, models=(), **{**CPU, 'features': text})
                   for text in ('xpsnr', 'xpsnr:frame_rate=25', 'xpsnr:frame_rate=60')}
        self.assertEqual(results['xpsnr'], results['xpsnr:frame_rate=25'])
        self.assertNotEqual(results['xpsnr'], results['xpsnr:frame_rate=60'])
        self.assertEqual(list(results['xpsnr'].aggregates), ['axpsnr_y', 'axpsnr_u', 'axpsnr_v', 'axpsnr_min'])

    def test_may_be_views_and_take_options(self):
        videos = [video(seed, 9) for seed in (1, 2)]
        result = isovmaf.score(*(tuple(plane[::2] for plane in planes) for planes in videos), subsample=2, models=(),
                               **CPU)
        every_second = [tuple(plane[::2] for plane in planes) for planes in videos]
        self.assertEqual(result, pushed(*every_second, subsample=2, models=()))
        self.assertEqual(result.frames.tolist(), [0, 2, 4])

    def test_report_progress(self):
        seen = []
        videos = [video(seed, 7) for seed in (1, 2)]
        isovmaf.score(*videos, subsample=3, progress=lambda done, total: seen.append((done, total)), **CPU)
        self.assertEqual(seen[-1], (3, 3))
        self.assertEqual(seen, sorted(set(seen)))

    def test_that_do_not_fit_are_refused(self):
        good, other = video(1), video(2, frames=4)
        for kind, words, arguments, options in (
                (isovmaf.MismatchError, 'numbers of frames: 5, 5, 5, 4', (good, other), {}),
                (isovmaf.MismatchError, r'3 dimensions, not an array of the shape \(48, 64\)', (good[0][0],) * 2, {}),
                (isovmaf.MismatchError, '3 dimensions, not int', ((1, 2, 3), good), {}),
                (isovmaf.MismatchError, 'none of the formats', ((good[0], good[1][:, :5], good[2]),) * 2, {}),
                (isovmaf.MismatchError, 'distorted has 1 planes', (good, good[0]), {}),
                (isovmaf.MismatchError, 'planes is empty', ((), ()), {}),
                (isovmaf.MismatchError, 'float64', (good[0] * 1.0, good[0] * 1.0), {}),
                (isovmaf.InvalidArgumentError, 'give bit_depth', (good[0].astype(np.uint16),) * 2, {}),
                (isovmaf.InvalidArgumentError, 'masked', (np.ma.masked_equal(good[0], 7),) * 2, {}),
                (isovmaf.InvalidArgumentError, 'no pair', (good[0][:0], good[0][:0]), {}),
                (TypeError, 'crop says how a file is read', (good, good), {'crop': '8x8+0+0'}),
                (TypeError, 'width says how a file is read', (good, good), {'width': 64}),
                (TypeError, 'one video is a file', (good, 'b.mkv'), {})):
            with self.subTest(words), self.assertRaisesRegex(kind, words):
                isovmaf.score(*arguments, **CPU, **options)

    def test_need_no_file(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, f'{seed}.npy') for seed in (1, 2)]
            for seed, path in enumerate(paths, 1):
                np.save(path, video(seed)[0])
            mapped = [np.load(path, mmap_mode='r') for path in paths]
            self.assertEqual(isovmaf.score(*mapped, **CPU), pushed(video(1)[:1], video(2)[:1], '400'))


class Pairs(unittest.TestCase):
    def test_may_come_from_any_iterable(self):
        videos = video(1), video(2)
        frames = [list(zip(*planes)) for planes in videos]
        expected = pushed(*videos)
        self.assertEqual(isovmaf.score_pairs(zip(*frames), **CPU), expected)
        self.assertEqual(isovmaf.score_pairs(list(zip(*frames)), **CPU), expected)
        self.assertEqual(isovmaf.score_pairs((pair for pair in zip(*frames)), chroma='420', bit_depth=8, **CPU), expected)

    def test_are_read_as_they_are_needed(self):
        plane, made = np.zeros((48, 64), np.uint8), []

        def pairs():
            for n in itertools.count():
                if n == 200:
                    raise LookupError('the end')
                made.append(n)
                yield plane, plane

        with self.assertRaisesRegex(LookupError, 'the end'):
            isovmaf.score_pairs(pairs(), **CPU)
        self.assertEqual(len(made), 200)

    def test_progress_ends_the_scoring_when_it_raises(self):
        plane = np.zeros((48, 64), np.uint8)

        def progress(done, total):
            self.assertIsNone(total)
            raise KeyError(done)

        with self.assertRaises(KeyError):
            isovmaf.score_pairs(((plane, plane) for _ in itertools.count()), progress=progress, **CPU)


class NumpyVersions(unittest.TestCase):
    def test_that_pybind11_reads_wrongly_are_refused(self):
        for numpy, pybind11 in (('2.0.0', '2.10'), ('2.0.0rc1', '2.11'), ('2.4.1', '2.6'), ('3.0.0', '2.11')):
            with self.subTest(numpy=numpy, pybind11=pybind11), self.assertRaisesRegex(
                    ImportError, f"cannot use NumPy {numpy}: .* pybind11 {pybind11}, .*install NumPy 1 .* pybind11 2.12"):
                isovmaf._check_numpy(numpy, pybind11)

    def test_that_pybind11_reads_are_taken(self):
        for numpy, pybind11 in (('1.24.2', '2.10'), ('1.26.4', '2.13'), ('2.0.0', '2.12'), ('2.3.1', '3.0')):
            with self.subTest(numpy=numpy, pybind11=pybind11):
                isovmaf._check_numpy(numpy, pybind11)

    def test_are_looked_at_when_the_package_is_imported(self):
        old = tuple(map(int, isovmaf._pybind11_version.split('.'))) < (2, 12)
        for numpy, refused in (('1.26.4', False), ('2.0.0', old)):
            with self.subTest(numpy):
                ended = subprocess.run([sys.executable, '-c', f'import numpy; numpy.__version__ = {numpy!r}; import isovmaf'],
                                       text=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
                self.assertEqual((ended.returncode, 'cannot use NumPy 2.0.0' in ended.stderr), (refused, refused))


if __name__ == '__main__':
    unittest.main()
