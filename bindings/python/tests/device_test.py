#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Tensors of PyTorch and CuPy on a GPU: scores of arrays, order after the producer's streams, and speed at 1080p beside
that of C++ (`isovmaf bench`). Skipped without PyTorch, a GPU of it, or the plugin. Arguments: the tool or "" (then no
speeds are compared), then those of unittest. ISOVMAF_BACKEND_DIR names the plugin's folder where it is not found, and
ISOVMAF_TEST_BACKEND (cuda) its name."""
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import unittest


def skip(reason):
    print(reason)
    sys.exit(77)


try:
    import numpy as np
    import torch
except ImportError as missing:
    skip(f'no module {missing.name}: tensors on a GPU need NumPy and PyTorch')
if not torch.cuda.is_available():
    skip('PyTorch finds no GPU')

import isovmaf

tool = sys.argv.pop(1)
BACKEND = os.environ.get('ISOVMAF_TEST_BACKEND', 'cuda')
try:
    isovmaf.Session(64, 64, backend=BACKEND).close()
except isovmaf.NotFoundError as error:
    skip(str(error))

WIDTH, HEIGHT = 1920, 1080
DISTINCT_PAIRS = 8
RATE_FRAMES = 2000
LEAST_RATE = 0.9  # of the rate in C++


def arrays(seed, width=640, height=360, depth=8):
    """A frame that looks like a picture, with noise: planes of 4:2:0."""
    rng = np.random.default_rng(seed)
    planes = []
    for n in (1, 2, 2):
        rows, columns = np.mgrid[:height // n, :width // n]
        picture = 0.5 + 0.3 * np.sin((rows + 3 * seed) / 17) * np.cos((columns - 5 * seed) / 23)
        noisy = (picture + rng.normal(0, 0.02, picture.shape)) * (1 << depth)
        planes.append(noisy.clip(0, (1 << depth) - 1).astype(np.uint8 if depth == 8 else np.uint16))
    return tuple(planes)


def to_torch(planes):
    return tuple(torch.from_numpy(plane).cuda() for plane in planes)


def columns(result):
    return {name: column.tolist() for name, column in result.scores.items()}


def score_on(backend, pairs, convert=tuple, **options):
    """Scores of pairs whose frames are converted just before they are pushed."""
    with isovmaf.Session(**{'width': 640, 'height': 360, 'features': 'psnr', 'backend': backend, **options}) as session:
        for reference, distorted in pairs:
            session.push(convert(reference), convert(distorted))
        return columns(session.finish())


class Tensors(unittest.TestCase):
    def test_score_as_arrays_do(self):
        for depth in (8, 10):
            pairs = [(arrays(n, depth=depth), arrays(n + 1, depth=depth)) for n in range(20)]
            expected = score_on('cpu', pairs, bit_depth=depth)
            self.assertEqual(expected, score_on(BACKEND, pairs, bit_depth=depth))
            self.assertEqual(expected, score_on(BACKEND, pairs, to_torch, bit_depth=depth))

    def test_of_cupy_score_as_arrays_do(self):
        try:
            import cupy
        except ImportError:
            self.skipTest('CuPy is missing')
        pairs = [(arrays(n), arrays(n + 1)) for n in range(20)]

        def to_cupy(planes):
            return tuple(map(cupy.asarray, planes))

        self.assertEqual(score_on('cpu', pairs), score_on(BACKEND, pairs, to_cupy))
        with cupy.cuda.Stream(non_blocking=True):
            self.assertEqual(score_on('cpu', pairs), score_on(BACKEND, pairs, to_cupy))

    def test_may_be_slices_of_larger_tensors(self):
        pairs = [(arrays(n), arrays(n + 1)) for n in range(8)]

        def padded(planes):
            return tuple(torch.nn.functional.pad(plane, (0, 64, 3, 0))[3:, :plane.shape[1]] for plane in to_torch(planes))

        self.assertEqual(score_on('cpu', pairs), score_on(BACKEND, pairs, padded))

    def test_are_read_after_the_work_of_their_stream(self):
        """Each frame is written by a stream that is busy for a while first, and its memory is used again at once."""
        pairs = [(arrays(n), arrays(n + 1)) for n in range(20)]
        expected = score_on('cpu', pairs)
        stream, busy = torch.cuda.Stream(), torch.rand(4096, 4096, device='cuda')

        def late(planes):
            with torch.cuda.stream(stream):
                for _ in range(8):
                    busy @ busy
                return tuple(plane.clone() for plane in to_torch(planes))

        def push_late(wait):
            with isovmaf.Session(640, 360, features='psnr', backend=BACKEND) as session:
                for reference, distorted in pairs:
                    frames = [late(reference), late(distorted)]
                    frames = frames if wait else [tuple(map(Hasty, frame)) for frame in frames]
                    with torch.cuda.stream(stream):
                        session.push(*frames)
                    del frames
                return columns(session.finish())

        self.assertEqual(push_late(wait=True), expected)
        print('a producer that orders nothing gives', 'the same scores' if push_late(wait=False) == expected else
              'other scores', '(it may)')

    def test_elsewhere_are_refused(self):
        frame = arrays(1)
        with isovmaf.Session(640, 360, backend=BACKEND) as session:
            with self.assertRaisesRegex(isovmaf.MismatchError, 'beside a tensor'):
                session.push(to_torch(frame), frame)
            with self.assertRaisesRegex(isovmaf.MismatchError, 'Y.*float32'):
                session.push(to_torch(frame), tuple(plane.float() for plane in to_torch(frame)))
            if torch.cuda.device_count() > 1:
                with self.assertRaises((isovmaf.MismatchError, BufferError)):
                    session.push(*[tuple(plane.to('cuda:1') for plane in to_torch(frame))] * 2)
            on_cpu = tuple(torch.from_numpy(plane) for plane in frame)
            session.push(on_cpu, on_cpu)
            self.assertEqual(len(session.finish().frames), 1)
        with isovmaf.Session(640, 360, backend='cpu') as session:
            with self.assertRaisesRegex(isovmaf.UnsupportedError, 'CPU takes no tensors'):
                session.push(to_torch(frame), to_torch(frame))

    def test_are_pushed_as_the_page_says(self):
        page = (pathlib.Path(__file__).parents[3] / 'docs' / 'python.md').read_text(encoding='utf-8')
        blocks = [block for block in re.findall(r'^```python\n(.*?)^```$', page, re.MULTILINE | re.DOTALL)
                  if 'backend="cuda"' in block]
        self.assertEqual(len(blocks), 1)
        pair = to_torch(arrays(1, WIDTH, HEIGHT)), to_torch(arrays(2, WIDTH, HEIGHT))
        names = {'isovmaf': isovmaf, 'pairs': [pair] * 3}
        exec(blocks[0].replace('"cuda"', f'"{BACKEND}"'), names)
        self.assertEqual(len(names['result'].frames), 3)

    def test_use_no_more_memory_with_more_frames(self):
        frame = to_torch(arrays(1))
        with isovmaf.Session(640, 360, backend=BACKEND) as session:
            for n in range(2000):
                session.push(tuple(plane.clone() for plane in frame), frame)
                if n == 200:
                    torch.cuda.synchronize()
                    before = torch.cuda.memory_reserved()
            session.finish()
        self.assertLessEqual(torch.cuda.memory_reserved(), before)


class Hasty:
    """A tensor whose producer orders nothing before the reader's stream."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()

    def __dlpack__(self, **_):
        return self.tensor.__dlpack__(stream=-1)


class Speed(unittest.TestCase):
    def rate(self, chroma):
        """Frames a second of VMAF from tensors, from the first push until the last score is there."""
        pairs = [(to_torch(arrays(n, WIDTH, HEIGHT)), to_torch(arrays(n + 1, WIDTH, HEIGHT)))
                 for n in range(DISTINCT_PAIRS)]
        if chroma == '400':
            pairs = [(reference[0], distorted[0]) for reference, distorted in pairs]
        with isovmaf.Session(WIDTH, HEIGHT, chroma, backend=BACKEND) as session:
            session.push(*pairs[0])  # opens what the first tensor opens
            torch.cuda.synchronize()
            start = time.perf_counter()
            for reference, distorted in itertools.islice(itertools.cycle(pairs), RATE_FRAMES):
                session.push(reference, distorted)
            session.finish()
            return RATE_FRAMES / (time.perf_counter() - start)

    def bench(self):
        command = [tool, 'bench', '--backend', BACKEND, '--device_frames', '--frames', str(RATE_FRAMES), '--json']
        report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        return next(result['frames_per_second'] for result in report['results'] if result['name'] == report['model'])

    def test_at_1080p_is_that_of_cpp(self):
        if not tool:
            self.skipTest('no tool to compare with')
        rounds = [(self.bench(), self.rate('420'), self.rate('400')) for _ in range(3)]
        best = [max(rates) for rates in zip(*rounds)]
        for name, rate in zip(('C++, 4:2:0', 'tensors, 4:2:0', 'tensors, luma alone'), best):
            print(f'{name}: {rate:.0f} frames/s, {rate / best[0]:.2f} of C++')
        self.assertGreaterEqual(best[1] / best[0], LEAST_RATE, rounds)
        self.assertGreaterEqual(best[2] / best[0], LEAST_RATE, rounds)


if __name__ == '__main__':
    unittest.main()
