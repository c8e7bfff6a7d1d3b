#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Coded videos whose frames change what they say about their colours: what is said, wherever the videos are cut.

    changes_test.py ISOVMAF
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from batch_pairs import FFMPEG, encoders, ffmpeg
from batch_runs import SCRATCH, BatchRuns

FRAMES = 20
COLOURS = "colour_primaries=1:transfer_characteristics=1:matrix_coefficients=1"
# The second half of a video whose first half is limited, BT.709, with square samples: the options of h264_metadata.
H264 = {
    "range": "video_full_range_flag=1:" + COLOURS,
    "transfer": f"video_full_range_flag=0:{COLOURS.replace('transfer_characteristics=1', 'transfer_characteristics=16')}",
    "primaries": f"video_full_range_flag=0:{COLOURS.replace('colour_primaries=1', 'colour_primaries=9')}",
    "matrix": f"video_full_range_flag=0:{COLOURS.replace('matrix_coefficients=1', 'matrix_coefficients=9')}",
    "shape": f"video_full_range_flag=0:{COLOURS}:sample_aspect_ratio=4/3",
    "rotation": f"video_full_range_flag=0:{COLOURS}:display_orientation=insert:rotate=90",
    "nothing": f"video_full_range_flag=0:{COLOURS}",
}
CUT = "; cut both videos there and score their parts, or --as-is to score the samples as they are"


@unittest.skipUnless(FFMPEG, "there is no ffmpeg to encode with")
class Changes(BatchRuns):
    @classmethod
    def setUpClass(cls):
        cls.clips = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
        cls.addClassCleanup(shutil.rmtree, cls.clips)
        cls.known = encoders()
        ffmpeg("-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25", "-frames:v", FRAMES, "-pix_fmt", "yuv420p",
               cls.clips / "ref.y4m")
        if "libx264" in cls.known:
            cls.make_h264()
        if "prores_ks" in cls.known:
            cls.make_prores()

    @classmethod
    def make_h264(cls):
        """NAME.h264 for each entry of H264, "fields.h264", whose second half is interlaced, and "unstated.h264"."""
        def half(start, *options):
            path = cls.clips / "half.h264"
            ffmpeg("-y", "-i", cls.clips / "ref.y4m", "-vf", f"trim=start_frame={start}:end_frame={start + FRAMES // 2}",
                   "-c:v", "libx264", "-qp", 8, "-g", 5, *options, path)
            return path.read_bytes()

        first, second = half(0), half(FRAMES // 2)

        def stating(content, metadata):
            (cls.clips / "plain.h264").write_bytes(content)
            ffmpeg("-y", "-i", cls.clips / "plain.h264", "-c", "copy", "-bsf:v", f"h264_metadata={metadata}",
                   cls.clips / "stated.h264")
            return (cls.clips / "stated.h264").read_bytes()

        began = stating(first, f"sample_aspect_ratio=1/1:{H264['nothing']}")
        for name, metadata in H264.items():
            (cls.clips / f"{name}.h264").write_bytes(began + stating(second, metadata))
        (cls.clips / "unstated.h264").write_bytes(first + stating(second, H264["range"]))
        (cls.clips / "fields.h264").write_bytes(first + half(FRAMES // 2, "-flags", "+ilme+ildct"))

    @classmethod
    def make_prores(cls):
        """A reference and a distorted video that can be read in parts: pictures say their colours and their fields."""
        def part(name, start, *options):
            ffmpeg("-y", "-i", cls.clips / "ref.y4m", "-vf", f"trim=start_frame={start}:end_frame={start + 5},setpts=N/25/TB,"
                   "setparams=color_trc=" + ("smpte2084" if start == 15 else "bt709") +
                   (":field_mode=tff" if start == 5 else ":field_mode=prog"), "-pix_fmt", "yuv422p10le", "-c:v", "prores_ks",
                   *options, cls.clips / name)

        for start in range(0, FRAMES, 5):
            part(f"{start}.mov", start, *(["-flags", "+ildct"] if start == 5 else []))
        (cls.clips / "list.txt").write_text("".join(f"file '{start}.mov'\n" for start in range(0, FRAMES, 5)))
        ffmpeg("-f", "concat", "-i", cls.clips / "list.txt", "-c", "copy", cls.clips / "dis.mov")
        ffmpeg("-i", cls.clips / "ref.y4m", "-pix_fmt", "yuv422p10le", "-c:v", "ffv1", cls.clips / "ref10.mkv")

    def need(self, encoder):
        if encoder not in self.known:
            self.skipTest(f"this ffmpeg has no {encoder}")

    def said(self, distorted, *options, expect=0, reference="ref.y4m"):
        result = subprocess.run([self.ISOVMAF, "score", "-q", "-r", reference, "-d", distorted, *options], cwd=self.clips,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, expect, result.stderr)
        return result.stderr

    def test_changes_are_errors_and_warnings_as_at_the_beginning(self):
        self.need("libx264")
        change = "frame 10 of distorted {}.h264 changes the {}, and reference ref.y4m has {}" + CUT
        for name, text in (("range", ("colour range from limited to full", "an unspecified one")),
                           ("shape", ("sample aspect ratio from 1:1 to 4:3", "1:1")),
                           ("rotation", ("rotation from none to 270 degrees", "none"))):
            with self.subTest(name):
                self.assertIn("error: " + change.format(name, *text), self.said(f"{name}.h264", expect=1))
                self.assertEqual(self.said(f"{name}.h264", "--as-is"), "")
        for name, text in (("transfer", ("transfer from bt709 to smpte2084", "an unspecified one")),
                           ("primaries", ("primaries from bt709 to bt2020", "an unspecified one")),
                           ("matrix", ("colour matrix from bt709 to bt2020nc", "an unspecified one"))):
            with self.subTest(name):
                self.assertIn("warning: " + change.format(name, *text), self.said(f"{name}.h264"))
                self.assertIn("error: " + change.format(name, *text), self.said(f"{name}.h264", "--strict", expect=1))
        self.assertIn("warning: from frame 10 on, distorted transfer.h264 is HDR (PQ), ", self.said("transfer.h264"))
        self.assertIn("warning: in 10 frames, from frame 10 on, distorted fields.h264 is interlaced (", self.said("fields.h264"))

    def test_what_is_no_change(self):
        self.need("libx264")
        for name in ("nothing", "unstated"):
            self.assertEqual(self.said(f"{name}.h264"), "", name)
        shutil.copy(self.clips / "range.h264", self.clips / "same.h264")
        self.assertEqual(self.said("range.h264", reference="same.h264"), "")

    def test_a_conversion_is_for_what_the_video_began_with(self):
        self.need("libx264")
        ffmpeg("-i", self.clips / "ref.y4m", "-vf", "scale=in_range=tv:out_range=pc", "-color_range", "pc", "-c:v", "ffv1",
               self.clips / "full.mkv")
        change = ("frame 10 of distorted range.h264 changes the colour range from limited to full, and its samples are converted "
                  "as before" + CUT)
        self.assertIn(f"error: {change}", self.said("range.h264", "--convert", "dis:range", reference="full.mkv", expect=1))
        self.assertEqual(self.said("range.h264", "--convert", "dis:range", "--as-is", reference="full.mkv"), "")

    def test_decoders_say_the_same(self):
        self.need("prores_ks")

        def outputs(*options, expect=0):
            path = self.folder / "report.json"
            said = self.said("dis.mov", *options, "-o", path, "--force", reference="ref10.mkv", expect=expect).splitlines()
            report = json.loads(path.read_text())["isovmaf"] if expect == 0 else {}
            return [line for line in said if "devices and decoders" not in line], report.get("warnings"), report.get("notes")

        whole, warnings, _ = outputs()
        self.assertEqual([line.removeprefix("isovmaf: warning: ").split(", and")[0] for line in whole],
                         ["frame 15 of distorted dis.mov changes the transfer from bt709 to smpte2084",
                          "from frame 15 on, distorted dis.mov is HDR (PQ)",
                          "in 5 frames, from frame 5 on, distorted dis.mov is interlaced (top field first)"])
        self.assertEqual([f"isovmaf: warning: {warning['text']}" for warning in warnings], whole)
        for parts in (("--decoders", "3", "--part-frames", "4"), ("--decoders", "2", "--part-frames", "3")):
            for options in ((), ("--as-is",)):
                self.assertEqual(outputs(*parts, *options), outputs(*options), (parts, options))
            self.assertEqual(outputs(*parts, "--strict", expect=1), outputs("--strict", expect=1), parts)

    def test_segments_and_groups_say_the_same(self):
        self.need("libx264")
        names = ["range", "transfer", "fields", "nothing", "rotation"]
        self.manifest = self.write("m.csv", "reference,distorted\n" + "".join(
            f"{self.clips}/ref.y4m,{self.clips}/{name}.h264\n" for name in names))
        whole = self.run_folder("whole", "--group", 1, expect=65)
        self.assertEqual([line["distorted"].split("/")[-1] for line in self.rows(whole, "failures.csv")],
                         ["range.h264", "rotation.h264"])
        self.assertIn("frame 10 of distorted", self.rows(whole, "failures.csv")[0]["message"])
        warnings = {pathlib.Path(line["distorted"]).stem: [warning["text"] for warning in line["warnings"]]
                    for line in self.lines(whole)}
        self.assertEqual([len(warnings[name]) for name in ("transfer", "fields", "nothing")], [2, 1, 0])
        self.assertTrue(warnings["fields"][0].startswith("in 10 frames, from frame 10 on, distorted "))
        for options in (("--group", 5), ("--segment-frames", 3), ("--segment-frames", 7, "--group", 1),
                        ("--segment-frames", 10, "--workers", 2)):
            with self.subTest(options):
                cut = self.run_folder("".join(map(str, options)), *options, expect=65)
                self.assertEqual(self.results(cut), self.results(whole))


if __name__ == "__main__":
    Changes.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
