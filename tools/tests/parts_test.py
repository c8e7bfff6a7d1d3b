#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""`isovmaf score` on several devices and with several decoders: every byte is that of one.

    parts_test.py ISOVMAF [LIBVMAF_HOST] [TEST]...
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

from batch_pairs import FFMPEG, encoders, ffmpeg
from score_runs import ScoreTest, moving_bars
from score_runs import picture as noisy_picture
from score_runs import y4m as y4m_of

PLUGIN = None
WIDTH, HEIGHT, FRAMES = 97, 81, 25  # SpEED needs some rows
TEMPORAL = ("--feature", "psnr", "--feature", "motion:motion_five_frame_window=true", "--feature", "speed_temporal",
            "-m", "version=vmaf_v0.6.1")


def picture(seed):
    return noisy_picture(seed, WIDTH, HEIGHT)


def y4m(frames):
    return y4m_of(frames, WIDTH, HEIGHT)


class PartsTest(ScoreTest):
    def setUp(self):
        super().setUp()
        self.reference = self.write("ref.y4m", y4m([picture(n % 7) for n in range(FRAMES)]))
        self.distorted = self.write("dis.y4m", y4m([picture(n % 5 + 40) for n in range(FRAMES)]))
        self.environment = {}

    def run_score(self, *options, expect=0, reference=None, distorted=None):
        """Into a pipe goes what the distorted video has."""
        writer = subprocess.Popen(["cp", self.distorted, distorted]) if distorted and distorted.is_fifo() else None
        result = subprocess.run([self.ISOVMAF, "score", reference or self.reference, distorted or self.distorted,
                                 *map(str, options)], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                env=os.environ | self.environment)
        if writer:
            writer.wait()
        self.assertEqual(result.returncode, expect, result.stderr.decode())
        return result.stdout.decode(), result.stderr.decode()

    def outputs(self, *options, **files):
        """The JSON report, the page, the table, and what is said: without where the scores were computed."""
        path, page = self.folder / "report.json", self.folder / "page.html"
        said = self.run_score("-o", path, "--html", page, "--force", *options, **files)
        report = json.loads(path.read_text())
        self.said_execution = report["isovmaf"].get("execution")
        self.said_device = report["isovmaf"].get("device")
        for key in ("backend", "plugin", "device", "placement", "execution"):
            report["isovmaf"].pop(key, None)
        shown = re.sub(r"<h2>Where it was computed</h2>.*?(?=<h2>|</main>|<script)", "", page.read_text(), flags=re.S)
        return [json.dumps(report), shown, *said]

    def make_pipe(self):
        os.mkfifo(self.folder / "pipe")
        return self.folder / "pipe"

    def check(self, one, several, *options, parts=(7,), **files):
        """`one` and `several` are the options for one reader of the videos, and for others."""
        expected = self.outputs(*one, *options, **files)
        for place in several:
            for frames in parts:
                added = (*place, "--part-frames", frames)
                with self.subTest(place=place, frames=frames, options=options):
                    got = self.outputs(*added, *options, **files)
                    for one_text, text in zip(expected, got):
                        text = text.replace(" ".join(map(str, added)), " ".join(map(str, one))) # pages show the command
                        self.assertEqual(text, one_text)


class Decoders(PartsTest):
    CPU = ("--backend", "cpu")
    SEVERAL = ((*CPU, "--decoders", 2), (*CPU, "--decoders", 3))

    def test_parts_of_every_length(self):
        self.check(self.CPU, self.SEVERAL, *TEMPORAL, "--precision", "hex", parts=(1, 2, 3, 8))

    def test_other_formats_of_reports(self):
        for kind in ("--xml", "--csv", "--sub"):
            one, several = (self.run_score(*self.CPU, kind, *options)[0] for options in ((), ("--decoders", 3, "--part-frames", 4)))
            self.assertEqual(one, several)

    def test_raw_video_with_ten_bits_and_subsampling(self):
        files = {}
        for side, shift in (("reference", 0), ("distorted", 5)):
            files[side] = self.write(f"{side}.yuv", b"".join(
                (4 * sample + n % 4).to_bytes(2, "little") for n in range(FRAMES) for sample in picture((n + shift) % 8)))
        self.check(self.CPU, self.SEVERAL, "--width", WIDTH, "--height", HEIGHT, "--pixel_format", "420", "--bitdepth", 10,
                   "--subsample", 3, *TEMPORAL, **files)

    def test_skips_and_limits(self):
        self.check(self.CPU, self.SEVERAL, "--frame_skip_ref", 2, "--frame_skip_dis", 3, "--frame_cnt", 19, *TEMPORAL,
                   parts=(5,))

    def test_videos_that_end_elsewhere_than_expected(self):
        for cut in (1000, 3 * (WIDTH * HEIGHT * 3 // 2)): # inside the last part, and before it
            short = self.write("short.y4m", self.distorted.read_bytes()[:-cut])
            self.check(self.CPU, self.SEVERAL, *TEMPORAL, distorted=short, parts=(4, 7))

    def test_watchers_see_all_pairs_in_order(self):
        """The hint about the alignment, the sampled scores for it, and the list of the worst frames."""
        bars = [self.write(f"bars{first}.y4m", moving_bars(first)) for first in (0, 2)]
        self.check(self.CPU, self.SEVERAL, "--align", "--worst", 5, "--feature", "psnr", "-n", reference=bars[0],
                   distorted=bars[1], parts=(2, 3, 5))
        self.assertIn("2 frames", self.run_score(*self.CPU, reference=bars[0], distorted=bars[1])[1])

    def test_a_range_is_judged_by_pictures_of_many_parts(self):
        full = self.write("full.y4m", self.reference.read_bytes().replace(b" A1:1 ", b" A1:1 XCOLORRANGE=FULL ", 1))
        self.check(self.CPU, self.SEVERAL, "--feature", "psnr", "-n", reference=full, distorted=self.reference, parts=(4,))
        self.assertIn("both seem to be full range", self.outputs(*self.CPU, "-n", "--feature", "psnr", reference=full,
                                                                 distorted=self.reference)[0])

    def test_an_interruption_keeps_the_frames_from_the_start(self):
        for side in ("reference", "distorted"):
            path = getattr(self, side)
            head, frames = path.read_bytes().split(b"FRAME", 1)
            path.write_bytes(head + 200 * (b"FRAME" + frames))
        report = self.folder / "report.json"
        options = (*self.CPU, "--threads", 1, "--feature", "psnr", "-m", "version=vmaf_v0.6.1")
        process = subprocess.Popen([self.ISOVMAF, "score", self.reference, self.distorted, *map(str, options), "--decoders", "2",
                                    "--progress=frames", "-q", "-o", report], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.assertRegex(process.stderr.readline(), "^frame +0 ")
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        kept = json.loads((self.folder / "report.json.partial").read_text())
        self.assertTrue(kept["isovmaf"]["incomplete"])
        count = len(kept["frames"])
        self.assertEqual([frame["frameNum"] for frame in kept["frames"]], list(range(count)))
        self.run_score(*options, "--frame_cnt", count, "-q", "-o", report)
        self.assertEqual(json.loads(report.read_text())["frames"], kept["frames"])

    def test_a_file_that_is_cut_while_it_is_read(self):
        for inside, shift in (("luma", -WIDTH * HEIGHT // 2), ("chroma, which is not read", WIDTH * HEIGHT // 4)):
            with self.subTest(inside=inside):
                self.check_cut(shift)

    def check_cut(self, shift):
        """`shift`: bytes behind the end of the luma of a frame near a third of the file."""
        frames = 200 * FRAMES
        self.distorted.write_bytes(self.reference.read_bytes().split(b"FRAME", 1)[0] + frames * (b"FRAME\n" + picture(9)))
        self.reference.write_bytes(self.distorted.read_bytes())
        options = (*self.CPU, "--threads", "1", "-n", "--feature", "vif", "--decoders", "3", "--progress=frames", "--json")
        process = subprocess.Popen([self.ISOVMAF, "score", self.reference, self.distorted, *options], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertRegex(process.stderr.readline(), "^frame +0 ")
        os.truncate(self.distorted, self.distorted.stat().st_size // 3 + shift)
        output, errors = process.communicate()
        if process.returncode == 0: # frames from the start, and what is wrong
            report = json.loads(output)
            self.assertLess(len(report["frames"]), frames)
            self.assertIn("cut_short", [warning["kind"] for warning in report["isovmaf"]["warnings"]])
            self.assertEqual([frame["frameNum"] for frame in report["frames"]], list(range(len(report["frames"]))))
        else: # a part was begun behind the new end
            self.assertEqual((process.returncode, output), (1, ""))
            self.assertIn("no frame left", errors)

    def test_short_videos_have_one_reader(self):
        _, errors = self.run_score(*self.CPU, "--decoders", 2)
        self.assertIn("the videos have frames for 1 of 2 devices and decoders: a part has at least 64 frames\n", errors)

    def test_a_decoder_that_no_part_can_have(self):
        many = (*self.CPU, "--decoders", 2, "--part-frames", 4)
        _, errors = self.run_score(*many, "--hwaccel", "cuda", expect=1)
        self.assertIn("error: --hwaccel cuda cannot be had: the scores are computed on the CPU", errors)
        _, errors = self.run_score(*many, "--hwaccel", "auto")
        self.assertEqual(errors.count("the CPU decodes both videos"), 1, errors)

    def test_what_cannot_be_cut_is_refused(self):
        many = (*self.CPU, "--decoders", 2, "--part-frames", 4)
        for options, why, code in ((("--sync", "pts"), "their frames are paired by time", 1),
                                   (("--feature", "cambi:heatmaps_path=maps"), "parts of videos write no maps", 2)):
            _, errors = self.run_score(*many, *options, expect=code)
            self.assertIn(why, errors)
            self.assertIn("give one --device, and --decoders 1", errors)
        _, errors = self.run_score(*many, distorted=self.make_pipe(), expect=1)
        self.assertIn("pipe cannot be read in parts: it is no file on a disk", errors)


@unittest.skipUnless(FFMPEG, "there is no ffmpeg to encode with")
class Coded(PartsTest):
    FRAMES, GROUP = 40, 8

    def setUp(self):
        super().setUp()
        if "libx264" not in encoders():
            self.skipTest("this ffmpeg has no libx264")
        self.reference = self.encode("ref.mkv", self.GROUP, 20)
        self.distorted = self.encode("dis.mp4", self.GROUP, 40)

    def encode(self, name, group, quality):
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=size=96x96:rate=25:duration={self.FRAMES / 25}", "-c:v", "libx264",
               "-pix_fmt", "yuv420p", "-crf", quality, "-g", group, "-bf", 2, "-sc_threshold", 0, self.folder / name)
        return self.folder / name

    def test_parts_begin_at_key_frames(self):
        self.check(Decoders.CPU, Decoders.SEVERAL, *TEMPORAL, parts=(3, 10))

    def test_videos_with_other_key_frames(self):
        self.check(Decoders.CPU, Decoders.SEVERAL[:1], *TEMPORAL, distorted=self.encode("other.mp4", 11, 30), parts=(4,))

    def test_a_video_with_one_key_frame_cannot_be_cut(self):
        _, errors = self.run_score(*Decoders.SEVERAL[0], "--part-frames", 4, expect=1,
                                   distorted=self.encode("one.mp4", 300, 30))
        self.assertIn("one.mp4 cannot be read in parts: decoding can start with no other key frame than the first", errors)

    def test_frames_of_a_video_with_one_key_frame_are_dealt_to_devices(self):
        host = ("--backend", "host,cpu", "--backend-dir", use_devices(self))
        several = ((*host, "--device", "0,1"),)
        self.check(host, several, *TEMPORAL, parts=(4,), distorted=self.encode("one.mp4", 300, 30))
        self.assertNotIn("devices", self.said_execution)
        self.check(host, several, *TEMPORAL, parts=(4,))
        self.assertEqual(len(self.said_execution["devices"]), 2, "this video is cut into parts")


def use_devices(test):
    """Makes three stand-in devices, and returns the folder of their plugin."""
    if PLUGIN is None:
        test.skipTest("the stand-in was not built")
    plugins = test.folder / "plugins"
    plugins.mkdir()
    (plugins / "libvmaf_host.so").symlink_to(PLUGIN)
    test.environment = {"ISOVMAF_HOST_DEVICES": "3", "ISOVMAF_HOST_THREADS": "1"}
    return plugins


class Dealing(PartsTest):
    """How often workers open the videos, and go to other places in them."""

    def workers(self, *options, **files):
        path = self.folder / "report.json"
        self.run_score(*Decoders.CPU, "--feature", "psnr", "-n", "--stats", "-q", "-o", path, "--force", *options, **files)
        return json.loads(path.read_text())["isovmaf"]["stats"].get("workers", [])

    def check(self, workers, frames, most_moved):
        self.assertEqual(sum(worker["frames"] for worker in workers), frames)
        for worker in workers:
            self.assertLessEqual(worker["opened"], 1)
            self.assertLessEqual(worker["moved"], most_moved)
        self.assertEqual(sum(worker["opened"] for worker in workers), sum(worker["frames"] > 0 for worker in workers) - 1,
                         "one worker goes on with what the program opened")

    def test_raw_frames_are_opened_once_by_each_worker(self):
        for side in ("reference", "distorted"):
            path = getattr(self, side)
            head, frames = path.read_bytes().split(b"FRAME", 1)
            path.write_bytes(head + 40 * (b"FRAME" + frames)) # 1000 frames
        halves = 3 # of the 500 frames of the other: 250, 125, and 62 are too few
        workers = self.workers("--decoders", 2)
        self.check(workers, 40 * FRAMES, halves)
        self.assertGreater(min(worker["frames"] for worker in workers), 0)

    def test_coded_frames_are_opened_once_by_each_worker(self):
        if not FFMPEG or "libx264" not in encoders():
            self.skipTest("there is no ffmpeg with libx264")
        videos = [self.folder / name for name in ("ref.mkv", "dis.mp4")]
        for video, quality in zip(videos, (20, 40)):
            ffmpeg("-f", "lavfi", "-i", "testsrc2=size=96x96:rate=25:duration=24", "-c:v", "libx264", "-pix_fmt", "yuv420p",
                   "-crf", quality, "-g", 20, "-bf", 2, video)
        files = dict(zip(("reference", "distorted"), videos))
        one = self.outputs(*Decoders.CPU, "--feature", "psnr", "-n", **files)
        for decoders in (2, 3):
            self.check(self.workers("--decoders", decoders, **files), 600, 6)
            self.assertEqual(json.loads(self.outputs(*Decoders.CPU, "--feature", "psnr", "-n", "--decoders", decoders, **files)[0]),
                             json.loads(one[0]))

    def test_decoders_are_chosen_where_a_device_may_decode(self):
        if not FFMPEG or "libx264" not in encoders():
            self.skipTest("there is no ffmpeg with libx264")
        options = ("--feature", "psnr", "-n")
        for group, workers in ((20, 2), (9999, 2)): # the second cannot be cut, which is seen while it is read
            files = {side: self.folder / f"{side}{group}.mkv" for side in ("reference", "distorted")}
            for video, quality in zip(files.values(), (20, 40)):
                ffmpeg("-f", "lavfi", "-i", "testsrc2=size=96x96:rate=25:duration=24", "-c:v", "libx264", "-pix_fmt",
                       "yuv420p", "-crf", quality, "-g", group, "-keyint_min", group, "-sc_threshold", 0, video)
            expected = json.loads(self.outputs(*Decoders.CPU, *options, **files)[0])
            found = self.workers("--hwaccel", "auto", **files)
            self.assertEqual((len(found), sum(worker["frames"] for worker in found)), (workers, 600))
            self.assertEqual(sum(worker["frames"] > 0 for worker in found), 2 if group == 20 else 1)
            self.assertEqual(self.workers("--hwaccel", "auto", "--decoders", 1, **files), [])
            said = self.outputs(*Decoders.CPU, *options, "--hwaccel", "auto", **files)
            self.assertEqual(json.loads(said[0])["frames"], expected["frames"])
            self.assertEqual(said[3].count("the CPU decodes both videos"), 1)
            self.assertNotIn("a part has at least", said[3])
        self.assertEqual(self.workers("--hwaccel", "auto"), [], "25 frames are too few")


class Devices(PartsTest):
    def setUp(self):
        super().setUp()
        self.host = ("--backend", "host,cpu", "--backend-dir", use_devices(self))

    def several(self, *devices):
        return tuple((*self.host, "--device", each) for each in devices)

    def test_devices_change_no_byte(self):
        self.check(self.host, (*self.several("0,1", "2,0"), (*self.host, "--device", "all", "--decoders", "2")), *TEMPORAL,
                   parts=(3,))

    def check_dealt(self, *options, **files):
        """Frames of the videos, which cannot be cut, are dealt to several devices."""
        self.check(self.host, self.several("0,1", "all"), *options, **files)
        self.assertEqual(self.said_device, "host CPU, host CPU, host CPU")

    def test_frames_of_a_pipe_are_dealt(self):
        pipe = self.make_pipe()
        self.check_dealt(*TEMPORAL, "--precision", "hex", distorted=pipe)
        for options, why in ((("--decoders", 2), "pipe cannot be read in parts"), (("--hwaccel", "auto"), "pipe cannot be read")):
            _, errors = self.run_score(*self.host, "--device", "0,1", *options, distorted=pipe, expect=1)
            self.assertIn(why, errors)

    def test_frames_that_are_paired_by_time_are_dealt(self):
        self.check_dealt("--sync", "pts", *TEMPORAL)

    def test_maps_of_a_whole_video_are_written(self):
        large = self.write("large.y4m", y4m_of([noisy_picture(n, 216, 216) for n in range(3)], 216, 216))
        maps = [self.folder / f"maps{device}" for device in (0, 1)]
        for folder, device in zip(maps, ("0", "0,1")):
            self.run_score(*self.host, "--device", device, "-n", "--feature", f"cambi:heatmaps_path={folder}",
                           reference=large, distorted=large)
        written = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in maps]
        self.assertEqual(written[0], written[1])
        self.assertTrue(written[0])

    def test_every_device_is_named_with_its_work(self):
        work = {}
        for device in ("0", "0,2", "all"):
            self.outputs(*self.host, "--device", device, "--part-frames", 4, "-m", "version=vmaf_v0.6.1")
            execution = self.said_execution
            work[device] = execution["features"]["vif"]["kernel_launches"]
            if device != "0":
                each = [one["features"]["vif"]["kernel_launches"] for one in execution["devices"]]
                self.assertEqual((len(each), sum(each)), (len(device.split(",")) if device != "all" else 3, work[device]))
        self.assertGreaterEqual(work["0,2"], work["0"]) # frames before parts are extracted twice
        _, errors = self.run_score(*self.host, "--device", "all", "--part-frames", 4, "-v")
        self.assertEqual(errors.count("device    host CPU"), 3)

    def test_frames_of_sessions_are_dealt_to_devices(self):
        def run(*command):
            done = subprocess.run([self.ISOVMAF, *command, "--backend-dir", self.host[-1]], text=True, capture_output=True,
                                  check=False, env={**os.environ, **self.environment})
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)

        for frames in ("--device_frames", "--pinned_frames"):
            timed = run("bench", "--backend", "host", "--device", "0,2", "-w", "64", "-h", "64", "--frames", "8", frames,
                        "--json")
            self.assertIn('"device": "host CPU, host CPU"', json.dumps(timed))
        compared = run("diff", "--backends", "cpu-ref,host:0+2", "-r", self.reference, "-d", self.distorted, "--json", "-")
        self.assertEqual(compared["verdict"], "equal")

    def test_a_lost_device_ends_the_run_with_its_name(self):
        self.environment["ISOVMAF_HOST_FAIL"] = "lost:90"
        output, errors = self.run_score(*self.host, "--device", "0,1", "--part-frames", 4, "--json", expect=1)
        self.assertEqual(output, "")
        # One device may compute while the other is still tested: the 90th operation is of either.
        in_test = r"device [01] of host \(host CPU\) is not used, because its self-test failed: "
        self.assertRegex(errors, rf"^isovmaf: error: host:[01]: ({in_test})?host CPU: the device was lost")
        self.assertEqual(errors.count("error"), 1)
        output, errors = self.run_score(*self.host, "--device", "0,1", "--json", expect=1, distorted=self.make_pipe())
        self.assertEqual(output, "")
        self.assertRegex(errors, r"^isovmaf: error: (host:[01]|device [01] of host).*host CPU: the device was lost")

    def test_lists_that_cannot_be_meant(self):
        for device, why in (("0,0", "--device 0,0 names device 0 twice"), ("0,", "not \"0,\""), ("-1", "not \"-1\""),
                            ("x", "--device takes a number, several numbers such as 0,1, or all")):
            _, errors = self.run_score(*self.host, f"--device={device}", expect=2)
            self.assertIn(why, errors)
        _, errors = self.run_score(*self.host, "--device", "1,5", "--part-frames", 4, expect=2)
        self.assertIn("host has no device 5: it has 3 devices", errors)
        _, errors = self.run_score("--backend", "cpu", "--device", "0,1", expect=2)
        self.assertIn("backend cpu has none", errors)


if __name__ == "__main__":
    PartsTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    if sys.argv[1:2] and sys.argv[1].endswith(".so"):
        PLUGIN = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
