#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""`isovmaf score` with several distorted videos: scores and reports are those of each alone.

    several_videos_test.py ISOVMAF [PLUGIN] [TEST]...

PLUGIN is the host stand-in for a device.
"""

import html
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import unittest

from score_runs import ScoreTest, picture, y4m

FRAMES = 20  # more than a shared reference holds for its slowest reader
PLUGIN = None


class SeveralTest(ScoreTest):
    def setUp(self):
        super().setUp()
        self.reference = self.write("ref.y4m", y4m([picture(n) for n in range(FRAMES)]))
        self.videos = [self.video(name, seed, frames) for name, seed, frames in (
            ("late", 1, FRAMES), ("short", 40, 3), ("same", 0, FRAMES), ("long", 60, FRAMES + 4))]

    def video(self, name, seed, frames=FRAMES):
        return self.write(f"{name}.y4m", y4m([picture(n + seed) for n in range(frames)]))

    def several(self, *options, videos=None, expect=0, stdin=None, **environment):
        """Runs in the folder, with names that are not paths. Returns standard output and standard error."""
        names = [pathlib.Path(video).name for video in videos or self.videos]
        result = subprocess.run([self.ISOVMAF, "score", "-r", "-" if stdin else self.reference.name, "-d", *names, *map(str, options)],
                                input=stdin, stdin=None if stdin else subprocess.DEVNULL, capture_output=True, check=False,
                                cwd=self.folder, env=os.environ | environment)
        errors = result.stderr.decode()
        self.assertEqual(result.returncode, expect, errors)
        return result.stdout.decode(), errors

    def alone(self, video, *options):
        """The report of a video that is scored alone, and its plain score."""
        result = subprocess.run([self.ISOVMAF, "score", self.reference.name, pathlib.Path(video).name, "-q", "-o", "alone.report",
                                 "--force", *map(str, options)], stdin=subprocess.DEVNULL, capture_output=True, check=True,
                                cwd=self.folder)
        return (self.folder / "alone.report").read_bytes(), result.stdout.decode()


class Several(SeveralTest):
    def check_reports(self, videos, *options):
        self.several("-q", "-o", "{stem}.out", "--force", *options, videos=videos)
        for video in videos:
            self.assertEqual((self.folder / f"{video.stem}.out").read_bytes(), self.alone(video, *options)[0], video)

    def test_reports_are_those_of_each_alone(self):
        for options in (("--json", "--precision", "hex", "--feature", "psnr"), ("--csv", "--threads", 3)):
            with self.subTest(options):
                self.check_reports(self.videos, *options)

    def test_other_formats_are_those_of_each_alone(self):
        for report_format in ("--xml", "--sub"):
            with self.subTest(report_format):
                self.check_reports(self.videos, report_format)

    def test_a_report_has_a_part_of_the_videos_name_for_one_video_too(self):
        self.several("-q", "-o", "{dir}/{name}-{stem}.csv", videos=self.videos[:1])
        self.assertEqual((self.folder / "late.y4m-late.csv").read_bytes(), self.alone(self.videos[0], "--csv")[0])

    def test_more_than_are_scored_side_by_side(self):
        self.check_reports([self.video(f"v{n}", n, 4) for n in range(11)], "--json", "-n", "--feature", "psnr")

    def test_each_video_is_converted_and_paired_as_if_alone(self):
        small = self.write("small.y4m", y4m([picture(n, 64, 48) for n in range(FRAMES)], 64, 48))
        smaller = self.write("smaller.y4m", y4m([picture(n, 48, 40) for n in range(FRAMES)], 48, 40))
        fast = self.write("fast.y4m", y4m([picture(n // 2) for n in range(2 * FRAMES)]).replace(b"F25:1", b"F50:1"))
        slow = self.write("slow.y4m", y4m([picture(3 * n) for n in range(FRAMES // 3)]).replace(b"F25:1", b"F25:3"))
        self.check_reports([small, self.videos[0], smaller], "--json", "--resize", "ref")
        self.check_reports([slow, self.videos[0], fast], "--json", "-n", "--feature", "psnr", "--sync", "pts")
        self.check_reports([self.videos[0], self.videos[3]], "--json", "--frame_skip_ref", 9, "--frame_cnt", 5)

    def test_the_reference_is_read_once(self):
        table, _ = self.several("-q", stdin=self.reference.read_bytes())  # a pipe cannot be read twice
        self.assertEqual(table, "".join(f"{self.alone(video)[1].strip()}  {video.name}\n" for video in self.videos))

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make an R'G'B' reference with")
    def test_a_reference_that_is_converted_for_each_video_is_read_for_each(self):
        colours = self.folder / "rgb.nut"
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", self.reference, "-pix_fmt", "rgb24", "-c:v", "rawvideo", colours],
                       check=True)
        self.reference = colours
        _, errors = self.several("-q")
        self.assertIn("isovmaf: rgb.nut is decoded for each distorted video, as its samples are converted for each\n", errors)
        self.check_reports(self.videos, "--json")
        self.assertIn("standard input can be read once", self.several(stdin=colours.read_bytes(), expect=1)[1])

    def test_one_table_and_one_page(self):
        models = ("-m", "version=vmaf_v0.6.1", "-m", "version=vmaf_v0.6.1neg:name=neg")
        self.several("--html", "page.html", videos=self.videos[1:3])  # a page that may be replaced
        table, errors = self.several("--html", "page.html", *models)
        self.assertIn("isovmaf: late.y4m: hint: ", errors)
        table, _, models_of_scores = table.partition("\n\n")
        self.assertEqual(models_of_scores, "vmaf: model vmaf_v0.6.1\nneg: model vmaf_v0.6.1neg\n")
        heading, *rows = table.splitlines()
        self.assertEqual(heading.split(), ["frames", "vmaf", "min", "5", "%", "neg"])
        self.assertEqual([row.split()[:2] for row in rows],
                         [[video.name, str(frames)] for video, frames in zip(self.videos, (FRAMES, 3, FRAMES, FRAMES))])
        page = (self.folder / "page.html").read_text()
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertIn("<title>isovmaf score: 4 videos, ref.y4m</title>", page)
        for video, row in zip(self.videos, rows):
            self.assertIn(f"<tr><th>{video.name}</th><td>vmaf</td><td class=count>{row.split()[2]}</td>", page)
        inner = [html.unescape(text) for text in re.findall(r'srcdoc="([^"]*)"', page)]
        self.assertEqual([re.search("<title>(.*)</title>", text)[1] for text in inner],
                         [f"isovmaf score: vmaf {row.split()[2]}, {video.name}" for video, row in zip(self.videos, rows)])
        for text in inner:
            self.assertTrue(text.endswith("</html>\n"))
            self.assertIn("data:image/jpeg", text)

    def test_the_worst_frames_are_those_of_the_page(self):
        self.reference = self.write("ref.y4m", y4m([picture(n) for n in range(24)]))  # the worst ones are 6 frames apart
        videos = [self.video("late", 1, 24), self.video("other", 40, 24)]
        table, _ = self.several("--worst", "2", "--html", "page.html", "-n", "--feature", "psnr", videos=videos)
        page = html.unescape((self.folder / "page.html").read_text())
        lists = re.findall(r"^(\w+\.y4m)\nworst frames +time  psnr_y\n((?: +\d.*\n)+)of frames less than 6 frames", table, re.M)
        self.assertEqual([name for name, _ in lists], [video.name for video in videos])
        listed = [re.findall(r"^ +(\d+) ", text, re.M) for _, text in lists]
        self.assertEqual(len(listed[0]), 2)
        self.assertEqual(re.findall(r'data-frame="?(\d+)', page), sum(listed, []))

    def test_progress_names_the_video_of_each_frame(self):
        _, errors = self.several("--progress=frames", videos=self.videos[:2])
        self.assertEqual(len(re.findall(r"^frame +\d+  late\.y4m  vmaf \d", errors, re.M)), FRAMES)
        self.assertEqual(len(re.findall(r"^frame +\d+  short\.y4m  vmaf \d", errors, re.M)), 3)

    def test_what_is_about_one_video_is_refused(self):
        for options, words in ((("--align",), "--align is about one"),
                               (("--timing",), "--timing is about one"), (("--json",), "such as -o '{stem}.json'"),
                               (("-o", "-"), "such as -o '{stem}.json'"), (("-o", "all.json"), "put {stem} or {name} of the video")):
            self.assertIn(words, self.several(*options, expect=2)[1])
        self.assertIn("give - once", self.several(videos=["-", "-"], expect=2)[1])
        self.assertIn("two reports cannot be written to late.json",
                      self.several("-o", "{stem}.json", videos=[self.videos[0], self.videos[0]], expect=2)[1])
        self.assertIn("same file as the input short.y4m", self.several("-o", "{dir}/short.y4m", "--force", expect=2)[1])
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"ref.y4m", "dis.y4m", *(v.name for v in self.videos)})

    def test_a_video_that_fails_is_named_and_the_others_are_scored(self):
        broken = self.write("broken.y4m", self.videos[2].read_bytes().replace(b"FRAME\n", b"FROME\n").replace(b"FROME\n", b"FRAME\n", 9))
        table, errors = self.several("-o", "{stem}.json", videos=[self.videos[0], broken, self.videos[3]], expect=1)
        self.assertRegex(errors, "isovmaf: error: .*broken.y4m")
        self.assertEqual([row.split()[0] for row in table.partition("\n\n")[0].splitlines()[1:]],
                         ["late.y4m", "long.y4m"])
        self.assertEqual((self.folder / "late.json").read_bytes(), self.alone(self.videos[0], "--json")[0])
        self.assertFalse((self.folder / "broken.json").exists())
        self.assertIn("broken.y4m: the scores of the 9 frames before the failure are in ", errors)
        kept = json.loads((self.folder / "broken.json.partial").read_text())
        self.assertTrue(kept["isovmaf"]["incomplete"])
        self.assertEqual(kept["frames"], json.loads(self.alone(self.videos[2], "--json", "--frame_cnt", "9")[0])["frames"])
        table, errors = self.several("-o", "{stem}.json", videos=[self.videos[0], "none.y4m"], expect=1)
        self.assertIn('there is no file "none.y4m"', errors)
        self.assertEqual(table, "")

    def test_a_report_that_cannot_be_written_loses_no_other(self):
        table, _ = self.several()
        for full in (("late.json", "same.json"), ("page.html",)):
            with self.subTest(full):
                for name in full:
                    (self.folder / name).unlink(missing_ok=True)
                    (self.folder / name).symlink_to("/dev/full")
                printed, errors = self.several("-o", "{stem}.json", "--html", "page.html", expect=1)
                self.assertEqual(printed, table)
                for name in full:
                    self.assertIn(f"cannot write report {name}: No space left on device\n", errors)
                    (self.folder / name).unlink()
                for video in self.videos:
                    if f"{video.stem}.json" not in full:
                        self.assertEqual((self.folder / f"{video.stem}.json").read_bytes(), self.alone(video, "--json")[0])
                if "page.html" not in full:
                    self.assertIn("</html>", (self.folder / "page.html").read_text())

    def test_a_broken_reference_fails_all(self):
        self.reference.write_bytes(self.reference.read_bytes().replace(b"FRAME\n", b"FROME\n").replace(b"FROME\n", b"FRAME\n", 9))
        table, errors = self.several(videos=self.videos[2:], expect=1)
        self.assertEqual((table, errors.count("isovmaf: error: ")), ("", 2))
        self.assertIn("same.y4m: ", errors)

    def test_a_signal_keeps_the_scores(self):
        content = self.reference.read_bytes()
        begun = ["late", "same", *(f"v{n}" for n in range(6))]
        rest = [self.video(f"v{n}", n).name for n in range(7)]
        with subprocess.Popen([self.ISOVMAF, "score", "-r", "-", "-d", "late.y4m", "same.y4m", *rest, "-o", "{stem}.json", "--html",
                               "page.html", "--progress=frames"], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdin.write(content[:len(content) // 2])
            process.stdin.flush()
            seen = b""
            while not all(f"{name}.y4m  vmaf".encode() in seen for name in begun):
                line = process.stderr.readline()
                self.assertTrue(line, seen.decode())
                seen += line
            process.send_signal(signal.SIGINT)
            errors = process.stderr.read().decode()
            self.assertEqual(process.wait(), 130, errors)
        self.assertIn("late.json.partial and ", errors)
        self.assertIn("isovmaf: warning: v6.y4m: interrupted before it was begun: there is no report\n", errors)
        for name in begun:
            self.assertTrue(json.loads((self.folder / f"{name}.json.partial").read_text())["isovmaf"]["incomplete"])
        self.assertIn("<b>Incomplete:</b>", (self.folder / "page.html.partial").read_text())


class OnADevice(SeveralTest):
    def setUp(self):
        if PLUGIN is None:
            self.skipTest("there is no host stand-in")
        super().setUp()
        self.device = ("--backend", "host", "--backend-dir", PLUGIN.parent)

    def test_scores_are_those_of_the_cpu(self):
        self.several("-q", "-o", "{stem}.csv", "--precision", "hex", *self.device)
        for video in self.videos:
            self.assertEqual((self.folder / f"{video.stem}.csv").read_bytes(), self.alone(video, "--csv", "--precision", "hex")[0])

    def check_faults(self, *faults):
        for fault in faults:
            with self.subTest(fault):
                names = [video.name for video in self.videos]
                result = subprocess.run([self.ISOVMAF, "score", self.reference.name, *names, *map(str, self.device)], cwd=self.folder,
                                        stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                        env=os.environ | {"ISOVMAF_HOST_FAIL": fault})
                errors = result.stderr.decode()
                self.assertIn(result.returncode, (0, 1), errors)
                self.assertEqual("isovmaf: error: " in errors, result.returncode == 1, errors)

    def test_a_device_that_fails_ends_the_run_properly(self):
        self.check_faults("allocation:30", "copy:40", "launch:50", "lost:9")

    def test_a_device_that_fails_early_or_late_ends_the_run_properly(self):
        self.check_faults("allocation:5", "copy:3", "launch:2", "lost:1", "lost:60")


class OnSeveralDevices(SeveralTest):
    def setUp(self):
        if PLUGIN is None:
            self.skipTest("there is no host stand-in")
        super().setUp()
        for name, value in (("ISOVMAF_HOST_DEVICES", "3"), ("ISOVMAF_HOST_THREADS", "1")):
            os.environ[name] = value
            self.addCleanup(os.environ.pop, name)
        self.device = ("--backend", "host", "--backend-dir", PLUGIN.parent, "--feature", "psnr", "-n", "--csv")

    def check(self, devices, videos, *options):
        self.several("-q", "-o", "{stem}.csv", "--force", *self.device, "--device", devices, *options, videos=videos)
        for video in videos:
            self.assertEqual((self.folder / f"{video.stem}.csv").read_bytes(), self.alone(video, *self.device)[0], video)

    def test_videos_are_dealt_to_devices(self):
        self.check("0,2", self.videos)
        self.check("all", [self.video(f"v{n}", n, 4) for n in range(26)]) # 24 at a time

    def test_devices_are_dealt_to_videos(self):
        long = [self.videos[0], self.videos[2]]
        self.check("all", long, "--part-frames", 4)
        self.several("-q", "-o", "{stem}.json", *self.device[:-1], "--device", "all", "--part-frames", 4, videos=long)
        reports = [json.loads((self.folder / f"{video.stem}.json").read_text())["isovmaf"]["execution"] for video in long]
        self.assertEqual([len(report.get("devices", "1")) for report in reports], [2, 1])

    def test_a_lost_device_is_named_and_the_others_go_on(self):
        table, errors = self.several(*self.device[:-1], "--device", "0,1", expect=1, ISOVMAF_HOST_FAIL="lost:60")
        failed = re.findall(r"isovmaf: error: (\w+\.y4m): host:([01]): host CPU: the device was lost", errors)
        (lost,) = {int(device) for _, device in failed}
        names = [video.name for video in self.videos]
        self.assertLessEqual({name for name, _ in failed}, set(names[lost::2]))
        scored = {row.split()[0] for row in table.splitlines()[1:]}
        self.assertEqual(scored, set(names) - {name for name, _ in failed})

    def test_each_video_says_once_what_was_done_for_it(self):
        _, errors = self.several(*self.device[:-1], "--device", "0,1", "-v", videos=self.videos[:2])
        for video in self.videos[:2]:
            self.assertEqual(len(re.findall(f"^{video.name}\n(?:psnr|backend) ", errors, re.M)), 2, errors)
            self.assertEqual(errors.splitlines().count(video.name), 2, "before the scoring, and after it")

    def test_standard_input_is_read_once(self):
        _, errors = self.several("-q", *self.device[:-1], "--device", "0,1", stdin=self.reference.read_bytes(), expect=2)
        self.assertIn("each device reads the reference: give the reference as a file, or give one --device", errors)


if __name__ == "__main__":
    ScoreTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    PLUGIN = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 and os.path.isfile(sys.argv[1]) else None
    unittest.main()
