#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf score` as a user does, with good input in every form and bad input of every kind.

    command_line_test.py ISOVMAF
"""

import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

ISOVMAF = ""
WIDTH, HEIGHT, FRAMES = 97, 65, 6  # odd on purpose
OLD_REPORT = b'{ "version": "3.0.0", "fps": 31.21 }'  # as much of one as has to be recognised


def picture(seed, width=WIDTH, height=HEIGHT):
    """A frame of 4:2:0 8-bit noise on a ramp, chroma rounded up as files hold it."""
    noise = random.Random(seed)
    chroma = ((width + 1) // 2) * ((height + 1) // 2)
    luma = bytes((x + 2 * y + seed + noise.randrange(24)) % 256 for y in range(height) for x in range(width))
    return luma + bytes(noise.randrange(100, 140) for _ in range(2 * chroma))


def y4m(frames, width=WIDTH, height=HEIGHT, tags="C420jpeg"):
    return f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 {tags}\n".encode() + b"".join(
        b"FRAME\n" + frame for frame in frames)


class ScoreTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.reference = self.write("ref.y4m", y4m([picture(n) for n in range(FRAMES)]))
        self.distorted = self.write("dis.y4m", y4m([picture(n + 3) for n in range(FRAMES)]))

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def score(self, *options, reference=None, distorted=None, stdin=None):
        return subprocess.run(
            [ISOVMAF, "score", "-r", reference or self.reference, "-d", distorted or self.distorted, *map(str, options)],
            input=stdin, stdin=subprocess.DEVNULL if stdin is None else None, capture_output=True, check=False,
            timeout=120)

    def report(self, *options, expect=0, **files):
        path = self.folder / "report.json"
        result = self.score("--json", "-o", path, "--quiet", *options, **files)
        self.assertEqual(result.returncode, expect, result.stderr.decode())
        return json.loads(path.read_text())

    def assert_refused(self, result, *words, code=1):
        """One sentence on standard error, nothing on standard output, no report."""
        text = result.stderr.decode()
        self.assertEqual(result.returncode, code, text)
        self.assertEqual(result.stdout, b"")
        errors = [line for line in text.splitlines() if "error:" in line]
        self.assertEqual(len(errors), 1, text)
        for word in words:
            self.assertIn(word, text)
        left = [path.name for path in self.folder.iterdir() if "report" in path.name]
        self.assertEqual(left, [], text)


class GoodInput(ScoreTest):
    def test_reports_are_the_same_for_every_thread_count(self):
        options = ("-m", "version=vmaf_v0.6.1", "-m", "version=vmaf_v0.6.1neg:name=neg", "--feature", "psnr")
        for report_format in ("json", "xml", "csv", "sub"):
            reports = set()
            for threads in (1, 2, 3, 8):
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

    def test_standard_input(self):
        expected = self.report()["frames"]
        content = pathlib.Path(self.distorted).read_bytes()
        self.assertEqual(self.report(distorted="-", stdin=content)["frames"], expected)

    def test_a_pipe_gets_only_the_table(self):
        result = self.score()
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, b"")
        self.assertIn(b"vmaf", result.stdout)
        self.assertEqual(self.score("--progress").stderr.count(b"frame "), FRAMES)

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
        self.assert_refused(self.score("-o", self.folder / "report.json",
                                       distorted=self.write("bad.mkv", bytes(content))), "bad.mkv")

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
        for options, word in ((("--feature", "sharpness"), "sharpness"), (("--backend", "hip"), "hip")):
            self.assert_refused(self.score(*options), word)
        for options in (("--feature", "vif:elg=1"), ("--feature", "vif:egl=0"), ("-m", "version="),
                        ("--resize", "both:bicubic"), ("--json", "--xml"), ("--no_prediction",)):
            with self.subTest(options):
                self.assertEqual(self.score(*options).returncode, 2)
        both = self.score(reference="-", distorted="-", stdin=b"")
        self.assert_refused(both, "standard input", code=2)

    def test_outputs_that_cannot_be_written(self):
        for path in ("/nonexistent/report.xml", self.folder, "/dev/full"):
            with self.subTest(path):
                self.assert_refused(self.score("-o", path), str(path))

    def test_an_old_report_survives_a_failure(self):
        old = self.write("old.json", OLD_REPORT)
        self.assert_refused(self.score("-o", old, distorted=self.write("cut.y4m", y4m([])[:-3])), "cut.y4m")
        self.assertEqual(old.read_bytes(), OLD_REPORT)


class StandardStreams(ScoreTest):
    def run_with(self, *arguments, expect, prepare=None, **streams):
        """Runs the program with streams that fail. Returns what it wrote to the others."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
        result = subprocess.run([ISOVMAF, *map(str, arguments)], check=False, timeout=120, preexec_fn=prepare, **streams)
        self.assertEqual(result.returncode, expect, result.stderr)
        return (result.stdout or b"").decode(), (result.stderr or b"").decode()

    def videos(self, *options):
        return ("score", "-r", self.reference, "-d", self.distorted, *options)

    def test_output_that_is_closed_or_full_is_a_failure(self):
        closed = {"prepare": lambda: os.close(1), "stdout": None}
        with open("/dev/full", "wb") as full:
            for options, settings, word in (((), closed, "Bad file descriptor"), (("--json",), closed, "Bad file descriptor"),
                                            (("-q",), {"stdout": full}, "No space left")):
                _, text = self.run_with(*self.videos(*options), expect=1, **settings)
                self.assertIn("cannot write", text)
                self.assertIn("to standard output: " + word, text)
            for command in (("--help",), ("backends",), ("diff", "--generate", "noise", "--size", "64x64", "--chroma", "420",
                                                        "--depth", "8", "--backends", "cpu-ref,cpu")):
                _, text = self.run_with(*command, expect=2 if command[0] == "diff" else 1, stdout=full)
                self.assertIn("cannot write to standard output: No space left on device", text)

    def test_output_without_a_reader_is_a_failure(self):
        reader, writer = os.pipe()
        os.close(reader)
        _, text = self.run_with(*self.videos("--json"), expect=1, stdout=writer)
        os.close(writer)
        self.assertIn("cannot write report to standard output: Broken pipe", text)

    def test_standard_error_that_fails_loses_nothing(self):
        reader, writer = os.pipe()
        os.close(reader)
        with open("/dev/full", "wb") as full:
            for settings in ({"prepare": lambda: os.close(2), "stderr": None}, {"stderr": full}, {"stderr": writer}):
                text, _ = self.run_with(*self.videos("--progress", "-v", "--json"), expect=0, **settings)
                self.assertEqual(len(json.loads(text)["frames"]), FRAMES)
        os.close(writer)

    def test_a_full_disk_leaves_the_old_report(self):
        old = self.write("old.json", OLD_REPORT)
        old.chmod(0o600)
        _, text = self.run_with(*self.videos("-o", old), expect=1,
                                prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)))
        self.assertIn("File too large", text)
        self.assertEqual(old.read_bytes(), OLD_REPORT)
        self.run_with(*self.videos("-o", old), expect=0)
        self.assertEqual(old.stat().st_mode & 0o777, 0o600)
        self.assertEqual([path.name for path in self.folder.iterdir() if "part" in path.name], [])

    def test_reports_on_standard_output_stand_alone(self):
        formats = {("--json",): "{", ("--json", "-q", "-o", "-"): "{", ("--csv", "-o", "/dev/stdout"): "Frame,",
                   ("-o", "-"): "<VMAF"}
        for options, start in formats.items():
            text, errors = self.run_with(*self.videos(*options), expect=0)
            self.assertTrue(text.startswith(start), options)
            self.assertTrue(text.endswith(("}\n", ",\n", "</VMAF>\n")), options)
            self.assertEqual(errors, "")

    def test_long_options_may_be_shortened(self):
        """The value --js of --output is a file's name; --frame_skip_d has two whole names, which are one option."""
        text, _ = self.run_with("score", "--refe", self.reference, f"--dist={self.distorted}", "-no--js", "--js", "--feat",
                                "psnr=enable_mse=true:enable_chroma=false", "--frame_skip_d", "0", expect=0, cwd=self.folder)
        report = json.loads((self.folder / "--js").read_text())
        self.assertEqual(list(report["frames"][0]["metrics"]), ["psnr_y", "mse_y"])
        self.assertIn("psnr_y", text)

    def test_a_terminal_shows_the_score_first_within_80_columns(self):
        report = self.folder / "report.json"
        text, _ = self.run_with(*self.videos("--worst", "2", "-o", report, "-m", "version=vmaf_b_v0.6.3:name=vmaf", "--feature",
                                             "psnr=enable_apsnr=true"), expect=0)
        frames = json.loads(report.read_text())["frames"]
        self.assertTrue(text.startswith("vmaf "))
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertNotIn("\x1b", text)  # it is no terminal
        worst = sorted((frame["metrics"]["vmaf"], frame["frameNum"]) for frame in frames)[:2]
        self.assertEqual([frame["time"] for frame in frames], [0.04 * n for n in range(FRAMES)])  # at 25 fps
        self.assertEqual([line.split() for line in text.splitlines()[-2:]],
                         [[str(n), f"0:00:00.{40 * n:03}", f"{score:.6f}"] for score, n in worst])
        for options in (("-q",), ("--json",)):
            self.assertEqual(self.score("--worst", "2", *options).returncode, 2)

    def test_quiet_prints_plain_scores(self):
        text, errors = self.run_with(*self.videos("-q", "--precision", "max", "-o", self.folder / "r.json"), expect=0)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(text, f"{report['pooled_metrics']['vmaf']['mean']}\n")
        self.assertEqual(errors, "")
        several, _ = self.run_with(*self.videos("-q", "-m", "version=vmaf_b_v0.6.3:name=b", "-m", "version=vmaf_v0.6.1"), expect=0)
        self.assertEqual([line.split()[0] for line in several.splitlines()], ["b", "vmaf"])
        features, _ = self.run_with(*self.videos("-q", "-n", "--feature", "psnr"), expect=0)
        self.assertEqual([line.split()[0] for line in features.splitlines()], ["psnr_y", "psnr_cb", "psnr_cr"])


class FilesOfTheUser(ScoreTest):
    def test_no_report_replaces_an_input(self):
        before = self.distorted.read_bytes()
        link = self.folder / "link.y4m"
        os.link(self.distorted, link)
        model = self.write("model.json", b"{}")
        for options in (("-o", self.distorted, "--force"), ("-o", link, "--force", "--json")):
            self.assert_refused(self.score(*options), f"same file as the input {self.distorted}", code=2)
        with open(self.distorted, "ab") as output:
            result = subprocess.run([ISOVMAF, "score", "-r", self.reference, "-d", self.distorted, "--json"], stdout=output,
                                    stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(self.distorted.read_bytes(), before)
        self.assertEqual(self.score("-m", f"path={model}", "-o", model, "--force").returncode, 1)
        self.assertEqual(model.read_bytes(), b"{}")
        diff = subprocess.run([ISOVMAF, "diff", "--backends", "cpu-ref,cpu", "-r", self.reference, "-d", self.distorted,
                               "--html", self.reference, "--force"], capture_output=True, check=False)
        self.assertEqual(diff.returncode, 2)
        self.assertIn(b"same file as the input", diff.stderr)

    def test_what_is_no_report_is_replaced_only_by_force(self):
        notes = self.write("notes.txt", b"ten years of work\n")
        self.assert_refused(self.score("-o", notes), "notes.txt: it exists and is no report", "--force")
        self.assertEqual(notes.read_bytes(), b"ten years of work\n")
        self.assertEqual(self.score("-o", notes, "--force").returncode, 0)
        self.assertEqual(self.score("-o", notes, "--csv").returncode, 0)
        self.assertTrue(notes.read_bytes().startswith(b"Frame,"))
        self.assert_refused(self.score("-o", ""), "names no file", code=2)

    def start(self, path, **settings):
        """Starts a run over a pipe that has given half of the video, and waits for its first score."""
        long = self.write("long.y4m", y4m([picture(n) for n in range(40)]))
        process = subprocess.Popen([ISOVMAF, "score", "-r", "-", "-d", long, "-o", path, "--progress"], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **settings)
        half = long.stat().st_size // 2
        process.stdin.write(long.read_bytes()[:half])
        process.stdin.flush()
        process.stderr.readline()
        return process, long.read_bytes()[half:]

    def finish(self, process, rest):
        _, text = process.communicate(rest, timeout=60)
        return process.returncode, text.decode()

    def test_a_signal_keeps_the_scores_in_a_file_of_their_own(self):
        for number, suffix, mark in ((signal.SIGINT, "json", '"incomplete": true'), (signal.SIGTERM, "csv", "# incomplete"),
                                     (signal.SIGHUP, "xml", 'incomplete="true"')):
            path = self.write(f"report.{suffix}", OLD_REPORT)
            process, _ = self.start(path)
            process.send_signal(number)
            process.send_signal(number)  # as timeout(1) does
            text = process.stderr.read().decode()  # the pipe stays open: the run does not wait for it
            self.assertEqual(process.wait(timeout=60), 130, text)
            self.finish(process, b"")
            self.assertIn(f"report.{suffix}.partial", text)
            self.assertEqual(path.read_bytes(), OLD_REPORT)
            self.assertIn(mark, (self.folder / f"report.{suffix}.partial").read_text())
        frames = json.loads((self.folder / "report.json.partial").read_text())["frames"]
        self.assertIn(len(frames), range(1, 40))

    def test_a_signal_that_nohup_ignores_is_ignored(self):
        process, rest = self.start(self.folder / "r.json", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        self.assertEqual(self.finish(process, rest)[0], 0)


class Probe(ScoreTest):
    def test_streams_as_text_and_json(self):
        def probe(*arguments):
            return subprocess.run([ISOVMAF, "probe", *arguments], capture_output=True, check=False)

        result = probe(self.reference, self.folder / "none.mkv")
        self.assertEqual(result.returncode, 1)
        self.assertIn("rawvideo 97x65 yuv420p", result.stdout.decode())
        self.assertIn("none.mkv", result.stderr.decode())
        stream = json.loads(probe("--json", self.reference).stdout)["files"][0]["streams"][0]
        self.assertEqual((stream["stream"], stream["average_rate"], stream["field_order"], stream["frame_count"]),
                         ("v:0", "25/1", "progressive", FRAMES))


class Bench(unittest.TestCase):
    SMALL = ("-w", "64", "-h", "48", "-b", "10", "--frames", "2")

    def bench(self, *options):
        command = [ISOVMAF, "bench", *self.SMALL, *options]
        return subprocess.run(command, capture_output=True, check=True, text=True, timeout=120).stdout

    def test_the_heading_says_what_is_measured(self):
        text = self.bench()
        for words in ("64x48 4:2:0 10-bit, 2 frames for each line, in host memory", "and of the model vmaf_v0.6.1\n",
                      f"cpu: the CPU (definition), {os.cpu_count()} thread", "ms/frame     frames/s\nadm "):
            self.assertIn(words, text)

    def test_backends_are_compared_in_one_table(self):
        lines = self.bench("--backend", "cpu", "--backend", "cpu-ref", "--threads", "1").splitlines()
        head = next(line for line in lines if line.startswith("frames/s"))
        self.assertEqual(head.split(), ["frames/s", "cpu", "cpu-ref"])
        self.assertRegex(lines[-1], r"^vmaf_v0.6.1 +[0-9.]+ +[0-9.]+ \([0-9.]+x\)$")
        self.assertLessEqual(max(map(len, lines)), 80)
        runs = json.loads(self.bench("--backend", "cpu", "--backend", "cpu-ref", "--json"))["runs"]
        self.assertEqual([run["backend"] for run in runs], ["cpu", "cpu-ref"])
        self.assertEqual(json.loads(self.bench("--json"))["threads"], os.cpu_count())


class Help(unittest.TestCase):
    def usage(self, *command):
        """What the program says of a wrong command line, on one line."""
        result = subprocess.run([ISOVMAF, *command], capture_output=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertEqual(result.stderr.count(b"\n"), 1)
        return result.stderr.decode()

    def test_help_and_usage(self):
        text = subprocess.run([ISOVMAF, "score", "--help"], capture_output=True, check=True).stdout.decode()
        for word in ("Input:", "Scores:", "Output:", "--threads", "vmaf_v0.6.1", "psnr", "130"):
            self.assertIn(word, text)
        self.assertIn("did you mean score?", self.usage("scroe"))
        self.assertIn("did you mean --json?", self.usage("score", "-r", "a", "-d", "b", "--jsno"))
        self.assertIn("--frame_cnt", self.usage("score", "-r", "a", "-d", "b", "--frame-cnt", "2"))
        self.assertNotIn("did you mean", self.usage("score", "--colourfulness"))
        self.assertIn("--frame_skip_ref", self.usage("score", "--frame_s", "1", "-r", "a", "-d", "b"))
        self.assertIn("has no value", self.usage("score", "-r", "a", "-d", "b", "--output=", "-q"))
        for command in ([], ["nothing"], ["score"], ["score", "-r", "a", "-d", "b", "--nothing"]):
            self.assertEqual(subprocess.run([ISOVMAF, *command], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
