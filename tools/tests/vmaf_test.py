#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `vmaf` as scripts and people do, where recordings of libvmaf's program say nothing.

    vmaf_test.py VMAF FAKE_BACKENDS
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from terminal import open_terminal

VMAF, FAKE_BACKENDS = "", ""
FRAME = b"FRAME\n" + bytes(n % 251 for n in range(64 * 48 * 3 // 2))


class VmafTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("ref.y4m", "dis.y4m"):
            (self.folder / name).write_bytes(b"YUV4MPEG2 W64 H48 F25:1 C420jpeg\n" + 2 * FRAME)

    def run_vmaf(self, *options, videos=("-r", "ref.y4m", "-d", "dis.y4m"), **settings):
        return subprocess.run([VMAF, *videos, *options], cwd=self.folder, stdin=subprocess.DEVNULL, check=False,
                              **{"capture_output": True, "text": True, **settings})

    def psnr(self, *options, **settings):
        return self.run_vmaf("-n", "--feature", "psnr", *options, **settings)

    def test_mistakes_have_a_sentence(self):
        for options, words in ((["--frame", "1"], "--frame_cnt or --frame_skip_ref or --frame_skip_dist"),
                               (["--nonsense"], "--nonsense"), (["-x"], "-x"), (["--json=1"], "--json takes no value"),
                               (["--output"], "--output needs a value"), (["-o", ""], "--output"), (["-w", "64"], "--height"),
                               (["--threads", "1e3"], "1e3"), (["--cpumask", "avx2"], "avx2"),
                               (["--aom_ctc", "v9.0"], "v1.0, v2.0, v3.0, v4.0, v5.0, v6.0, v7.0"),
                               (["--nflx_ctc", "proposed"], "v1.0")):
            with self.subTest(options):
                result = self.run_vmaf(*options)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, r"\Avmaf: error: .*\n\Z")
                self.assertIn(words, result.stderr)

    def test_a_file_that_cannot_be_read_does_not_wait_for_the_driver(self):
        shutil.copy(f"{FAKE_BACKENDS}/fake_slow.so", self.folder / "libvmaf_slow.so")
        result = self.run_vmaf(videos=("-r", "missing.y4m", "-d", "dis.y4m"),
                               env={**os.environ, "ISOVMAF_BACKEND_DIR": str(self.folder), "FAKE_OPENING_UNTIL": "/nonexistent"})
        self.assertEqual(result.returncode, 255)
        self.assertRegex(result.stderr, r"\Avmaf: error: .*missing\.y4m.*\n\Z")

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make a container with")
    def test_raw_video_options_do_not_make_headers_samples(self):
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", "ref.y4m", "-c:v", "rawvideo", "ref.avi"], cwd=self.folder,
                       check=True)
        raw = ("-p", "420", "-b", "8", "-h", "48", "-w")
        for reference in ("ref.y4m", "ref.avi"):
            with self.subTest(reference):
                result = self.psnr(*raw, "64", "--csv", "-o", "report", videos=("-r", reference, "-d", "dis.y4m"))
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertEqual((self.folder / "report").read_text().splitlines()[1:],
                                 [f"{n},60.000000,60.000000,60.000000," for n in range(2)])
                refused = self.psnr(*raw, "32", videos=("-r", reference, "-d", "dis.y4m"))
                self.assertEqual(refused.returncode, 255)
                self.assertIn(reference, refused.stderr)

    def test_aliases_of_options_are_refused_with_the_name(self):
        for options in (("-n", "--feature", "vif=egl=1.5"), ("-m", "version=vmaf_v0.6.1:vif.egl=1.5")):
            with self.subTest(options):
                result = self.run_vmaf(*options)
                self.assertEqual(result.returncode, 255)
                self.assertRegex(result.stderr, r'\Avmaf: error: .*"egl".*it is called vif_enhn_gain_limit\n\Z')

    def test_help_fits_a_terminal(self):
        result = self.run_vmaf("--help", videos=())
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("  -p, --pixel_format FORMAT", result.stdout)
        self.assertLessEqual(max(map(len, result.stdout.split("\n"))), 80)

    def test_a_report_may_replace_any_file_but_an_input(self):
        (self.folder / "notes").write_text("notes")
        os.link(self.folder / "ref.y4m", self.folder / "link")
        result = self.psnr("extra", "-o", "notes")
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertIn("\"extra\" is no option", result.stderr)
        self.assertTrue((self.folder / "notes").read_text().startswith("<VMAF version=\"3.2.0+isovmaf."))
        self.assertEqual(self.psnr("-o", "link").returncode, 255)
        self.assertEqual((self.folder / "ref.y4m").read_bytes()[:9], b"YUV4MPEG2")

    def test_a_report_that_cannot_be_written_loses_no_score(self):
        result = self.run_vmaf("-o", "/dev/full")
        self.assertEqual(result.returncode, 255)
        self.assertRegex(result.stderr, r"\Avmaf_v0\.6\.1: [0-9.]+\nvmaf: error: cannot write report /dev/full: .*\n\Z")

    def test_a_frame_that_cannot_be_read_keeps_those_before_it(self):
        (self.folder / "bad.y4m").write_bytes((self.folder / "dis.y4m").read_bytes() + b"FROME\n" + FRAME)
        (self.folder / "long.y4m").write_bytes((self.folder / "ref.y4m").read_bytes() + 2 * FRAME)
        result = self.psnr("--csv", "-o", "report", videos=("-r", "long.y4m", "-d", "bad.y4m"))
        self.assertEqual(result.returncode, 255)
        self.assertRegex(result.stderr, r"\Avmaf: failed: .* are in report\.partial\nvmaf: error: .*bad\.y4m.* frame 2 .*\n\Z")
        self.assertEqual((self.folder / "report.partial").read_text().splitlines()[1:3],
                         [f"{n},60.000000,60.000000,60.000000," for n in range(2)])
        self.assertFalse((self.folder / "report").exists())

    def test_one_process_feeds_two_pipes(self):
        for name in ("ref", "dis"):
            (self.folder / f"{name}.y4m").write_bytes(b"YUV4MPEG2 W64 H48 F25:1 C420jpeg\n" + 30 * FRAME)
            os.mkfifo(self.folder / f"{name}.fifo")
        with subprocess.Popen(["sh", "-c", "exec 4> dis.fifo 3> ref.fifo; cat ref.y4m >&3; cat dis.y4m >&4"], cwd=self.folder):
            result = self.psnr("--csv", "-o", "report", videos=("-r", "ref.fifo", "-d", "dis.fifo"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(len((self.folder / "report").read_text().splitlines()), 31)

    def test_different_colour_ranges_are_scored_with_a_warning(self):
        for name, colour_range in (("ref.y4m", b"LIMITED"), ("dis.y4m", b"FULL")):
            (self.folder / name).write_bytes(b"YUV4MPEG2 W64 H48 F25:1 C420jpeg XCOLORRANGE=" + colour_range + b"\n" + FRAME)
        result = self.psnr()
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"\Avmaf: warning: .*colour range")

    def test_a_closed_standard_error_loses_no_report(self):
        result = self.psnr("extra", "-o", "report", preexec_fn=lambda: os.close(2), capture_output=False)
        self.assertEqual(result.returncode, 0)
        self.assertTrue((self.folder / "report").exists())

    def test_a_gpu_mask_leaves_gpus_alone(self):
        shutil.copy(f"{FAKE_BACKENDS}/fake_symbolless.so", self.folder / "libvmaf_symbolless.so")
        settings = {"env": {**os.environ, "ISOVMAF_BACKEND_DIR": str(self.folder)}}
        self.assertIn("warning", self.psnr(**settings).stderr)  # about the plugin, which is refused
        for mask in ("1", "0xffffffff", "-1"):
            self.assertEqual(self.psnr("--gpumask", mask, **settings).stderr, "")

    def test_a_terminal_shows_the_score(self):
        for options, shown in (([], "vmaf_v0.6.1: 97.4"), (["-qo", "report"], "")):
            control, terminal = open_terminal(self)
            result = self.run_vmaf(*options, capture_output=False, stderr=terminal, stdout=subprocess.DEVNULL)
            self.assertEqual(result.returncode, 0)
            os.write(terminal, b"end\n")
            text = ""
            while not text.endswith("end\r\n"):  # the kernel hands texts of a terminal over in pieces
                text += os.read(control, 4096).decode()
            os.close(control)
            os.close(terminal)
            self.assertIn(shown, text) if shown else self.assertEqual(text, "end\r\n")


if __name__ == "__main__":
    VMAF, FAKE_BACKENDS = (os.path.abspath(argument) for argument in sys.argv[1:3])
    del sys.argv[1:3]
    unittest.main()
