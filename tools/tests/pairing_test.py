#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Which frames `isovmaf score` pairs, and what it says about files whose times and lengths differ.

    pairing_test.py ISOVMAF
"""

import csv
import functools
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from batch_pairs import encoders
from score_runs import ScoreTest

def with_pulldown(data):
    """MPEG-2 video whose pictures are shown for three fields and for two in turn (ISO/IEC 13818-2, 6.2.2 and 6.2.3)."""
    data, at, group, count, shown = bytearray(data), 0, 0, 0, 0
    while (at := data.find(b"\0\0\1", at)) >= 0:
        code, extension = data[at + 3], data[at + 4] >> 4
        if code == 0xB8:  # a group of pictures
            group = count
        elif code == 0x00:  # a picture: temporal_reference
            shown, count = group + (data[at + 4] << 2 | data[at + 5] >> 6), count + 1
        elif code == 0xB5 and extension == 1:  # of the sequence: progressive_sequence
            data[at + 5] &= ~0x08
        elif code == 0xB5 and extension == 8:  # of a picture: top_field_first, repeat_first_field, progressive_frame
            data[at + 7] = data[at + 7] & ~0x82 | (shown % 4 in (0, 3)) << 7 | (shown % 2 == 0) << 1
            data[at + 8] |= 0x80
        at += 4
    return bytes(data)


PSNR = ("--no_prediction", "--feature", "psnr:enable_chroma=false")


@unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "there is no ffmpeg to make videos with")
class PairingTest(ScoreTest):
    def ffmpeg(self, name, *arguments):
        path = self.folder / name
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *map(str, arguments), path], check=True)
        return path

    def pictures(self, name, *options, rate=25, seconds=1):
        return self.ffmpeg(name, "-f", "lavfi", "-i", f"testsrc2=size=96x64:rate={rate}:duration={seconds}", *options)

    def said(self, reference, distorted, *options, expect=0):
        """What is printed on standard error, and the number of pairs."""
        result = self.score("-q", *PSNR, "--json", "-o", self.folder / "report.json", *options, reference=reference,
                            distorted=distorted)
        text = result.stderr.decode()
        self.assertEqual(result.returncode, expect, text)
        if expect:
            return text, 0
        return text, len(json.loads((self.folder / "report.json").read_text())["frames"])


class Lengths(PairingTest):
    WITH_SOUND = ("-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac")

    def cut(self, path, seconds):
        """A copy of a file that ends in front of its first packet at that time."""
        packets = json.loads(subprocess.run(
            ["ffprobe", "-v", "error", "-show_entries", "packet=pts_time,pos", "-of", "json", path], check=True,
            capture_output=True).stdout)["packets"]
        end = min(int(packet["pos"]) for packet in packets if "pos" in packet and float(packet["pts_time"]) >= seconds)
        return self.write(f"cut-{path.name}", path.read_bytes()[:end])

    def test_a_video_that_stops_early_at_another_rate(self):
        fast = self.pictures("fast.mkv", "-c:v", "ffv1", rate=60)
        for reference, distorted, pairs in ((fast, self.pictures("slow.mkv", "-c:v", "ffv1", rate=24), 24),
                                            (fast, self.pictures("stop.mkv", "-c:v", "ffv1", "-frames:v", 6, rate=24), 6)):
            text, count = self.said(reference, distorted)
            self.assertEqual(count, pairs)
            self.assertEqual("reference fast.mkv goes on for about 0.776 s" in text.replace(f"{self.folder}/", ""),
                             pairs == 6, text)
            self.assertIn("left out: of the reference (", text)
        text, _ = self.said(fast, self.folder / "stop.mkv", "--sync", "pts", "--strict", expect=1)
        self.assertIn("strict scoring wants equal lengths", text)

    def test_a_file_that_ends_before_its_container_says(self):
        for name, codec, sound in (("v.flv", "flv1", ()), ("a.flv", "flv1", self.WITH_SOUND), ("v.mkv", "ffv1", ()),
                                   ("a.mkv", "ffv1", self.WITH_SOUND)):
            whole = self.pictures(name, *sound, "-c:v", codec)
            cut = self.cut(whole, 0.4)
            text, _ = self.said(whole, cut)
            self.assertIn("seems cut short: it ends earlier than its container", text, name)
            text, _ = self.said(cut, cut, "--strict", expect=1)
            self.assertIn("strict scoring wants whole videos", text, name)

    def test_whole_files_are_not_taken_for_cut(self):
        jitter = ("-vf", "settb=1/1000,setpts=PTS+random(0)*10", "-fps_mode", "passthrough", "-enc_time_base", "1:1000")
        cases = {"jitter.flv": ("-c:v", "flv1", *jitter),  # no packet has a duration
                 "jitter.mkv": ("-c:v", "ffv1", *jitter),
                 "sound.flv": ("-f", "lavfi", "-i", "sine=duration=2", "-c:a", "aac", "-c:v", "flv1"),
                 "sound.mkv": ("-f", "lavfi", "-i", "sine=duration=2", "-c:a", "aac", "-c:v", "ffv1")}
        for name, options in cases.items():
            whole = self.pictures(name, *options)
            self.assertNotIn("cut short", self.said(whole, whole, "--strict")[0], name)


    def test_a_time_that_is_missing_or_wraps_is_no_loss(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1")
        mpeg2, mpeg4 = ("-c:v", "mpeg2video", "-q:v", 2, "-bf", 2), ("-c:v", "mpeg4", "-q:v", 2, "-bf", 2)
        wrap = ("-output_ts_offset", 95443.2, "-muxdelay", 0, "-muxpreload", 0)  # 2^33 / 90000 is 95443.7
        for name, options in (("wrap.ts", (*mpeg2, *wrap)), ("wrap.vob", (*mpeg2, *wrap, "-f", "vob")), ("a.avi", mpeg4),
                              ("sound.avi", ("-f", "lavfi", "-i", "sine=duration=1", "-c:a", "mp2", *mpeg4)),
                              ("a.asf", mpeg4), ("a.mpg", mpeg2), ("a.m2v", mpeg2)):
            distorted = self.ffmpeg(name, "-i", reference, *options)
            for sync in ("auto", "pts"):
                self.assertEqual(self.said(reference, distorted, "--strict", "--sync", sync), ("", 25), (name, sync))

    def test_an_avi_that_was_cut(self):
        whole = self.ffmpeg("whole.avi", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2", "-f", "lavfi", "-i",
                            "sine=duration=1", "-c:v", "mpeg4", "-bf", 2, "-c:a", "mp2")
        data = whole.read_bytes()
        chunks = [place.start() for place in re.finditer(b"00dc", data) if place.start() > data.index(b"movi")]
        cut = self.write("cut.avi", data[:chunks[30]])
        text, count = self.said(whole, cut)
        self.assertIn("cut.avi seems cut short: it ends earlier than its container (avi) says", text)
        self.assertEqual(count, 30)


class StartTimes(PairingTest):
    def notes(self):
        return "\n".join(json.loads((self.folder / "report.json").read_text())["isovmaf"]["notes"])

    def test_starts_that_containers_shift_are_notes(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1")
        sound = ("-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac")
        for name, options in (("v.ts", ("-c:v", "mpeg2video", "-q:v", 2)), ("a.flv", (*sound, "-c:v", "flv1", "-q:v", 2)),
                              ("a.mkv", (*sound, "-c:v", "ffv1"))):
            distorted = self.ffmpeg(name, "-i", reference, *options)
            text, count = self.said(reference, distorted, "--strict")
            self.assertEqual((text, count), ("", 25), name)
            self.assertRegex(self.notes(), rf"starts at 0.000 s, distorted .*{name} at \d", name)

    def test_starts_are_a_warning_when_pictures_disagree(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1")
        early = self.ffmpeg("early.mkv", "-i", reference, "-vf", "trim=start_frame=2", "-c:v", "ffv1")
        text, _ = self.said(reference, early)
        self.assertRegex(text, r"warning: .*starts at 0.000 s, .*early.mkv at 0.080 s: .*; the pictures do not fit as they are paired")
        self.assertIn("distorted seems 2 frames early", text)
        same_length = ("--frame_cnt", 20)
        text, _ = self.said(reference, early, *same_length, "--strict", expect=1)
        self.assertIn("the pictures do not fit as they are paired", text)
        self.said(reference, early, *same_length, "--sync", "pts-absolute", "--strict")
        few = self.ffmpeg("few.mkv", "-i", reference, "-vf", "trim=start_frame=14:end_frame=20", "-c:v", "ffv1")
        self.assertIn("the pictures do not fit as they are paired", self.said(reference, few)[0])  # too few for a hint


class VariableRates(PairingTest):
    PATTERN = "select='not(mod(n,7)-3)+lt(mod(n,7),2)'"  # 0, 1, 3, 7, 8, 10, 14...

    def variable(self, name, reference, *options):
        return self.ffmpeg(name, "-i", reference, "-vf", self.PATTERN, "-fps_mode", "vfr", *options)

    def test_the_container_makes_no_difference(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1", seconds=2)
        shown = [n for n in range(50) if n % 7 in (0, 1, 3)]
        for name, codec in (("v.mkv", "ffv1"), ("v.nut", "ffv1"), ("v.mov", "png"), ("v.flv", "flashsv")):
            distorted = self.variable(name, reference, "-c:v", codec)
            text, count = self.said(reference, distorted)
            self.assertEqual(count, len(shown), name)
            self.assertIn("on average, at varying distances: frames are paired by presentation time", text, name)
            sync = json.loads((self.folder / "report.json").read_text())["isovmaf"]["sync"]
            self.assertEqual(sync["dropped_frames"], [n for n in range(max(shown)) if n not in shown], name)
            text, _ = self.said(reference, distorted, "--sync", "index")
            self.assertIn("varying distances: frame n is paired with frame n", text)

    def test_the_same_varying_times_need_no_warning(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1", seconds=2)
        text, count = self.said(self.variable("a.mkv", reference, "-c:v", "ffv1"),
                                self.variable("b.mov", reference, "-c:v", "png", "-pix_fmt", "rgb24"), "--strict", "--as-is")
        self.assertEqual((text, count), ("", 22))

    def test_what_varies_later_than_is_looked_drifts_apart(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1", seconds=7)
        distorted = self.ffmpeg("gap.mkv", "-i", reference, "-vf", "select='lt(n,150)+gt(n,152)'", "-fps_mode", "vfr",
                                "-c:v", "ffv1")
        text, _ = self.said(reference, distorted)
        self.assertIn("frame 150 of reference", text)
        self.assertIn("use --sync pts", text)


class Rates(PairingTest):
    """Which rates are a file's word, and which frames are a pair where there are none or two."""

    def probed(self, path):
        run = functools.partial(subprocess.run, check=True, capture_output=True, text=True)
        stream = json.loads(run([self.ISOVMAF, "probe", "--json", path]).stdout)["files"][0]["streams"][0]
        self.assertEqual("no rate stated" in run([self.ISOVMAF, "probe", path]).stdout, stream["average_rate"] is None)
        return stream

    def test_what_libav_makes_up_is_no_rate(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1", rate=60)
        known = encoders()
        for name, codec, *options in (("a.mjpeg", "mjpeg", "-pix_fmt", "yuvj420p"), ("p%02d.bmp", "bmp"),
                                      ("a.m4v", "mpeg4", "-r", "60000/1001", "-f", "m4v"),  # with a clock of 60000
                                      ("a.h265", "libx265", "-x265-params", "vui-timing-info=0:log-level=error")):
            if codec not in known:
                continue
            distorted = self.ffmpeg(name, "-i", reference, "-c:v", codec, *options)
            self.assertEqual(self.said(reference, distorted, "--strict", "--as-is"), ("", 60), name)
            stream = self.probed(distorted)
            self.assertEqual([stream[key] for key in ("average_rate", "base_rate", "start_seconds", "duration_seconds")],
                             [None] * 4, name)
            self.assertNotIn(b"time", self.score("-q", *PSNR, "--as-is", "--json", "-o", "/dev/stdout", reference=distorted,
                                                 distorted=reference).stdout)
        if codec in known:
            text, count = self.said(reference, distorted, "--dis-format", "96x64:420@30")
            self.assertIn("a.h265 has 30 frames per second: frames are paired by presentation time", text)
            self.assertEqual(count, 30)

    def test_what_a_stream_states_is_one(self):
        known = encoders()
        reference = self.pictures("reference.mkv", "-c:v", "ffv1", rate=50)
        for name, codec, *options in (("a.m2v", "mpeg2video", "-bf", 2), ("a.m1v", "mpeg1video", "-bf", 2),
                                      ("a.m4v", "mpeg4", "-f", "m4v"), ("a.avi", "mpeg4", "-bf", 2),
                                      ("a.ogv", "libtheora", "-q:v", 10),
                                      ("a.ivf", "libvpx", "-b:v", "2M")):
            if codec not in known:
                continue
            path = self.ffmpeg(name, "-i", reference, "-vf", "select=not(mod(n\\,2)),setpts=N/25/TB", "-r", 25, "-c:v", codec,
                               "-q:v", 2, *options)
            self.assertEqual(self.probed(path)["average_rate"], "25/1", name)
            text, count = self.said(reference, path)
            self.assertIn("has 25 frames per second: frames are paired by presentation time", text, name)
            self.assertEqual(count, 25, name)
            self.assertGreater(min(scores["psnr_y"] for scores in self.scores()), 30, name)  # neighbours have 25

    def test_batches_pair_as_score_does(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1", rate=60)
        names = ["a.mjpeg", "slow.m2v", "slow.avi"]
        self.ffmpeg(names[0], "-i", reference, "-c:v", "mjpeg", "-q:v", 2)
        self.ffmpeg(names[1], "-i", reference, "-r", 30, "-c:v", "mpeg2video", "-q:v", 2, "-bf", 2)
        self.ffmpeg(names[2], "-i", reference, "-r", 30, "-c:v", "mpeg4", "-q:v", 2, "-bf", 2)
        self.write("rows.csv", "reference,distorted\n{}\n".format(
            "\n".join(f"reference.mkv,{name}" for name in names)).encode())
        found = []
        for name, options in (("whole", ()), ("cut", ("--segment-frames", 20, "--group", 1))):
            run = self.folder / name
            subprocess.run([self.ISOVMAF, "batch", "rows.csv", "--run", run, "--as-is", *PSNR, *map(str, options)],
                           cwd=self.folder, check=True, capture_output=True)
            found.append((run / "results.csv").read_text())
        self.assertEqual(*found)
        for name, row in zip(names, csv.DictReader(io.StringIO(found[0]))):
            text, count = self.said(reference, self.folder / name, "--as-is")
            pooled = json.loads((self.folder / "report.json").read_text())["pooled_metrics"]["psnr_y"]["mean"]
            self.assertEqual(int(row["frames"]), count, text)
            self.assertAlmostEqual(float(row["psnr_y_mean"]), pooled, 5)

    def test_film_that_was_sped_up(self):
        film = self.pictures("film.mkv", "-c:v", "ffv1", rate=24, seconds=2)
        retimed = {}
        for rate in ("24000/1001", "24/1", "25/1", "30000/1001", "30/1"):
            name = f"{rate.replace('/', '-')}.mp4"
            retimed[rate] = self.ffmpeg(name, "-r", rate, "-i", film, "-c:v", "mpeg4", "-q:v", 2)
        for slow, fast in (("24000/1001", "25/1"), ("24/1", "25/1"), ("24000/1001", "24/1"), ("30000/1001", "30/1")):
            for reference, distorted in ((slow, fast), (fast, slow)):
                text, count = self.said(retimed[reference], retimed[distorted], "--strict")
                self.assertEqual((text, count), ("", 48), (reference, distorted))
                notes = json.loads((self.folder / "report.json").read_text())["isovmaf"]["notes"]
                self.assertIn("and both have about 48 frames: frame n is paired with frame n", "\n".join(notes))
        text, count = self.said(retimed["24/1"], retimed["25/1"], "--sync", "pts")
        self.assertLess(count, 48)
        for rate in (25, 48):  # frames are repeated
            converted = self.ffmpeg(f"converted-{rate}.mp4", "-i", film, "-r", rate, "-c:v", "mpeg4", "-q:v", 2)
            self.assertIn("frames are paired by presentation time", self.said(film, converted)[0])
        stream = self.ffmpeg("stream.m2v", "-r", 25, "-i", film, "-c:v", "mpeg2video", "-q:v", 2)
        text, count = self.said(film, stream)
        self.assertIn("stream.m2v has 25 frames per second: frame n is paired with frame n; use --sync pts", text)
        self.assertEqual(count, 48)

    def test_pulldown(self):
        film = self.pictures("film.mkv", "-c:v", "ffv1", rate="24000/1001")
        plain = self.ffmpeg("plain.m2v", "-i", film, "-vf", "settb=1001/30000,setpts=N", "-r", "30000/1001", "-c:v",
                            "mpeg2video", "-q:v", 2, "-g", 6, "-bf", 2)
        television = self.write("television.m2v", with_pulldown(plain.read_bytes()))
        self.said(film, television, "--sync", "index")
        expected = self.scores()
        text, count = self.said(film, television)
        self.assertIn("29.97 frames per second: frames are paired by presentation time", text)
        self.assertEqual((count, self.scores()), (24, expected))
        self.assertLess(self.said(film, plain)[1], 24)  # every picture for two fields: it ends earlier

    def scores(self):
        return [frame["metrics"] for frame in json.loads((self.folder / "report.json").read_text())["frames"]]


class Shifts(PairingTest):
    def psnr(self):
        frames = json.loads((self.folder / "report.json").read_text())["frames"]
        return sum(frame["metrics"]["psnr_y"] for frame in frames) / len(frames)

    def test_a_shift_of_one_frame_of_the_faster_video(self):
        reference = self.pictures("fast.mkv", "-c:v", "ffv1", rate="60000/1001", seconds=2)
        slow = self.ffmpeg("slow.mkv", "-i", reference, "-vf", "select=mod(n\\,2),setpts=N*1001/30000/TB", "-r",
                           "30000/1001", "-c:v", "mpeg2video", "-q:v", 2)  # frames 1, 3, 5...
        text, _ = self.said(reference, slow)
        self.assertIn("distorted seems 1 frame of the reference early", text)
        self.assertIn("try --frame_skip_ref 1 --frame_skip_dis 0\n", text)
        before = self.psnr()
        text, _ = self.said(reference, slow, "--frame_skip_ref", 1)
        self.assertNotIn("hint", text)
        self.assertGreater(self.psnr(), before + 8)
        text, _ = self.said(reference, slow, "--align")
        self.assertRegex(text, r"mean psnr_y of \d+ sampled frames \d+\.\d -> \d+\.\d\): try --frame_skip_ref 1")
        text, _ = self.said(slow, reference)
        self.assertRegex(text, "distorted seems 1 frame of the distorted video late .*--frame_skip_ref 0 --frame_skip_dis 1")

    def test_a_shift_of_seconds(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1", seconds=5)
        late = self.ffmpeg("late.mkv", "-i", reference, "-vf", "trim=start_frame=40,setpts=PTS-STARTPTS", "-c:v", "ffv1")
        self.assertIn("distorted seems 40 frames early", self.said(reference, late)[0])
        text, _ = self.said(reference, late, "--offset", -40, "--frame_cnt", 80)
        self.assertEqual(text, "")

    def test_videos_that_show_other_things(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1")
        other = self.ffmpeg("other.mkv", "-f", "lavfi", "-i", "mandelbrot=size=96x64:rate=25", "-frames:v", 25,
                            "-pix_fmt", "yuv420p", "-c:v", "ffv1")
        self.assertIn("hint: these videos do not look alike", self.said(reference, other)[0])
        blurred = self.ffmpeg("blurred.mkv", "-i", reference, "-vf", "boxblur=4,noise=alls=40", "-c:v", "ffv1")
        self.assertEqual(self.said(reference, blurred)[0], "")

    def test_the_same_file(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1")
        link = self.folder / "link.mkv"
        link.symlink_to(reference)
        text, _ = self.said(reference, link, "--strict")
        self.assertEqual(text, f"isovmaf: reference and distorted are the same file: {reference}\n")

    def test_packets_that_a_container_marks_are_decoded(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1")
        parts = [self.ffmpeg(f"{name}.ts", "-i", reference, "-vf", f"trim={trim},setpts=PTS-STARTPTS", "-c:v", "mpeg2video",
                             "-q:v", 2) for name, trim in (("a", "end_frame=12"), ("b", "start_frame=12"))]
        joined = self.write("joined.ts", b"".join(part.read_bytes() for part in parts))  # a gap in continuity counters
        self.assertEqual(self.said(reference, joined, "--sync", "index")[1], 25)


class Ranges(PairingTest):
    TO_FULL = "scale=in_range=tv:out_range=pc"

    def tagged(self, name, reference, filters="null", *options):
        return self.ffmpeg(name, "-i", reference, "-vf", filters, "-c:v", "ffv1", "-color_range", "pc", *options)

    def test_pictures_tell_whether_the_other_video_is_limited(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1", "-color_range", "unknown")
        converted = self.tagged("converted.mkv", reference, self.TO_FULL)
        result = self.score(*PSNR, reference=reference, distorted=converted)
        self.assert_refused(result, "unspecified colour range", "reference.mkv is limited range", "--convert dis:range",
                            "--as-is")
        for options in (("--convert", "dis:range"), ("--as-is",)):
            self.assertEqual(self.said(reference, converted, *options, "--strict")[0], "", options)
        (self.folder / "report.json").unlink()
        result = self.score(*PSNR, reference=converted, distorted=reference)
        self.assert_refused(result, "reference.mkv is limited range")

    def test_pictures_tell_that_both_are_full(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1", "-color_range", "unknown")
        text, _ = self.said(reference, self.tagged("same.mkv", reference), "--strict")
        self.assertEqual(text, "")
        notes = json.loads((self.folder / "report.json").read_text())["isovmaf"]["notes"]
        self.assertIn("both seem to be full range", "\n".join(notes))

    def test_other_pictures_leave_a_warning(self):
        reference = self.pictures("reference.mkv", "-c:v", "ffv1", "-color_range", "unknown")
        for filters in ("eq=gamma=1.4", "eq=contrast=0.9", "eq=brightness=0.06", f"{self.TO_FULL},noise=alls=90:allf=t",
                        f"{self.TO_FULL},crop=64:64:32:0,pad=96:64"):
            text, _ = self.said(reference, self.tagged("graded.mkv", reference, filters, "-y"))
            self.assertIn("warning: reference", text, filters)
            self.assertIn("use --convert dis:range to convert", text, filters)
            self.said(reference, self.folder / "graded.mkv", "--strict", expect=1)


if __name__ == "__main__":
    ScoreTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
