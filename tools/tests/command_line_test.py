#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf score` as a user does, with good input in every form and bad input of every kind.

    command_line_test.py ISOVMAF
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest
import xml.dom.minidom

from score_runs import FRAMES, HEIGHT, moving_bars, OLD_REPORT, picture, ScoreTest, WIDTH, y4m


class GoodInput(ScoreTest):
    def test_reports_are_the_same_for_every_thread_count(self):
        options = ("-m", "version=vmaf_v0.6.1", "-m", "version=vmaf_v0.6.1neg:name=neg", "--feature", "psnr")
        for report_format, counts in (("json", (1, 2, 3, 8)), ("xml", (1, 3)), ("csv", (1, 2)), ("sub", (1, 8))):
            reports = set()
            for threads in counts:
                path = self.folder / "report"
                result = self.score(f"--{report_format}", "-o", path, "--threads", threads, *options)
                self.assertEqual(result.returncode, 0, result.stderr.decode())
                reports.add(path.read_bytes())
            self.assertEqual(len(reports), 1, report_format)

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make other containers with")
    def test_y4m_raw_and_lossless_files_score_the_same(self):
        def convert(source, name, *options):
            target = self.folder / name
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", source, *options, target], check=True)
            return target

        expected = self.report()["frames"]
        self.assertEqual(len(expected), FRAMES)
        for suffix, make, options in (
                # Options about raw video do not make a container raw.
                ("mkv", ("-c:v", "ffv1"), ("-w", WIDTH, "-h", HEIGHT, "-p", "420", "-b", "8")),
                ("nut", ("-c:v", "rawvideo"), ()),
                ("yuv", ("-f", "rawvideo"), ("-w", WIDTH, "-h", HEIGHT, "-p", "420", "-b", "8",
                                             "--ref-format", f"raw:{WIDTH}x{HEIGHT}:420p8@25"))):
            frames = self.report(*options, reference=convert(self.reference, f"r.{suffix}", *make),
                                 distorted=convert(self.distorted, f"d.{suffix}", *make))["frames"]
            self.assertEqual(frames, expected, suffix)

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make pictures with")
    def test_pictures_are_converted_as_the_report_says(self):
        pictures = self.folder / "%02d.png"
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", self.distorted, "-pix_fmt", "rgb24", "-start_number", "7",
                        pictures], check=True)
        psnr = ("--no_prediction", "--feature", "psnr")
        report = self.report(*psnr, "--convert", "dis:bt601", distorted=pictures)
        self.assertIn("rgb24 to yuv420p, matrix smpte170m", report["isovmaf"]["distorted"]["conversions"][0])
        again = self.report(*psnr, "--dis-format", f"{WIDTH}x{HEIGHT}:420p8@25",
                            distorted=self.made_by_ffmpeg(report, "distorted"))
        self.assertEqual(again["frames"], report["frames"])

    def test_videos_need_no_option(self):
        def score(*arguments):
            return subprocess.run([self.ISOVMAF, "score", *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout

        expected = score("-r", self.reference, "-d", self.distorted, "-q")
        self.assertEqual(score(self.reference, self.distorted, "-q"), expected)
        self.assertEqual(score("-q", self.reference, "--threads", "1", self.distorted), expected)
        self.assertEqual(score("-q", "-m", "version=vmaf_v0.6.1", "--", self.reference, self.distorted), expected)

    def test_standard_input(self):
        expected = self.report()["frames"]
        content = pathlib.Path(self.distorted).read_bytes()
        self.assertEqual(self.report(distorted="-", stdin=content)["frames"], expected)

    def test_a_pipe_gets_only_the_table(self):
        result = self.score()
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, b"")
        self.assertIn(b"vmaf", result.stdout)
        self.assertEqual(self.score("--progress=frames").stderr.count(b"frame "), FRAMES)

    def test_the_file_name_chooses_the_format(self):
        for name, start in (("report.json", b"{"), ("report.csv", b"Frame,"), ("report.sub", b"{0}"), ("report.txt", b"<VMAF")):
            path = self.folder / name
            self.assertEqual(self.score("-o", path).returncode, 0)
            self.assertTrue(path.read_bytes().startswith(start), name)
        xml.dom.minidom.parse(str(self.folder / "report.txt"))

    def test_precisions_give_the_same_numbers(self):
        exact = [frame["metrics"]["vmaf"] for frame in self.report("--precision", "max")["frames"]]
        hexadecimal = [float.fromhex(frame["metrics"]["vmaf"]) for frame in self.report("--precision", "hex")["frames"]]
        rounded = [frame["metrics"]["vmaf"] for frame in self.report()["frames"]]
        self.assertEqual(exact, hexadecimal)
        for a, b in zip(exact, rounded):
            self.assertAlmostEqual(a, b, places=6)

    def test_frames_are_skipped_limited_and_subsampled(self):
        whole = self.report("--no_prediction", "--feature", "psnr")["frames"]
        part = self.report("--no_prediction", "--feature", "psnr", "--frame_skip_ref", 2, "--frame_skip_dis", 2,
                           "--frame_cnt", 3)["frames"]
        self.assertEqual([frame["metrics"] for frame in part], [frame["metrics"] for frame in whole[2:5]])
        every_other = self.report("--no_prediction", "--feature", "psnr", "--subsample", 2)["frames"]
        self.assertEqual(every_other, whole[::2])

    def test_resizing_needs_an_option_and_is_reported(self):
        small = self.write("small.y4m", y4m([picture(n, 64, 48) for n in range(2)], 64, 48))
        self.assert_refused(self.score(distorted=small), "97x65", "64x48", "--resize")
        report = self.report("--resize", "dis:lanczos", distorted=small)
        self.assertEqual(report["isovmaf"]["resize"], "dis:lanczos")

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to run the printed command")
    def test_the_printed_command_of_ffmpeg_gives_the_samples_that_are_scored(self):
        small = self.write("small.y4m", y4m([picture(n, 33, 27) for n in range(2)], 33, 27))
        scoring = ("--no_prediction", "--feature", "psnr", "--precision", "max")
        for distorted, size, options in (
                (small, "97x65:420p8", ("--resize", "dis")),
                (self.distorted, "90x60:420p8", ("--crop", "90x60+2+4")),
                (self.distorted, "97x65:420p10", ("--crop", "dis:72:50:4:6", "--convert", "ref:10", "--convert", "dis:10",
                                                  "--resize", "dis:lanczos+accurate_rnd")),
                (small, "97x65:420p8", ("--resize", "dis:exact")),
                (self.distorted, "97x65:444p10", ("--convert", "ref:444p10", "--convert", "dis:444p10")),
                (self.distorted, "97x65:422p10", ("--convert", "ref:422", "--convert", "dis:422p10", "--convert", "ref:10"))):
            with self.subTest(options):
                report = self.report(*scoring, *options, distorted=distorted)
                again = self.report(*scoring, "--ref-format", size, "--dis-format", size,
                                    reference=self.made_by_ffmpeg(report, "reference"),
                                    distorted=self.made_by_ffmpeg(report, "distorted"))
                self.assertEqual([frame["metrics"] for frame in again["frames"]],
                                 [frame["metrics"] for frame in report["frames"]])

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to run the printed command")
    def test_the_printed_command_takes_any_name(self):
        content = self.distorted.read_bytes()
        expected = None
        for name in ("plain.y4m", "a:b.y4m", "-i.y4m", "-", "pipe:0", "concat:ref.y4m|x", "http:x", "subfile,,start,0,:x", "x/y:z.y4m",
                     "it's $(touch x) \"q\".y4m", "two\nlines.y4m", "50%d.y4m"):
            with self.subTest(name):
                (self.folder / name).parent.mkdir(exist_ok=True)
                self.write(name, content)
                given = "./-" if name == "-" else name
                result = subprocess.run(
                    [self.ISOVMAF, "score", "--json", "-n", "--feature", "psnr", "--crop", "dis:90x60+2+4", "--resize", "dis", "--",
                     self.reference, given], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
                self.assertEqual(result.returncode, 0, result.stderr)
                command = json.loads(result.stdout)["isovmaf"]["distorted"]["ffmpeg_command"]
                samples = subprocess.run(command, shell=True, check=True, stdin=subprocess.DEVNULL, capture_output=True,
                                         cwd=self.folder).stdout
                expected = expected or samples
                self.assertGreater(len(samples), 0)
                self.assertEqual(samples, expected)

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make other chroma with")
    def test_different_chroma_is_scored_in_luma_or_converted(self):
        master = self.folder / "master.y4m"
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", self.reference, "-sws_flags", "bitexact+accurate_rnd",
                        "-pix_fmt", "yuv422p", master], check=True)
        psnr = ("--no_prediction", "--feature", "psnr")
        self.assert_refused(self.score(*psnr, reference=master), "psnr would read chroma", "--convert ref:420p8 or --convert dis:422p8")
        report = self.report(reference=master)
        self.assertEqual(report["frames"], self.report()["frames"])
        self.assertIn("luma is compared", " ".join(report["isovmaf"]["notes"]))
        converted = self.report(*psnr, "--convert", "ref:420p8", reference=master)
        self.assertIn("422p8 to 420p8 by libswscale", converted["isovmaf"]["reference"]["conversions"][0])

    def options_of(self, refused):
        """The options that an error names, each set of which should help by itself."""
        advice = refused.stderr.decode().strip().rpartition("; ")[2]
        return [shlex.split(words) for words in re.findall(r"(?:--(?:convert|resize|feature) [^ ,]+ ?)+", advice)]

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make a master with")
    def test_the_usual_pair_is_scored_and_every_advice_about_others_helps(self):
        """A master in 4:2:2 with 10 bit beside an encode in 4:2:0 with 8 bit."""
        def make(name, *options, size="256x240"):
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s={size}:r=25:d=0.08",
                            *options, "-strict", "-1", self.folder / name], check=True)
            return self.folder / name

        master, encode = make("master.y4m", "-pix_fmt", "yuv422p10"), make("encode.y4m", "-pix_fmt", "yuv420p")
        small = make("small.y4m", "-pix_fmt", "yuv420p", size="240x216")
        report = self.report(reference=master, distorted=encode)
        self.assertIn("bit depth from 8 to 10", report["isovmaf"]["distorted"]["conversions"][0])
        self.assertRegex(" ".join(report["isovmaf"]["notes"]), "encode.y4m has 8 bits .*master.y4m has 10")
        self.assertEqual(report["frames"], self.report("--convert", "dis:10", reference=master, distorted=encode)["frames"])
        for scoring, distorted, formats, count in (
                (("-m", "v1"), encode, ("256x240 4:2:2 10-bit", "256x240 4:2:0 8-bit"), 2),
                (("-m", "v1", "--strict"), encode, ("256x240 4:2:2 10-bit", "256x240 4:2:0 8-bit"), 2),
                (("-m", "v1"), small, ("256x240 4:2:2 10-bit", "240x216 4:2:0 8-bit"), 2),
                (("-n", "--feature", "psnr"), encode, ("256x240 4:2:2 10-bit", "256x240 4:2:0 8-bit"), 3),
                (("--strict",), encode, ("256x240 4:2:2 10-bit", "256x240 4:2:0 8-bit"), 1),
                ((), small, ("256x240 4:2:2 10-bit", "240x216 4:2:0 8-bit"), 2)):
            with self.subTest(scoring=scoring, distorted=distorted.name):
                refused = self.score(*scoring, reference=master, distorted=distorted)
                self.assertEqual(refused.returncode, 1)
                for name in formats:
                    self.assertIn(name, refused.stderr.decode())
                advice = self.options_of(refused)
                self.assertEqual(len(advice), count, refused.stderr)
                for options in advice:
                    given = () if "--feature" in options else scoring
                    kept = ("-n",) if "--feature" in options else ()
                    self.report(*given, *kept, *options, reference=master, distorted=distorted)
        self.report("-m", "v1", "--convert", "420p10", reference=master, distorted=encode)
        notes = self.report("-m", "v1", "--convert", "ref:420p10", reference=master, distorted=encode)["isovmaf"]["notes"]
        self.assertIn("cambi.enc_bitdepth=8", " ".join(notes))
        self.report("-m", "v1:cambi.enc_bitdepth=8", "--convert", "ref:420p10", reference=master, distorted=encode)

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make a video with a rotation with")
    def test_pictures_are_turned_as_ffmpeg_turns_them(self):
        upright, turned, expected = (self.folder / name for name in ("p.mov", "turned.mov", "expected.yuv"))
        make = ["ffmpeg", "-nostdin", "-v", "error", "-i"]
        subprocess.run([*make, self.distorted, "-c:v", "mpeg4", "-q:v", "2", upright], check=True)
        scoring = ("--no_prediction", "--feature", "psnr", "--ref-format")
        for angle in (90, 180, 270):
            with self.subTest(angle):
                subprocess.run([*make, upright, "-y", "-c", "copy", "-metadata:s:v:0", f"rotate={angle}", turned], check=True)
                subprocess.run([*make, turned, "-y", "-f", "rawvideo", expected], check=True) # ffmpeg turns them itself
                size = f"{WIDTH}x{HEIGHT}" if angle == 180 else f"{HEIGHT}x{WIDTH}"
                refused = self.score(*scoring, f"{size}:420@25", reference=expected, distorted=turned)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("use --convert ref:rotate and --convert dis:rotate", refused.stderr.decode())
                report = self.report(*scoring, f"{size}:420@25", "--convert", "dis:rotate", reference=expected,
                                     distorted=turned)
                for frame in report["frames"]:
                    self.assertEqual(set(frame["metrics"].values()), {60.0}) # equal samples
                self.assertRegex(report["isovmaf"]["distorted"]["conversions"][0], "turned as players do: rotation .* degrees")
                self.assertEqual(pathlib.Path(self.made_by_ffmpeg(report, "distorted")).read_bytes(), expected.read_bytes())

    def made_by_ffmpeg(self, report, side):
        """The samples of one side, made by the command that the report gives."""
        command = report["isovmaf"][side]["ffmpeg_command"]
        if command is None:
            return report["isovmaf"][side]["path"]
        return self.write(f"{side}.yuv", subprocess.run(command, shell=True, check=True, stdin=subprocess.DEVNULL,
                                                        capture_output=True).stdout)

    def test_videos_of_different_length(self):
        short = self.write("short.y4m", y4m([picture(n + 3) for n in range(4)]))
        result = self.score("--no_prediction", "--feature", "psnr", distorted=short)
        self.assertEqual(result.returncode, 0)
        self.assertIn("warning", result.stderr.decode())
        self.assertIn("4", result.stderr.decode())
        self.assert_refused(self.score("--strict", "-o", self.folder / "report.json", distorted=short), "4")

    def test_a_truncated_frame_ends_the_video_with_a_warning(self):
        cut = self.write("cut.y4m", pathlib.Path(self.distorted).read_bytes()[:-100])
        result = self.score("-o", self.folder / "scores.json", distorted=cut)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn("ends inside frame 5", result.stderr.decode())
        self.assertEqual(len(json.loads((self.folder / "scores.json").read_text())["frames"]), FRAMES - 1)



class BadInput(ScoreTest):
    def test_files_that_are_no_video(self):
        cases = {
            "missing.y4m": None,
            "empty.y4m": b"",
            "text.mkv": b"this is no video\n" * 100,
            "header.y4m": b"YUV4MPEG2 W0 H65 F25:1\nFRAME\n",
            "huge.y4m": b"YUV4MPEG2 W2147483648 H65 F25:1\nFRAME\n",
            "negative.y4m": b"YUV4MPEG2 W-97 H65 F25:1\nFRAME\n",
            "colour.y4m": b"YUV4MPEG2 W97 H65 F25:1 C411\nFRAME\n",
            "headless.y4m": b"YUV4MPEG2 W97 H65 F25:1 C420jpeg\n",
        }
        for name, content in cases.items():
            path = self.folder / name
            if content is not None:
                path.write_bytes(content)
            with self.subTest(name):
                self.assert_refused(self.score("-o", self.folder / "report.json", distorted=path))
        self.assert_refused(self.score(distorted=self.folder), "directory")
        self.assert_refused(self.score(distorted=self.write("headless.yuv", b"\1" * 5000)), "raw planar video")

    def test_impossible_raw_formats(self):
        raw = self.write("raw.yuv", b"\0" * 20000)
        for options, code in ((("-w", 0), 2), (("-w", -1), 2), (("-w", 2**31), 2), (("-w", 97), 1),
                              (("-w", 97, "-h", 65, "-p", "420", "-b", 8), 1), (("--ref-format", "97x65"), 2),
                              (("--strict", "--allow-partial"), 2), (("-w", 97, "-h", 65, "-p", "420", "-b", 7), 2),
                              (("-w", 97, "-h", 65, "-p", "411", "-b", 8), 2)):
            with self.subTest(options):
                result = self.score(*options, reference=raw, distorted=raw)
                self.assertEqual(result.returncode, code)
                self.assertEqual(result.stdout, b"")
                self.assertTrue(result.stderr)

    def test_a_size_too_small_names_the_minimum(self):
        tiny = self.write("tiny.y4m", y4m([picture(0, 20, 20)], 20, 20))
        self.assert_refused(self.score(reference=tiny, distorted=tiny), "33x33", "20x20")
        self.assertEqual(self.score("--no_prediction", "--feature", "vif", reference=tiny, distorted=tiny).returncode, 0)

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make a video to damage with")
    def test_corrupt_video(self):
        good = self.folder / "good.mkv"
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", self.distorted, "-c:v", "ffv1", "-level", "3",
                        "-slicecrc", "1", good], check=True)
        content = bytearray(good.read_bytes())
        for at in range(len(content) // 3, len(content) // 3 + 2000):
            content[at] ^= 0x55
        bad = self.write("bad.mkv", bytes(content))
        self.assert_refused(self.score(distorted=bad), "bad.mkv")
        refused = self.score("-o", self.folder / "report.json", distorted=bad)
        self.assertEqual((refused.returncode, refused.stdout), (1, b""))
        kept = json.loads((self.folder / "report.json.partial").read_text())
        self.assertRegex(refused.stderr.decode(), rf"cannot decode frame {len(kept['frames'])} of .*bad.mkv")

    def test_models(self):
        cases = {"truncated": '{"model_dict": {"model_type": "LIBSVMNU', "types": '{"model_dict": 5}', "keys": "{}",
                 "nan": '{"model_dict": NaN}', "empty": ""}
        for name, text in cases.items():
            with self.subTest(name):
                model = self.write(f"{name}.json", text.encode())
                self.assert_refused(self.score("-m", f"path={model}", "-o", self.folder / "report.xml"), f"{name}.json")
        self.assert_refused(self.score("-m", "version=vmaf_v9"), "vmaf_v9", "vmaf_v0.6.1neg")
        self.assert_refused(self.score("-m", f"path={self.folder}/none.json"), "none.json")

    def test_requests(self):
        for options, word in ((("--feature", "sharpness"), "sharpness"), (("--backend", "hip"), "hip"),
                              (("--aom_ctc", "v3.0"), "float_ms_ssim"), (("--nflx_ctc", "v1.0"), "cambi")):
            self.assert_refused(self.score(*options), word)
        for options in (("--feature", "vif:elg=1"), ("--feature", "vif:egl=0"), ("-m", "version="),
                        ("--aom_ctc", "v9.0"), ("--gpumask", "all"),
                        ("--cpumask", "avx2"), ("--resize", "both:bicubic"), ("--resize", "dis:cubic"),
                        ("--crop", "40x40"), ("--crop", "40x40+0+0", "--crop", "dis:40x40+0+0"), ("--convert", "dis:bt1"), ("--json", "--xml"), ("--no_prediction",)):
            with self.subTest(options):
                self.assertEqual(self.score(*options).returncode, 2)
        both = self.score(reference="-", distorted="-", stdin=b"")
        self.assert_refused(both, "standard input", code=2)

    def test_outputs_that_cannot_be_written(self):
        for path in ("/nonexistent/report.xml", self.folder):
            with self.subTest(path):
                self.assert_refused(self.score("-o", path), str(path))

    def test_an_old_report_survives_a_failure(self):
        old = self.write("old.json", OLD_REPORT)
        self.assert_refused(self.score("-o", old, distorted=self.write("cut.y4m", y4m([])[:-3])), "cut.y4m")
        self.assertEqual(old.read_bytes(), OLD_REPORT)


# Opens pipes for writing, one after the other, and then writes their files in turn, so many bytes at a time. "-" is standard
# output. Arguments: the number of bytes, then each pipe with its file.
FEEDER = """
import sys
step, names = int(sys.argv[1]), sys.argv[2:]
pipes = [(sys.stdout.buffer if pipe == "-" else open(pipe, "wb"), open(file, "rb")) for pipe, file in zip(names[::2], names[1::2])]
while any([pipe.write(file.read(step)) for pipe, file in pipes]):
    pass
"""


class Pipes(ScoreTest):
    def setUp(self):
        super().setUp()
        self.files = [self.write(f"{name}.y4m", y4m([picture(n + seed) for n in range(30)]))  # far more than a pipe holds
                      for name, seed in (("a", 0), ("b", 2), ("c", 4))]
        self.pipes = [self.folder / f"{file.stem}.fifo" for file in self.files]
        for pipe in self.pipes:
            os.mkfifo(pipe)

    def feed(self, step, *pipes, **settings):
        names = [name for pipe in pipes for name in (pipe, self.files[0] if pipe == "-" else pipe.with_suffix(".y4m"))]
        feeder = subprocess.Popen([sys.executable, "-c", FEEDER, str(step), *map(str, names)], stdin=subprocess.DEVNULL, **settings)
        self.addCleanup(feeder.wait)
        self.addCleanup(feeder.kill)
        return feeder

    def run_score(self, *arguments, **settings):
        result = subprocess.run([self.ISOVMAF, "score", *map(str, arguments)], check=False, capture_output=True, **settings)
        self.assertEqual(result.returncode, 0, result.stderr)
        return (result.stdout + result.stderr).replace(b".fifo", b".y4m")

    def test_one_process_feeds_both_in_any_order(self):
        a, b, _ = self.pipes
        expected = self.run_score("-r", *self.files[:1], "-d", *self.files[1:2])
        for step in (5000, 1 << 20):
            for order in ((a, b), (b, a)):
                with self.subTest(step=step, order=order):
                    self.feed(step, *order)
                    self.assertEqual(self.run_score("-r", a, "-d", b, stdin=subprocess.DEVNULL), expected)
        for order in (("-", b), (b, "-")):
            with self.subTest(order=order):
                feeder = self.feed(1 << 20, *order, stdout=subprocess.PIPE)
                self.assertEqual(self.run_score("-r", "-", "-d", b, stdin=feeder.stdout), expected)
                feeder.stdout.close()

    def test_one_process_feeds_several_videos(self):
        expected = self.run_score("-q", "-r", self.files[0], "-d", *self.files[1:])
        a, b, c = self.pipes
        for order in ((a, b, c), (c, b, a)):
            with self.subTest(order=order):
                self.feed(1 << 20, *order)
                self.assertEqual(self.run_score("-q", "-r", a, "-d", b, c, stdin=subprocess.DEVNULL), expected)

    def test_a_pipe_that_gives_nothing_is_named(self):
        cases = {"-": "warning: waiting for standard input: nothing came for 3",
                 self.pipes[0]: f"warning: waiting for {self.pipes[0]}: no process has opened it for writing"}
        started = [(text, subprocess.Popen([self.ISOVMAF, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE, text=True))
                   for reference, text in cases.items()
                   for words in (("score", "-r", reference, "-d", self.files[1], "-q"), ("probe", reference))]
        for text, process in started:
            with process:
                self.assertIn(text, process.stderr.readline())
                process.kill()


class Probe(ScoreTest):
    def test_streams_as_text_and_json(self):
        def probe(*arguments):
            return subprocess.run([ScoreTest.ISOVMAF, "probe", *arguments], capture_output=True, check=False)

        result = probe(self.reference, self.folder / "none.mkv")
        self.assertEqual(result.returncode, 1)
        self.assertIn("rawvideo 97x65 yuv420p", result.stdout.decode())
        self.assertIn("none.mkv", result.stderr.decode())
        stream = json.loads(probe("--json", self.reference).stdout)["files"][0]["streams"][0]
        self.assertEqual((stream["stream"], stream["average_rate"], stream["field_order"], stream["frame_count"]),
                         ("v:0", "25/1", "progressive", FRAMES))


class LargePictures(ScoreTest):
    def test_a_hint_names_the_model_for_them(self):
        large = self.write("large.y4m", y4m([picture(0, 64, 2160)], 64, 2160))
        videos = {"reference": large, "distorted": self.write("other.y4m", large.read_bytes())}
        hint = "the pictures have 2160 rows, and vmaf_v0.6.1 was trained for 1080 rows: for viewers of a 4K screen, score with " \
               "-m version=vmaf_4k_v0.6.1"
        self.assertEqual(self.score("--strict", **videos).stderr.decode(), f"isovmaf: hint: {hint}\n")
        self.assertIn(hint, self.report("--strict", **videos)["isovmaf"]["notes"])
        self.assertEqual(self.score("-m", "version=vmaf_4k_v0.6.1", **videos).stderr, b"")


class Time(ScoreTest):
    PSNR = ("--no_prediction", "--feature", "psnr")

    def test_an_offset_pairs_frames_that_show_the_same(self):
        report = self.report(*self.PSNR, "--offset", "-3")  # the distorted video begins with picture 3
        self.assertEqual([frame["metrics"]["psnr_y"] for frame in report["frames"]], [60.0] * (FRAMES - 3))
        self.assertEqual(report["isovmaf"]["sync"], {"mode": "index", "offset": -3, "hint": None})
        (self.folder / "report.json").unlink()
        self.assert_refused(self.score("--sync", "index", "--sync-tolerance", 1), "--sync pts", code=2)

    def test_other_rates_are_named_and_paired_by_time(self):
        twice = [picture(n // 2 + 3) for n in range(2 * FRAMES)]
        fast = self.write("fast.y4m", y4m(twice).replace(b"F25:1", b"F50:1"))
        expected = self.report(*self.PSNR)["frames"]
        report = self.report(*self.PSNR, distorted=fast)
        self.assertEqual([frame["metrics"] for frame in report["frames"]], [frame["metrics"] for frame in expected])
        self.assertEqual(report["isovmaf"]["sync"]["mode"], "pts")
        self.assertEqual(report["isovmaf"]["sync"]["repeated_frames"], list(range(1, 2 * FRAMES - 1, 2)))
        (self.folder / "report.json").unlink()
        self.assert_refused(self.score("--strict", distorted=fast), "25 frames per second", "has 50", "--sync index")
        by_number = self.score("--sync", "index", *self.PSNR, distorted=fast).stderr.decode()
        self.assertIn("use --sync pts", by_number)

    def test_a_shift_is_named_with_the_option_that_mends_it(self):
        files = {"reference": self.write("a.y4m", moving_bars(0)), "distorted": self.write("b.y4m", moving_bars(2))}
        hint = self.score(*self.PSNR, **files).stderr.decode()
        self.assertRegex(hint, r"isovmaf: hint: distorted seems 2 frames early \(mean difference .*\): try --offset -2\n")
        aligned = self.score(*self.PSNR, "--align", "-q", **files).stderr.decode()
        self.assertRegex(aligned, r"mean psnr_y of 14 sampled frames \d+\.\d -> \d+\.\d\): try --offset -2")
        self.assertNotIn(b"hint", self.score(*self.PSNR, "--offset", -2, **files).stderr)


class Help(unittest.TestCase):
    def usage(self, *command):
        """What the program says of a wrong command line, on one line."""
        result = subprocess.run([ScoreTest.ISOVMAF, *command], capture_output=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertEqual(result.stderr.count(b"\n"), 1)
        return result.stderr.decode()

    def test_help_and_usage(self):
        text = subprocess.run([ScoreTest.ISOVMAF, "score", "--help"], capture_output=True, check=True).stdout.decode()
        for word in ("Input:", "Scores:", "Output:", "--threads", "--part-frames", "vmaf_v0.6.1", "psnr", "130"):
            self.assertIn(word, text)
        self.assertIn("did you mean score?", self.usage("scroe"))
        self.assertIn("did you mean --json?", self.usage("score", "-r", "a", "-d", "b", "--jsno"))
        self.assertIn("--frame_cnt", self.usage("score", "-r", "a", "-d", "b", "--frame-cnt", "2"))
        self.assertNotIn("did you mean", self.usage("score", "--colourfulness"))
        self.assertIn("--frame_skip_ref", self.usage("score", "--frame_s", "1", "-r", "a", "-d", "b"))
        self.assertIn("has no value", self.usage("score", "-r", "a", "-d", "b", "--output=", "-q"))
        for command in ([], ["nothing"], ["score"], ["score", "-r", "a", "-d", "b", "--nothing"]):
            self.assertEqual(subprocess.run([ScoreTest.ISOVMAF, *command], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    ScoreTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
