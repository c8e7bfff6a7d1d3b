#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What the program writes, where, and what it does when that fails: standard streams, reports, `isovmaf bench`.

    output_test.py ISOVMAF [PLUGIN] [UNITTEST OPTIONS]

PLUGIN is the host stand-in for a device.
"""

import fcntl
import json
import os
import pathlib
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import termios
import time
import unittest

from score_runs import FRAMES, OLD_REPORT, ScoreTest, picture, y4m
from terminal import open_terminal, read_terminal

PLUGIN = None


class StandardStreams(ScoreTest):
    def run_with(self, *arguments, expect, prepare=None, **streams):
        """Runs the program with streams that fail. Returns what it wrote to the others."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
        result = subprocess.run([ScoreTest.ISOVMAF, *map(str, arguments)], check=False, preexec_fn=prepare, **streams)
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
                text, _ = self.run_with(*self.videos("--progress=frames", "-v", "--json"), expect=0, **settings)
                self.assertEqual(len(json.loads(text)["frames"]), FRAMES)
        os.close(writer)

    def test_a_full_disk_leaves_the_old_report(self):
        old = self.write("old.json", OLD_REPORT)
        old.chmod(0o600)
        printed, text = self.run_with(*self.videos("-o", old), expect=1,
                                      prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)))
        self.assertIn("File too large", text)
        self.assertTrue(printed.startswith("vmaf "))
        self.assertEqual(old.read_bytes(), OLD_REPORT)
        self.run_with(*self.videos("-o", old), expect=0)
        self.assertEqual(old.stat().st_mode & 0o777, 0o600)
        self.assertEqual([path.name for path in self.folder.iterdir() if "part" in path.name], [])

    def test_scores_are_printed_when_a_report_cannot_be_written(self):
        printed, _ = self.run_with(*self.videos(), expect=0)
        number, _ = self.run_with(*self.videos("-q"), expect=0)
        report = self.folder / "report.csv"
        for options, expected in ((("-o", "/dev/full"), printed), (("--json", "-o", "/dev/full"), printed),
                                  (("--csv", "-o", "/dev/full", "-q"), number), (("--sub", "-o", "/dev/full"), printed),
                                  (("-o", report, "--html", "/dev/full"), printed), (("--html", "/dev/full", "-q"), number),
                                  (("-o", "/dev/full", "--html", self.folder / "page.html", "--min-mean", "101"), printed)):
            with self.subTest(options):
                text, errors = self.run_with(*self.videos(*options), expect=1)
                self.assertEqual(text, expected)
                self.assertIn("isovmaf: error: cannot write report /dev/full: No space left on device\n", errors)
        self.assertTrue(report.read_text().startswith("Frame,"))
        self.assertIn("</html>", (self.folder / "page.html").read_text())
        with open("/dev/full", "wb") as full:
            for options in (("--json",), ("--html", "-"), ("-o", "-")):
                _, errors = self.run_with(*self.videos(*options), expect=1, stdout=full)
                self.assertTrue(errors.startswith(printed), errors)
                self.assertIn("cannot write report to standard output: No space left on device", errors)
        text, errors = self.run_with("diff", "--backends", "cpu-ref,cpu", "-r", self.reference, "-d", self.distorted, "--feature",
                                     "psnr", "--json", "/dev/full", "--html", self.folder / "diff.html", "-q", expect=2)
        self.assertIn("0 differ", text)
        self.assertIn("cannot write report /dev/full", errors)
        self.assertIn("</html>", (self.folder / "diff.html").read_text())

    def test_reports_on_standard_output_stand_alone(self):
        formats = {("--html", "-"): "<!DOCTYPE html>", ("--json",): "{", ("--json", "-q", "-o", "-"): "{", ("--csv", "-o", "/dev/stdout"): "Frame,",
                   ("-o", "-"): "<VMAF"}
        for options, start in formats.items():
            text, errors = self.run_with(*self.videos(*options), expect=0)
            self.assertTrue(text.startswith(start), options)
            self.assertTrue(text.endswith(("}\n", "0.200\n", "</VMAF>\n", "</html>\n")), options)
            self.assertEqual(errors, "")

    def test_long_options_may_be_shortened(self):
        """The value --js of --output is a file's name; --frame_skip_d has two whole names, which are one option."""
        text, _ = self.run_with("score", "--refe", self.reference, f"--dist={self.distorted}", "-no--js", "--js", "--feat",
                                "psnr=enable_mse=true:enable_chroma=false", "--frame_skip_d", "0", "--cpum", "0x3f", "--gpumask",
                                "-1", expect=0, cwd=self.folder)
        report = json.loads((self.folder / "--js").read_text())
        self.assertEqual(list(report["frames"][0]["metrics"]), ["psnr_y", "mse_y"])
        self.assertIn("psnr_y", text)
        self.assertEqual(report["isovmaf"]["backend"], "cpu")

    def test_a_terminal_shows_progress(self):
        frames = [b"FRAME\n" + picture(n) for n in range(20)]
        long = self.write("long.y4m", y4m([]) + b"".join(frames))
        terminal, standard_error = open_terminal(self)
        with subprocess.Popen([ScoreTest.ISOVMAF, "score", "-r", "-", "-d", long, "-n", "--feature", "psnr"], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=standard_error) as process:
            os.close(standard_error)
            process.stdin.write(y4m([]))
            read = 0
            while read < 20 and not select.select([terminal], [], [], 0.15)[0]:  # a frame shows the progress every 0.1 s
                process.stdin.write(frames[read])
                process.stdin.flush()
                read += 1
                while fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)) != bytes(4):  # the program reads it
                    self.assertIsNone(process.poll())
                    time.sleep(0.001)
            process.communicate(b"".join(frames[read:]))
        self.assertEqual(process.returncode, 0)
        self.assertRegex(os.read(terminal, 1 << 16).decode(), r"[0-9]+ of 20 frames  [0-9.]+ fps  [0-9]+:[0-9]{2} left")
        os.close(terminal)

    def run_slowly(self, *options):
        """Gives a frame each 0.1 s until standard error has a line, and 30 of them at most. Returns the frames given by then,
        and what was written in all."""
        frames = [b"FRAME\n" + picture(n) for n in range(30)]
        long = self.write("long.y4m", y4m([]) + b"".join(frames))
        with subprocess.Popen([ScoreTest.ISOVMAF, "score", "-r", "-", "-d", long, "-n", "--feature", "psnr", *options],
                              stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            process.stdin.write(y4m([]))
            given = 0
            while given < len(frames) and not select.select([process.stderr], [], [], 0.1)[0]:
                process.stdin.write(frames[given])
                process.stdin.flush()
                given += 1
            _, text = process.communicate(b"".join(frames[given:]))
        self.assertEqual(process.returncode, 0, text)
        return given, text.decode()

    def test_a_log_shows_progress_from_time_to_time(self):
        given, text = self.run_slowly("--progress=1", "-q")
        self.assertGreater(given, 5)
        self.assertRegex(text, r"\A(isovmaf: [0-9]+ of 30 frames  [0-9.]+ fps  [0-9]+:[0-9]{2} left\n){1,3}\Z")
        for options in ((), ("--progress",)):  # a line every 30 seconds is none of a short run
            self.assertEqual(self.score(*options).stderr, b"")
        text, _ = self.run_with("help", "score", expect=0)
        self.assertIn("A line every 30 seconds on standard error", " ".join(text.split()))

    def test_escape_sequences_are_for_terminals_that_take_them(self):
        manifest = self.write("pairs.csv", f"reference,distorted\n{self.reference},{self.distorted}\n".encode())
        commands = (self.videos(), ("batch", manifest, "--run", self.folder / "run", "--backend", "cpu"),
                    ("diff", "--backends", "cpu-ref,cpu", "-r", self.reference, "-d", self.distorted, "--feature", "psnr"))
        for settings, taken in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": ""}, True), ({"TERM": "dumb"}, False),
                                ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({}, False)):
            environment = {name: value for name, value in os.environ.items() if name not in ("TERM", "NO_COLOR")} | settings
            for command in commands:
                with self.subTest(command=command[0], settings=settings):
                    here, there = open_terminal(self)
                    self.run_with(*command, expect=0, stdout=there, stderr=there, env=environment)
                    text = read_terminal(here, there)
                    shutil.rmtree(self.folder / "run", ignore_errors=True)
                    self.assertEqual(b"\x1b" in text, taken, text)
                    self.assertIn(b"\r", text)

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
        for options in (("-o", self.distorted, "--force"), ("-o", link, "--force", "--json"), ("--html", link, "--force")):
            self.assert_refused(self.score(*options), f"same file as the input {self.distorted}", code=2)
        with open(self.distorted, "ab") as output:
            result = subprocess.run([ScoreTest.ISOVMAF, "score", "-r", self.reference, "-d", self.distorted, "--json"], stdout=output,
                                    stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(self.distorted.read_bytes(), before)
        self.assertEqual(self.score("-m", f"path={model}", "-o", model, "--force").returncode, 1)
        self.assertEqual(model.read_bytes(), b"{}")
        diff = subprocess.run([ScoreTest.ISOVMAF, "diff", "--backends", "cpu-ref,cpu", "-r", self.reference, "-d", self.distorted,
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
        self.assert_refused(self.score("-o", notes, "--html", notes), "two reports cannot be written to", code=2)
        self.assert_refused(self.score("-o", ""), "names no file", code=2)
        self.assert_refused(self.score("-o", "report.html"), "give --html report.html", code=2)

    def start(self, path, hangup=signal.SIG_DFL):
        """Starts a run over a pipe that has given half of the video, and waits for its first score. `hangup` is what it
        inherits for SIGHUP: the tests themselves may run under nohup."""
        long = self.write("long.y4m", y4m([picture(n) for n in range(40)]))
        page = self.folder / "page.html"
        process = subprocess.Popen([ScoreTest.ISOVMAF, "score", "-r", "-", "-d", long, "-o", path, "--html", page, "--progress=frames"],
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, hangup))
        half = long.stat().st_size // 2
        process.stdin.write(long.read_bytes()[:half])
        process.stdin.flush()
        process.stderr.readline()
        return process, long.read_bytes()[half:]

    def finish(self, process, rest):
        _, text = process.communicate(rest)
        return process.returncode, text.decode()

    def test_a_signal_keeps_the_scores_in_a_file_of_their_own(self):
        for number, suffix, mark in ((signal.SIGINT, "json", '"incomplete": true'), (signal.SIGTERM, "csv", "# incomplete"),
                                     (signal.SIGHUP, "xml", 'incomplete="true"')):
            path = self.write(f"report.{suffix}", OLD_REPORT)
            process, _ = self.start(path)
            process.send_signal(number)
            process.send_signal(number)  # as timeout(1) does
            text = process.stderr.read().decode()  # the pipe stays open: the run does not wait for it
            self.assertEqual(process.wait(), 130, text)
            self.finish(process, b"")
            self.assertIn(f"report.{suffix}.partial and {self.folder}/page.html.partial", text)
            self.assertIn("<b>Incomplete:</b>", (self.folder / "page.html.partial").read_text())
            self.assertEqual(path.read_bytes(), OLD_REPORT)
            self.assertIn(mark, (self.folder / f"report.{suffix}.partial").read_text())
        frames = json.loads((self.folder / "report.json.partial").read_text())["frames"]
        self.assertIn(len(frames), range(1, 40))

    def test_a_frame_that_cannot_be_read_keeps_those_before_it(self):
        content = y4m([picture(n) for n in range(20)])
        head, *frames = content.split(b"FRAME\n")
        broken = self.write("broken.y4m", b"FRAME\n".join((head, *frames[:17])) + b"FROME\n" + b"FRAME\n".join(frames[17:]))
        whole = self.write("whole.y4m", y4m([picture(n + 3) for n in range(20)]))
        cases = {"json": ("--min-mean", "101"), "xml": ("--feature", "psnr"), "csv": ("--subsample", "4"), "sub": (),
                 "parts.json": ("--decoders", "3", "--part-frames", "4")}
        for suffix, options in cases.items():
            for videos in ((broken, whole), (whole, broken)):
                with self.subTest(suffix, reference=videos[0].name):
                    files = dict(zip(("reference", "distorted"), videos))
                    path = self.write(f"report.{suffix}", OLD_REPORT)
                    kept = self.folder / f"report.{suffix}.partial"
                    result = self.score("-o", path, "--html", self.folder / "page.html", *options, **files)
                    errors = result.stderr.decode()
                    self.assertEqual((result.returncode, result.stdout, path.read_bytes()), (1, b"", OLD_REPORT), errors)
                    self.assertRegex(errors, rf"of the {5 if suffix == 'csv' else 17} frames before the failure are in {kept} and "
                                     r".*page.html.partial\nisovmaf: error: .*broken.y4m.* frame 17 ")
                    self.assertIn("<b>Incomplete:</b>", (self.folder / "page.html.partial").read_text())
                    self.assertEqual(self.score("-o", path, *options[2 * (suffix == "json"):], "--frame_cnt", 17, **files).returncode, 0)
                    self.assertEqual(self.scores_in(kept), self.scores_in(path))
        self.assertIn('"incomplete": true', (self.folder / "report.json.partial").read_text())
        self.assertIn("the run failed, and the report ends before that: ", (self.folder / "report.json.partial").read_text())
        for options in ((), ("--json",), ("-o", "-"), ("-o", "/dev/stdout", "-q")):  # whoever reads a pipe gets no report
            self.assertEqual(self.score(*options, reference=whole, distorted=broken).stdout, b"")

    @staticmethod
    def scores_in(report):
        """The frames of a report."""
        text = report.read_text()
        if ".json" in report.name:
            return json.loads(text)["frames"]
        return [line for line in text.splitlines() if re.match(r" *<frame |[0-9]+,|\{.*frame: ", line)]

    def test_a_signal_that_nohup_ignores_is_ignored(self):
        process, rest = self.start(self.folder / "r.json", hangup=signal.SIG_IGN)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(self.finish(process, rest)[0], 0)


class Bench(unittest.TestCase):
    SMALL = ("-w", "64", "-h", "48", "-b", "10", "--frames", "2")

    def bench(self, *options):
        command = [ScoreTest.ISOVMAF, "bench", *self.SMALL, *options]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout

    def test_the_heading_says_what_is_measured(self):
        text = self.bench()
        for words in ("64x48 4:2:0 10-bit, 2 frames for each line, in host memory", "and of the model vmaf_v0.6.1\n",
                      "ms/frame     frames/s\nadm "):
            self.assertIn(words, text)
        threads = re.search(r"cpu: the CPU \((?:sse4|avx2|avx512|neon|sve)\), ([0-9]+) thread", text)
        self.assertIn(int(threads[1]), range(1, os.cpu_count() + 1))  # fewer where a quota gives fewer

    def test_backends_are_compared_in_one_table(self):
        lines = self.bench("--backend", "cpu", "--backend", "cpu-ref", "--threads", "1").splitlines()
        head = next(line for line in lines if line.startswith("frames/s"))
        self.assertEqual(head.split(), ["frames/s", "cpu", "cpu-ref"])
        self.assertRegex(lines[-1], r"^vmaf_v0.6.1 +[0-9.]+ +[0-9.]+ \([0-9.]+x\)$")
        self.assertLessEqual(max(map(len, lines)), 80)
        runs = json.loads(self.bench("--backend", "cpu", "--backend", "cpu-ref", "--json"))["runs"]
        self.assertEqual([run["backend"] for run in runs], ["cpu", "cpu-ref"])
        self.assertIn(json.loads(self.bench("--json"))["threads"], range(1, os.cpu_count() + 1))

    def test_what_is_named_is_timed_alone_and_together(self):
        text = self.bench("--feature", "vif", "--feature", "psnr=enable_chroma=false", "-m", "vmaf_v0.6.1", "-m", "vmaf_b_v0.6.3")
        self.assertIn("of the models vmaf_v0.6.1, vmaf_b_v0.6.3, then of all together in one session\n", text)
        names = [line.split()[0] for line in text.splitlines()[-5:]]
        self.assertEqual(names, ["vif", "psnr=enable_chroma=false", "vmaf_v0.6.1", "vmaf_b_v0.6.3", "together"])
        report = json.loads(self.bench("-m", "vmaf_v0.6.1", "-m", "vmaf_v0.6.1neg", "--json"))
        self.assertEqual(report["model"], "vmaf_v0.6.1, vmaf_v0.6.1neg")
        self.assertEqual([result["name"] for result in report["results"][-3:]], ["vmaf_v0.6.1", "vmaf_v0.6.1neg", "together"])
        refused = subprocess.run([ScoreTest.ISOVMAF, "bench", *self.SMALL, "--feature", "viff"], capture_output=True,
                                 check=False, text=True)
        self.assertEqual(refused.returncode, 1)
        self.assertIn('(did you mean vif?)', refused.stderr)

    def test_what_frames_waited_for_is_told(self):
        if not PLUGIN:
            self.skipTest("there is no host stand-in")
        command = [ScoreTest.ISOVMAF, "bench", "-w", "256", "-h", "216", "--frames", "2", "--model", "vmaf_v1.0.16_3d0h",
                   "--backend", "host,cpu", "--backend-dir", PLUGIN.parent]
        text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        self.assertRegex(text, r"\nhost +([0-9.]+) ms/frame of a core for what kernels do not do\n"
                               r" +([0-9.]+) ms/frame of a core from words to scores\n"
                               r"frames waited +[0-9]+ % of the time for the device\n"
                               r" +[0-9]+ % of the time for features on the CPU(, mostly \w+)?\n$")
        timed = json.loads(subprocess.run([*command, "--json"], capture_output=True, check=True).stdout)["results"][-1]
        waits, host = timed["waits"], timed["host_milliseconds_per_frame"]
        self.assertEqual(list(host), ["beside_kernels", "scores"])
        self.assertTrue(all(time > 0 for time in host.values()), host)
        self.assertEqual(list(waits), ["device", "cpu"])
        for part in waits.values():
            self.assertTrue(0 <= part <= 1.01, waits)

    def test_frames_lie_where_they_were_asked_for(self):
        if not PLUGIN:
            self.skipTest("there is no host stand-in")
        device = ("--backend", "host", "--backend-dir", PLUGIN.parent, "--json")
        for options, memory in (((), "host memory"), (("--pinned_frames",), "pinned memory"),
                                (("--device_frames",), "device memory")):
            report = json.loads(self.bench(*device, *options))
            self.assertEqual(report["frames_in"], memory)
            copies = {result["name"]: result["copy_milliseconds_per_frame"] for result in report["results"]}
            self.assertEqual(copies["vmaf_v0.6.1"] > 0, not options)
            if not options:
                continue
            refused = subprocess.run([ScoreTest.ISOVMAF, "bench", *self.SMALL, *options], capture_output=True, check=False,
                                     text=True)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("need a --backend with a device", refused.stderr)


if __name__ == "__main__":
    ScoreTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    PLUGIN = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 and os.path.isfile(sys.argv[1]) else None
    unittest.main()
