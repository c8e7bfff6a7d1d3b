#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What is said of samples that are other ones than a user may think: deeper ones, with film grain, HDR without a name.

    samples_test.py ISOVMAF
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import unittest

from batch_runs import BatchRuns
from film_grain import with_film_grain
from score_runs import ScoreTest

PSNR = ("--no_prediction", "--feature", "psnr")
PICTURES = ("-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=0.2", "-vf", "noise=alls=20:allf=t:all_seed=7", "-pix_fmt")
# Encoders of streams with film grain; those of H.264 and HEVC know none, which is put into their streams.
GRAINY = {"av1.mkv": ("-c:v", "libsvtav1", "-preset", "8", "-crf", "35", "-svtav1-params", "film-grain=50"),
          "aom.mkv": ("-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "35", "-denoise-noise-level", "50"),
          "grain.h264": ("-c:v", "libx264", "-threads", "1"),
          "grain.h265": ("-c:v", "libx265", "-x265-params", "log-level=error:pools=none:frame-threads=1")}


@unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make videos with")
class SamplesTest(ScoreTest):
    def ffmpeg(self, *arguments):
        """Whether ffmpeg did that; it may lack an encoder."""
        result = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)], capture_output=True,
                                check=False)
        return result.returncode == 0

    def pictures(self, name, pixels="yuv420p", *options):
        self.assertTrue(self.ffmpeg(*PICTURES, pixels, *options, self.folder / name))
        return self.folder / name

    def probe(self, path):
        text, as_json = (subprocess.run([self.ISOVMAF, "probe", *option, path], capture_output=True, check=True).stdout
                         for option in ((), ("--json",)))
        return text.decode(), json.loads(as_json)["files"][0]["streams"][0]


class Words(SamplesTest):
    """Raw video of more bits is read as samples of 8 bit: as twice as many frames."""

    def raw(self, name, pixels):
        return self.pictures(name, pixels, "-f", "rawvideo")

    def options(self, depth):
        return ("-w", "128", "-h", "96", "-p", "420", "-b", str(depth), *PSNR)

    def warnings(self, reference, distorted, depth):
        return self.report(*self.options(depth), reference=reference, distorted=distorted)["isovmaf"]["warnings"]

    def test_words_are_told_from_samples_of_8_bit(self):
        eight = self.raw("8.yuv", "yuv420p")
        self.assertEqual(self.warnings(eight, eight, 8), [])
        for pixels, depth in (("yuv420p10le", 10), ("yuv420p12le", 12), ("yuv420p10be", 10)):
            deep = self.raw(f"{pixels}.yuv", pixels)
            found = self.warnings(eight, deep, 8)
            self.assertIn(("samples", True), [(warning["kind"], f"words of 16 bit, in which samples of {depth} bit" in warning["text"])
                                              for warning in found], pixels)
            self.assertEqual(sum(warning["kind"] == "samples" for warning in self.warnings(deep, deep, 8)), 2)
            strict = self.score(*self.options(8), "--strict", reference=deep, distorted=deep)
            self.assertEqual(strict.returncode, 1)
            self.assertIn("look like words of 16 bit", strict.stderr.decode())
        self.assertEqual(self.warnings(self.folder / "yuv420p10le.yuv", self.folder / "yuv420p10le.yuv", 10), [])
        piped = self.score(*self.options(8), reference="-", distorted=deep, stdin=deep.read_bytes())
        self.assertEqual(piped.stderr.decode().count("look like words of 16 bit"), 2)


class FilmGrain(SamplesTest):
    def grainy(self, reference, name):
        """A file with film grain; nothing where ffmpeg lacks the encoder."""
        path = self.folder / name
        if not self.ffmpeg("-i", reference, *GRAINY[name], path):
            return None
        if path.suffix in (".h264", ".h265"):
            self.write(path.name, with_film_grain(path.read_bytes(), path.suffix == ".h265"))
        return path

    def decoded(self, path, *options):
        out = self.folder / "decoded.y4m"
        self.assertTrue(self.ffmpeg(*options, "-i", path, "-pix_fmt", "yuv420p", out))
        return out

    def test_it_is_stated_and_can_be_left_out(self):
        reference = self.pictures("ref.y4m")
        for name in GRAINY:
            with self.subTest(name):
                path = self.grainy(reference, name)
                if path is None:
                    self.skipTest("ffmpeg lacks the encoder")
                sync = ("--sync", "index")
                reports = {}
                for which, ffmpeg in (("on", ()), ("off", ("-export_side_data", "film_grain"))):
                    reports[which] = self.report(*PSNR, *sync, "--film-grain", which, distorted=path, reference=reference)
                    expected = self.report(*PSNR, *sync, reference=reference, distorted=self.decoded(path, *ffmpeg))
                    self.assertEqual(reports[which]["frames"], expected["frames"])
                self.assertNotEqual(reports["on"]["frames"], reports["off"]["frames"])
                self.assertEqual(self.report(*PSNR, *sync, distorted=path, reference=reference), reports["on"])
                said = {which: report["isovmaf"] for which, report in reports.items()}
                self.assertEqual([said[which]["distorted"]["film_grain"] for which in said], ["applied", "left out"])
                self.assertNotIn("film_grain", said["off"]["reference"])
                self.assertIn("film grain is applied to the pictures of", " ".join(said["on"]["notes"]))
                self.assertIn("is left out", " ".join(said["off"]["notes"]))
                self.assertNotIn("film_grain", said["on"]["options"])
                self.assertEqual(said["off"]["options"]["film_grain"], "off")
                text, stream = self.probe(path)
                self.assertIn("film grain applied", text)
                self.assertTrue(stream["film_grain"])

    def test_a_video_without_it_stays_as_it_is(self):
        path = self.folder / "plain.mkv"
        reference = self.pictures("ref.y4m")
        if not self.ffmpeg("-i", reference, "-c:v", "libx264", path):
            self.skipTest("ffmpeg lacks libx264")
        on, off = (self.report(*PSNR, "--film-grain", which, reference=reference, distorted=path) for which in ("on", "off"))
        self.assertEqual(on["frames"], off["frames"])
        self.assertNotIn("film_grain", off["isovmaf"]["distorted"])
        text, stream = self.probe(path)
        self.assertNotIn("grain", text)
        self.assertIs(stream["film_grain"], False)
        refused = self.score("--film-grain", "no")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--film-grain takes one of on, off", refused.stderr.decode())


class DolbyVision(SamplesTest):
    def configured(self, path, profile, compatible):
        """An MP4 with a Dolby Vision configuration in the description of its video."""
        data = bytearray(path.read_bytes())
        box = struct.pack(">I4s", 32, b"dvcC") + bytes([1, 0, profile << 1, 6 << 3 | 5, compatible << 4]) + bytes(19)

        def grow(begin, end, names):
            while begin < end:
                size, name = struct.unpack_from(">I4s", data, begin)
                if name == names[0]:
                    struct.pack_into(">I", data, begin, size + len(box))
                    inner = {b"stsd": 16}.get(name, 8)
                    return grow(begin + inner, begin + size, names[1:]) if names[1:] else begin + size
                begin += size
            raise AssertionError(f"no {names[0]}")

        end = grow(0, len(data), [b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd", b"hvc1"])
        data[end:end] = box
        return self.write(f"{profile}-{compatible}.mp4", bytes(data))

    def test_profiles_that_are_hdr_get_the_warning(self):
        path = self.folder / "plain.mp4"
        reference = self.pictures("ref.y4m")
        if not self.ffmpeg("-i", reference, *GRAINY["grain.h265"], "-tag:v", "hvc1", path):
            self.skipTest("ffmpeg lacks libx265")
        for profile, compatible, name in ((5, 0, "profile 5"), (8, 4, "profile 8.4"), (8, 1, "profile 8.1"), (8, 2, None)):
            with self.subTest(name):
                configured = self.configured(path, profile, compatible)
                said = self.score("-q", reference=reference, distorted=configured).stderr.decode()
                self.assertEqual(f"is HDR (Dolby Vision {name})" in said, name is not None, said)
                text, stream = self.probe(configured)
                self.assertEqual(stream["dolby_vision"], name)
                self.assertEqual(f"Dolby Vision {name}" in text, name is not None)
                self.assertNotIn("HDR", self.score("-q", *PSNR, reference=reference, distorted=configured).stderr.decode())


@unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make videos with")
class Batches(BatchRuns):
    def test_rows_say_it_and_keep_their_keys(self):
        for name, pixels in (("8.yuv", "yuv420p"), ("10.yuv", "yuv420p10le")):
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *PICTURES, pixels, "-f", "rawvideo", self.folder / name],
                           check=True)
        head, row = "reference,distorted,width,height,pixel_format,bitdepth", "8.yuv,10.yuv,128,96,420,8"
        self.manifest = self.write("m.csv", f"{head}\n{row}\n")
        run = self.run_folder("run")
        self.assertIn("samples", [warning["kind"] for warning in self.lines(run)[0]["warnings"]])
        known = self.records(run)
        for which, count in (("on", 1), ("off", 2)):
            self.manifest = self.write("m.csv", f"{head},film-grain\n{row},{which}\n")
            self.run_folder("run")
            self.assertEqual(len(self.records(run)), len(known) + count - 1, which)

    def test_added_bits_are_the_same_for_every_cut_and_group(self):
        """Encodes of 8 and 10 bit beside a master in 4:2:2 with 10 bit, which is a distorted video, too."""
        for name, pixels in (("a.mkv", "yuv420p"), ("b.mkv", "yuvj420p"), ("c.mkv", "yuv420p10le"), ("master.mkv", "yuv422p10le")):
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *PICTURES, pixels, "-c:v", "ffv1", self.folder / name],
                           check=True)
        self.manifest = self.write("m.csv", "reference,distorted,as-is\n" + "".join(
            f"{reference},{distorted},true\n" for reference, distorted in (
                ("master.mkv", "a.mkv"), ("master.mkv", "b.mkv"), ("master.mkv", "c.mkv"), ("a.mkv", "master.mkv"),
                ("a.mkv", "c.mkv"))))
        whole = self.run_folder("whole", "--group", 1)
        self.assertEqual(self.rows(whole, "failures.csv"), [])
        self.assertEqual(len(self.rows(whole)), 5)
        for name, *options in (("group",), ("segments", "--segment-frames", 2), ("workers", "--workers", 3)):
            self.assertEqual(self.results(self.run_folder(name, *options)), self.results(whole), name)


if __name__ == "__main__":
    ScoreTest.ISOVMAF = BatchRuns.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
