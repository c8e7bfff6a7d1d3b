#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Tensors that lie on a session's device, with the host stand-in as the device: its memory is that of the CPU, so
tensors are made of NumPy arrays. Arguments: the stand-in's plugin, then those of unittest."""
import gc
import os
import sys
import unittest
import weakref

try:
    import numpy as np
except ImportError:
    print('NumPy is missing (python3-numpy)')
    sys.exit(77)

import isovmaf

plugin = sys.argv.pop(1)
if not plugin:
    print('the host stand-in was not built')
    sys.exit(77)
os.environ['ISOVMAF_HOST_DEVICES'] = '3'
DEVICE = {'backend': 'host', 'backend_dir': os.path.dirname(plugin)}
CPU = 1  # DLPack's type of device


class Tensor:
    """An array that shows no more than a tensor does. `device` is what it claims."""

    def __init__(self, array, device=(CPU, 0)):
        self.array, self.device, self.streams = array, device, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream):
        self.streams.append(stream)
        return self.array.__dlpack__()


def frame(seed, width=64, height=48, dtype=np.uint8):
    rng = np.random.default_rng(seed)
    return tuple(rng.integers(0, 256, (height // n, width // n), dtype) for n in (1, 2, 2))


def tensors(planes):
    return tuple(map(Tensor, planes))


def columns(result):
    return {name: column.tolist() for name, column in result.scores.items()}


class Tensors(unittest.TestCase):
    def test_score_as_arrays_do(self):
        for dtype, depth in ((np.uint8, 8), (np.uint16, 10)):
            pairs = [(frame(n, dtype=dtype), frame(n + 50, dtype=dtype)) for n in range(12)]
            padded = [np.pad(plane, ((0, 0), (0, 16)))[:, :plane.shape[1]] for plane in pairs[0][0]]
            found = []
            for convert, options in ((tuple, {'backend': 'cpu'}), (tuple, DEVICE), (tensors, DEVICE)):
                with isovmaf.Session(64, 48, bit_depth=depth, features='psnr', **options) as session:
                    session.push(convert(padded), convert(pairs[0][1]))
                    for reference, distorted in pairs[1:]:
                        session.push(convert(reference), convert(distorted))
                    found.append(columns(session.finish()))
            self.assertEqual(found[0], found[1])
            self.assertEqual(found[0], found[2])

    def test_of_a_session_on_several_devices_score_the_same(self):
        pairs = [(frame(n), frame(n + 50)) for n in range(12)]
        found = []
        for device, count, convert in ((1, 1, tuple), ([0, 2], 2, tuple), ('0,1,2', 3, tensors), ('all', 3, tuple)):
            with isovmaf.Session(64, 48, features=['psnr', 'motion'], device=device, **DEVICE) as session:
                for reference, distorted in pairs:
                    session.push(convert(reference), convert(distorted))
                result = session.finish()
            found.append(columns(result))
            self.assertEqual(result.execution.device, ', '.join(count * ['host CPU']))
        self.assertEqual(found, 4 * found[:1])
        for wrong, error in (([0, 0], isovmaf.InvalidArgumentError), ('x', isovmaf.InvalidArgumentError), (1.5, TypeError)):
            with self.assertRaises(error):
                isovmaf.Session(64, 48, device=wrong, **DEVICE)

    def test_live_as_long_as_the_session_reads_them(self):
        alive = []
        with isovmaf.Session(64, 48, features='psnr', **DEVICE) as session:
            for n in range(30):
                planes = frame(n)
                alive += [weakref.ref(plane) for plane in planes]
                session.push(tensors(planes), tensors(planes))
                del planes
            gc.collect()
            held = sum(plane() is not None for plane in alive)
            self.assertLess(held, len(alive), 'frames that are scored are given back on the way')
            session.finish()
            gc.collect()
            self.assertEqual(sum(plane() is not None for plane in alive), 0)

    def test_are_given_back_when_a_session_is_dropped(self):
        planes = frame(1)
        kept = weakref.ref(planes[0])
        session = isovmaf.Session(64, 48, **DEVICE)
        session.push(tensors(planes), tensors(planes))
        del planes, session
        gc.collect()
        self.assertIsNone(kept())

    def test_are_asked_for_a_stream_of_the_device(self):
        for features, expected in (('psnr', [[None]] * 6), ((), [[None], [], []] * 2)):  # chroma that nothing reads
            pair = tensors(frame(1)), tensors(frame(2))
            with isovmaf.Session(64, 48, features=features, **DEVICE) as session:
                session.push(*pair)
            self.assertEqual([plane.streams for planes in pair for plane in planes], expected)

    def test_of_other_shapes_types_and_devices_are_refused(self):
        good = frame(1)
        with isovmaf.Session(64, 48, features='psnr', **DEVICE) as session:
            for words, planes in (
                    (r'Y.*shape \(48, 60\).*uint8', (Tensor(good[0][:, :60].copy()), *tensors(good[1:]))),
                    (r'Cb.*int64', (Tensor(good[0]), Tensor(good[1].astype(np.int64)), Tensor(good[2]))),
                    (r'Y.*strides \(128, 2\)', (Tensor(np.zeros((48, 128), np.uint8)[:, ::2]), *tensors(good[1:]))),
                    (r'Y.*strides \(-64, 1\)', (Tensor(good[0][::-1]), *tensors(good[1:]))),
                    (r'Cr.*ndarray beside a tensor', (Tensor(good[0]), Tensor(good[1]), good[2]))):
                with self.subTest(words):
                    with self.assertRaisesRegex(isovmaf.MismatchError, 'distorted.*' + words):
                        session.push(tensors(good), planes)
            with self.assertRaisesRegex(isovmaf.MismatchError, 'reference.*ndarray beside a tensor'):
                session.push(good, tensors(good))
            session.push(tensors(good), tensors(good))
            self.assertEqual(len(session.finish().frames), 1)

    def test_of_the_cpu_are_arrays_elsewhere_and_those_of_gpus_are_refused(self):
        good = frame(1)
        with isovmaf.Session(64, 48, backend='cpu') as session:
            session.push(tuple(map(np.asarray, good)), tuple(Importable(plane) for plane in good))
            self.assertEqual(len(session.finish().frames), 1)
        gpu = tuple(Tensor(plane, (2, 0)) for plane in good)
        with isovmaf.Session(64, 48, backend='cpu') as session:
            with self.assertRaisesRegex(isovmaf.UnsupportedError, 'session on the CPU takes no tensors of a GPU'):
                session.push(gpu, gpu)


class Importable(Tensor):
    """A tensor on the CPU whose producer knows all of DLPack's arguments, as NumPy wants it."""

    def __dlpack__(self, **_):
        return self.array.__dlpack__()


if __name__ == '__main__':
    unittest.main()
