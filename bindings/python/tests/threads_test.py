#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Threads, progress, interruption and memory of the Python package. Arguments: the folder of the bundled clips, then those
of unittest."""
import fcntl
import os
import pathlib
import signal
import sys
import termios
import threading
import time
import unittest

try:
    import numpy as np
except ImportError:
    print('NumPy is missing (python3-numpy)')
    sys.exit(77)

import isovmaf

clips = sys.argv.pop(1)
CLIP = [str(pathlib.Path(clips) / f'landscape_640x360_8b_{side}.mkv') for side in ('ref', 'dis')]


def resident_bytes():
    return int(pathlib.Path('/proc/self/statm').read_text().split()[1]) * os.sysconf('SC_PAGE_SIZE')


class Pipe:
    """A video that never ends and gives no frame either: its writer wrote a header only."""

    def __enter__(self):
        self.reader, self.writer = os.pipe()
        os.write(self.writer, b'YUV4MPEG2 W640 H360 F25:1 C420jpeg\n')
        return self

    def path(self):
        return f'/dev/fd/{self.reader}'

    def is_read(self):
        return fcntl.ioctl(self.writer, termios.FIONREAD, bytes(4)) == bytes(4)

    def __exit__(self, *_):
        os.close(self.writer)
        os.close(self.reader)


class Threads(unittest.TestCase):
    def test_of_python_run_while_a_video_is_scored(self):
        with Pipe() as video:
            def count():
                counted = 0
                while counted < 50:
                    counted += video.is_read()  # the scoring waits for a frame now
                    time.sleep(0.001)
                signal.raise_signal(signal.SIGINT)

            thread = threading.Thread(target=count)
            with self.assertRaises(KeyboardInterrupt):
                thread.start()
                isovmaf.score(CLIP[0], video.path())
            thread.join()

    def test_share_a_session(self):
        planes = tuple(np.full((n, n), 7, np.uint8) for n in (64, 32, 32))
        with isovmaf.Session(64, 64, backend='cpu') as session:
            def push():
                for _ in range(50):
                    session.push(planes, planes)
            threads = [threading.Thread(target=push) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(session.finish().frames.tolist(), list(range(200)))

    def test_have_sessions_of_their_own(self):
        found = []

        def run():
            found.append(isovmaf.score(*CLIP, frame_cnt=8, backend='cpu').scores['vmaf'].tolist())

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found[0]), 8)
        self.assertEqual(found[1:], found[:1] * 2)


class Progress(unittest.TestCase):
    def test_is_reported_to_the_end(self):
        seen = []
        isovmaf.score(*CLIP, subsample=7, backend='cpu', progress=lambda done, total: seen.append((done, total)))
        self.assertEqual(seen[-1], (9, 9))
        self.assertEqual(seen, sorted(set(seen)))

    def test_that_raises_ends_the_scoring(self):
        def progress(done, total):
            raise LookupError(f'at {done}')

        with self.assertRaisesRegex(LookupError, 'at [1-9]'):
            isovmaf.score(*CLIP, backend='cpu', progress=progress)


class Memory(unittest.TestCase):
    def test_stays_the_same_over_ten_thousand_frames(self):
        rng = np.random.default_rng(2)
        frames = [rng.integers(0, 256, (48, 48), np.uint8) for _ in range(9)]
        with isovmaf.Session(48, 48, '400', models=(), features='psnr', backend='cpu', threads=2) as session:
            for n in range(10_000):
                if n == 1_000:
                    before = resident_bytes()
                session.push(frames[n % 9], frames[n % 8])
            grown = resident_bytes() - before
            self.assertEqual(len(session.finish().frames), 10_000)
        self.assertLess(grown, 4 << 20, 'bytes for 9,000 frames, whose scores take 0.5 MiB')

    def test_comes_back_when_a_session_is_closed(self):
        def use():
            with isovmaf.Session(640, 360, '400', backend='cpu') as session:
                plane = np.zeros((360, 640), np.uint8)
                for _ in range(4):
                    session.push(plane, plane)
                session.finish()

        for n in range(12):
            if n == 3:
                before = resident_bytes()
            use()
        self.assertLess(resident_bytes() - before, 8 << 20)


if __name__ == '__main__':
    unittest.main()
