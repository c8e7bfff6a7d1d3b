#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""CAMBI's kernels on drawn clips: the stand-in has the values of the CPU, flags no frame of those with v1's options, and
a frame that it does flag is seen in every report.

    cambi_clips_test.py ISOVMAF HOST_PLUGIN
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "research"))
sys.dont_write_bytecode = True  # in the source folder
import cambi_clips  # noqa: E402

ISOVMAF, PLUGIN = "", pathlib.Path()
WIDTH, HEIGHT, FRAMES = 256, 216, 2
V1 = "cambi:cambi_high_res_speedup=1080:cambi_max_val=17:cambi_vis_lum_threshold=0.06"
MODEL = "vmaf_v1.0.16_3d0h"
ALL_STEPS = "cambi:window_size=127:max_log_contrast=5:topk=1"


def stripes(width=3040, height=42):
    """Stripes as far apart as steps go, in the largest window, and single pixels one step away: the sum is large, and
    has addends with bits in low places. It may round."""
    def code(x, y):
        if y in (0, height - 1) and x % 70 == 35:
            return 133
        return 500 if (x // 2 * 37 + y // 2 * 101) % 61 == 0 else 132 if x // 2 % 2 else 100
    return [[code(x, y) for x in range(width)] for y in range(height)]


class Clips(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.videos = [self.folder / "reference.y4m", self.folder / "distorted.y4m"]

    def run_isovmaf(self, command, *options, wave="64"):
        result = subprocess.run([ISOVMAF, command, "-r", self.videos[0], "-d", self.videos[1], "--backend-dir", PLUGIN.parent,
                                 *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                                env={**os.environ, "ISOVMAF_HOST_WAVE": wave})
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def score(self, backend, *options):
        """The JSON report."""
        path = self.folder / "scores.json"
        self.run_isovmaf("score", "--backend", backend, "-q", "--json", "-o", path, "--force", "--precision", "hex", *options)
        return json.loads(path.read_text())

    def draw(self, clip):
        cambi_clips.write(clip, WIDTH, HEIGHT, FRAMES, *self.videos)

    def test_kernels_have_the_values_of_the_cpu_and_flag_no_frame(self):
        report = self.folder / "diff.json"
        for clip in cambi_clips.CLIPS:
            self.draw(clip)
            for wave in ("32", "64"):
                with self.subTest(clip=clip, wave=wave):
                    self.run_isovmaf("diff", "--backends", "cpu,host", "--no_prediction", "--feature", V1, "--json", report, "-q",
                                     wave=wave)
                    diff = json.loads(report.read_text())
                    self.assertEqual((diff["verdict"], diff["frames"]), ("equal", FRAMES))
                    self.assertEqual(diff["words"], 5 * FRAMES)
                    work = diff["proofs"][1]["execution"]["features"]["cambi"]
                    self.assertGreater(work["kernel_launches"], 0)
                    self.assertNotIn("flagged_frames", work)

    def test_a_model_of_v1_flags_no_frame(self):
        for clip in cambi_clips.CLIPS:
            with self.subTest(clip=clip):
                self.draw(clip)
                expected, found = (self.score(backend, "-m", f"version={MODEL}") for backend in ("cpu", "host,cpu"))
                self.assertEqual(found["frames"], expected["frames"])
                self.assertGreater(max(float.fromhex(score) for frame in found["frames"]
                                       for name, score in frame["metrics"].items() if "cambi" in name), 0)
                self.assertEqual(found["isovmaf"]["placement"]["cambi"]["backend"], "host")
                for work in found["isovmaf"]["execution"]["features"].values():
                    self.assertNotIn("flagged_frames", work)

    def test_flagged_frames_are_seen(self):
        rows = stripes()
        head = f"YUV4MPEG2 W{len(rows[0])} H{len(rows)} F25:1 Ip A1:1 C420p10\n".encode()
        for video in self.videos:
            video.write_bytes(head + cambi_clips.frame(rows, 10))
        sentence = "kernels of cambi left 1 frame to the CPU"
        options = ("-n", "--feature", ALL_STEPS)
        xml_path, page = self.folder / "scores.xml", self.folder / "scores.html"
        said = self.run_isovmaf("score", "--backend", "host", "-v", "-o", xml_path, "--html", page, *options).stderr
        self.assertRegex(said, r"\ncambi +[0-9]+ kernel launches, [0-9.]+ ms on the device, 1 frame left to the CPU\n")
        self.assertIn("kernels of feature cambi left 1 of 1 frames to its CPU path", said)
        notes = [note.get("text") for note in xml.etree.ElementTree.parse(xml_path).iter("note")]
        self.assertIn(sentence, notes)
        self.assertIn("frames left to the CPU", page.read_text())
        report = self.score("host", *options)
        self.assertEqual(report["isovmaf"]["execution"]["features"]["cambi"]["flagged_frames"], 1)
        self.assertEqual(report["frames"], self.score("cpu", *options)["frames"])
        paths = {name: self.folder / f"diff.{name}" for name in ("json", "junit", "markdown", "html")}
        table = self.run_isovmaf("diff", "--backends", "cpu,host", "--no_prediction", "--feature", ALL_STEPS,
                                 *(word for name, path in paths.items() for word in (f"--{name}", path))).stdout
        self.assertIn(f"\nhost: {sentence}, whose words were compared in place of theirs\n", table)
        diff = json.loads(paths["json"].read_text())
        self.assertEqual((diff["verdict"], diff["proofs"][1]["execution"]["features"]["cambi"]["flagged_frames"]), ("equal", 1))
        for name in ("markdown", "html"):
            self.assertIn(f"host: {sentence}, whose words", paths[name].read_text())
        self.assertIn('name="flagged frames of cambi" value="1"', paths["junit"].read_text())


if __name__ == "__main__":
    ISOVMAF, PLUGIN = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1], verbosity=2)
