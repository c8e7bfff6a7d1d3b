#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""CAMBI's kernels on drawn clips: the stand-in has the values of the CPU, and flags no frame with v1's options.

    cambi_clips_test.py ISOVMAF HOST_PLUGIN
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "research"))
sys.dont_write_bytecode = True  # in the source folder
import cambi_clips  # noqa: E402

ISOVMAF, PLUGIN = "", pathlib.Path()
WIDTH, HEIGHT, FRAMES = 256, 216, 2
V1 = "cambi:cambi_high_res_speedup=1080:cambi_max_val=17:cambi_vis_lum_threshold=0.06"
MODEL = "vmaf_v1.0.16_3d0h"


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


if __name__ == "__main__":
    ISOVMAF, PLUGIN = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1], verbosity=2)
