#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Maps of CAMBI through the programs: files, the HTML report, and where maps are refused.

    maps_test.py ISOVMAF VMAF
"""

import json
import os
import subprocess
import sys
import unittest

from score_runs import ScoreTest, y4m

WIDTH, HEIGHT, FRAMES = 240, 101, 3
FILES = {f"cambi_heatmap_scale_{k}_{w}x{h}_16b.gray": 2 * w * h * FRAMES
         for k, (w, h) in enumerate(((240, 101), (120, 51), (60, 26), (30, 13), (15, 7)))}


def bands(number):
    """A frame of bands that differ by one level."""
    luma = bytes(20 + (x // (13 + number) + y // 11) % 6 for y in range(HEIGHT) for x in range(WIDTH))
    return luma + bytes([128]) * (2 * 120 * 51)


class MapsTest(ScoreTest):
    VMAF = ""

    def setUp(self):
        super().setUp()
        clip = y4m([bands(n) for n in range(FRAMES)], WIDTH, HEIGHT)
        self.reference, self.distorted = self.write("ref.y4m", clip), self.write("dis.y4m", clip)
        self.maps = self.folder / "maps"
        self.feature = f"cambi:heatmaps_path={self.maps}"

    def assert_refused_with(self, result, sentence, code=1):
        self.assert_refused(result, "feature cambi cannot write maps to", "heatmaps_path", sentence, code=code)
        self.assertFalse(self.maps.exists())

    def test_programs_write_the_same_files(self):
        score = self.report("--feature", self.feature, "--no_prediction", "--threads", 3)
        self.assertIn("cambi", score["frames"][0]["metrics"])
        self.assertEqual({path.name: path.stat().st_size for path in self.maps.iterdir()}, FILES)
        others = self.folder / "others"
        result = subprocess.run([self.VMAF, "-r", self.reference, "-d", self.distorted, "-n", "--feature",
                                 f"cambi=heatmaps_path={others}"], capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        for name in FILES:
            written = (self.maps / name).read_bytes()
            self.assertEqual((others / name).read_bytes(), written, name)
            self.assertNotEqual(written.count(0), len(written), name)

    def test_frames_that_are_skipped_are_black(self):
        self.report("--feature", self.feature, "--no_prediction", "--subsample", 2)
        for name, size in FILES.items():
            written, frame = (self.maps / name).read_bytes(), size // FRAMES
            self.assertEqual(written[frame:2 * frame].count(0), frame)
            self.assertEqual(len(written), size)
            self.assertNotEqual(written[2 * frame:].count(0), frame)

    def test_the_page_shows_the_maps_of_worst_frames(self):
        page = self.folder / "page.html"
        result = self.score("--feature", "cambi", "--no_prediction", "--html", page, "-q")
        self.assertEqual(result.returncode, 0, result.stderr)
        text = page.read_text()
        self.assertIn("Maps of cambi show where", text)
        self.assertIn('alt="map of cambi of frame ', text)
        self.assertFalse(self.maps.exists())

    def test_a_folder_that_cannot_be_made_ends_the_run(self):
        result = self.score("--feature", f"cambi:heatmaps_path={self.folder}/a/b", "--no_prediction", "-q")
        self.assert_refused(result, f"{self.folder}/a/b", "No such file or directory")

    def test_several_videos_have_no_maps(self):
        result = self.score(self.reference, "--feature", self.feature, "-o", "{stem}.json", "-q")
        self.assert_refused_with(result, "one by one", code=2)

    def test_batches_have_no_maps(self):
        manifest = self.write("pairs.jsonl", json.dumps({"reference": "ref.y4m", "distorted": "dis.y4m"}).encode())
        result = subprocess.run([self.ISOVMAF, "batch", manifest, "--run", self.folder / "run", "--feature",
                                 self.feature], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("a batch writes no maps", result.stderr.decode())
        self.assertFalse(self.maps.exists())

    def test_comparisons_have_no_maps(self):
        result = subprocess.run([self.ISOVMAF, "diff", "-r", self.reference, "-d", self.distorted, "--feature",
                                 self.feature], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("the sides would write to the same files", result.stderr.decode())
        self.assertFalse(self.maps.exists())


if __name__ == "__main__":
    ScoreTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    MapsTest.VMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
