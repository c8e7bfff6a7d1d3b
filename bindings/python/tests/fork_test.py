#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Sessions that a process inherits when it is forked. Arguments: the plugin of the host stand-in or nothing, then those of
unittest."""
import os
import signal
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print('NumPy is missing (python3-numpy)')
    sys.exit(77)

import isovmaf

plugin = sys.argv.pop(1)
PLACES = [{'backend': 'cpu', 'threads': 2}]
if plugin:
    PLACES.append({'backend': 'host', 'backend_dir': os.path.dirname(plugin)})
PLANES = tuple(np.full((n, n), 7, np.uint8) for n in (64, 32, 32))


def in_child(function):
    """What `function` returns in a forked process, or the error that it raises."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            text = str(function())
        except isovmaf.InvalidArgumentError as error:
            text = f'error: {error}'
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as pipe:
        text = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return text if code == 0 else f'{text}; the child ended with {code}'


def session_with_frames(place):
    session = isovmaf.Session(64, 64, **place)
    for _ in range(5):
        session.push(PLANES, PLANES)
    return session


def score(place):
    with session_with_frames(place) as session:
        return session.finish().scores['vmaf'].tolist()


class Fork(unittest.TestCase):
    def test_leaves_a_session_behind(self):
        for place in PLACES:
            with self.subTest(place['backend']), session_with_frames(place) as session:
                refusal = 'error: process [0-9]+ cannot use the session, which process [0-9]+ made before a fork'
                for use in (lambda: session.push(PLANES, PLANES), session.finish, session.next_result,
                            lambda: session.execution):
                    self.assertRegex(in_child(use), refusal)
                self.assertEqual(len(session.finish().frames), 5)

    def test_lets_a_session_be_closed(self):
        for place in PLACES:
            with self.subTest(place['backend']), session_with_frames(place) as session:
                self.assertEqual(in_child(session.close), 'None')

    def test_lets_an_inherited_session_be_collected(self):
        held = [session_with_frames(PLACES[0])]
        self.assertEqual(in_child(held.clear), 'None')
        held[0].close()

    def test_lets_a_child_make_sessions_of_its_own(self):
        for place in PLACES:
            with self.subTest(place['backend']), session_with_frames(place):
                self.assertEqual(in_child(lambda p=place: score(p)), str(score(place)))

    def test_in_a_progress_function_ends_the_score_of_the_child(self):
        children = []

        def progress(done, total):
            if not children:
                children.append(os.fork())
                if children[0] == 0:
                    signal.alarm(20)

        with tempfile.TemporaryDirectory() as folder:
            video = os.path.join(folder, 'video.y4m')
            with open(video, 'wb') as file:
                file.write(b'YUV4MPEG2 W64 H64 F25:1 C420jpeg\n' + 40 * (b'FRAME\n' + bytes(64 * 96)))
            try:
                isovmaf.score(video, video, backend='cpu', progress=progress)
            except isovmaf.InvalidArgumentError as error:
                if children[0] == 0:
                    os._exit('made before a fork' not in str(error))
                raise
            finally:
                if children[:1] == [0]:
                    os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]), 0)


if __name__ == '__main__':
    unittest.main()
