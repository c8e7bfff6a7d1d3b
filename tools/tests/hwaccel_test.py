#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""--hwaccel where no device decodes: a name is an error with the reason, and auto goes on with one line.

    hwaccel_test.py ISOVMAF LIBVMAF_HOST CLIPS [TEST]...
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


class Hwaccel(unittest.TestCase):
    ISOVMAF = HOST = CLIPS = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.plugins = self.folder / "plugins"
        self.plugins.mkdir()
        (self.plugins / "libvmaf_host.so").symlink_to(self.HOST)

    def score(self, backend, *options, expect=0):
        videos = [self.CLIPS / f"landscape_640x360_8b_{side}.mkv" for side in ("ref", "dis")]
        result = subprocess.run([self.ISOVMAF, "score", *videos, "--backend", backend, "--backend-dir", self.plugins,
                                 "--frame_cnt", "2", "--no_prediction", "--feature", "psnr", "-o",
                                 self.folder / "report.json", "-q", *options], capture_output=True, text=True,
                                env={**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")})
        self.assertEqual(result.returncode, expect, result.stderr)
        return result.stderr

    def report(self):
        return json.loads((self.folder / "report.json").read_text())

    def test_the_default_decodes_in_software_and_says_nothing(self):
        for options in ((), ("--hwaccel", "none")):
            self.assertEqual(self.score("host", *options), "")
            self.assertNotIn("decoder", self.report()["isovmaf"]["reference"])

    def test_a_name_that_cannot_be_had_fails_with_the_reason(self):
        for backend, reason in (("cpu", "the scores are computed on the CPU"),
                                ("host", "decoders of other libraries cannot use the queues of host")):
            error = self.score(backend, "--hwaccel", "cuda", expect=1)
            self.assertIn("error: --hwaccel cuda cannot be had: " + reason, error)
            self.assertFalse((self.folder / "report.json").exists())
        error = self.score("cpu", "--hwaccel", "vaapi", expect=2)
        self.assertIn("one of none, auto, cuda", error)

    def test_auto_goes_on_with_one_line(self):
        for backend, reason in (("cpu", "the scores are computed on the CPU"),
                                ("host", "decoders of other libraries cannot use the queues of host")):
            self.score(backend)
            expected = self.report()["frames"]
            lines = self.score(backend, "--hwaccel", "auto").splitlines()
            self.assertEqual(len(lines), 1, lines)
            self.assertIn("the CPU decodes both videos: " + reason, lines[0])
            self.assertEqual(self.report()["frames"], expected)
        self.assertFalse((self.folder / "cache/isovmaf").exists())

    def test_batches_do_as_single_videos_do(self):
        ref, dis = (self.CLIPS / f"landscape_640x360_8b_{side}.mkv" for side in ("ref", "dis"))
        manifest = self.folder / "m.csv"
        manifest.write_text("reference,distorted,frame_cnt,no_prediction,feature\n" + "".join(
            f"{ref},{dis},{frames},true,psnr\n" for frames in (2, 3)))

        def batch(backend, hwaccel, expect=0):
            run = self.folder / f"{backend}-{hwaccel}"
            result = subprocess.run([self.ISOVMAF, "batch", manifest, "--run", run, "--backend", backend, "--backend-dir",
                                     self.plugins, "--hwaccel", hwaccel, "--workers", "2", "--group", "1", "-q"],
                                    capture_output=True, text=True)
            self.assertEqual(result.returncode, expect, result.stderr)
            return run, result.stderr

        expected, notices = batch("host", "none")
        self.assertEqual(notices, "")
        reason = "decoders of other libraries cannot use the queues of host"
        for backend, why in (("host", reason), ("cpu", "the scores are computed on the CPU")):
            run, notices = batch(backend, "auto")
            self.assertEqual(len(notices.splitlines()), 1, "one line, whatever the number of workers and rows")
            self.assertIn("the CPU decodes both videos: " + why, notices)
            self.assertEqual((run / "results.csv").read_text(), (expected / "results.csv").read_text())
        run, error = batch("host", "cuda", expect=69)
        self.assertIn("--hwaccel cuda cannot be had: " + reason, error)
        self.assertFalse((run / "results.csv").exists())


if __name__ == "__main__":
    Hwaccel.ISOVMAF, Hwaccel.HOST, Hwaccel.CLIPS = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
