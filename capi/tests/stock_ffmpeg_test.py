#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Scores with a stock FFmpeg: the filter libvmaf of the FFmpeg in PyPI's av, with the library of that wheel and with ours in
its place. Both logs have to be the same in every byte, apart from version and fps.

    stock_ffmpeg_test.py TOOLS_TESTS LIBRARY CLIPS SHARED [PRELOAD]     # PRELOAD: a sanitizer's runtime

Pictures have at least 533 columns, because libvmaf's SIMD code differs from its C code below; for smaller ones there is the
recording of its C code.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv.pop(1))
import stock_ffmpeg
from vmaf_recorded_test import without_version_and_fps

LIBRARY, CLIPS, SHARED, PRELOAD = pathlib.Path(), pathlib.Path(), pathlib.Path(), None
CLIENT = pathlib.Path(__file__).with_name("stock_ffmpeg_client.py")

RUNS = {  # what is scored, number of frames, options of the filter
    "xml": ("landscape_640x360_8b", 3, "log_fmt=xml"),
    "json, psnr, one thread": ("landscape_640x360_8b", 3, "log_fmt=json:n_threads=1:feature=name=psnr"),
    "csv, two models": ("landscape_640x360_8b", 2, "log_fmt=csv:pool=harmonic_mean:"
                        r"model=version=vmaf_v0.6.1neg\:name=neg|version=vmaf_4k_v0.6.1\:name=4k"),
    "sub, every second": ("landscape_640x360_8b", 5, "log_fmt=sub:n_subsample=2:pool=min"),
    "xml, threads, every third": ("landscape_640x360_8b", 7, "log_fmt=xml:n_threads=3:n_subsample=3"),
    "10 bit": ("landscape_576x324_10b", 3, r"log_fmt=json:model=version=vmaf_v0.6.1\:enable_transform=true"),
    "options": ("landscape_576x324_10b", 2, r"log_fmt=xml:feature=name=psnr\:enable_apsnr=true|name=vif:"
                r"model=version=vmaf_v0.6.1\:disable_clip=true\:vif.vif_enhn_gain_limit=1.0\:adm.adm_enhn_gain_limit=1.0"),
    "a file": ("landscape_576x324_10b", 2, r"log_fmt=csv:model=path=MODEL"),
    "VMAF v1": ("landscape_640x360_8b", 3, r"log_fmt=xml:model=version=vmaf_v1.0.16_3d0h"),
    "VMAF v1, 50 frames per second": ("landscape_576x324_10b", 4, r"log_fmt=csv:model=version=vmaf_v1.0.16_hfr_5d0h\:name=a|"
                                      r"version=vmaf_v1.0.16_3d0h_2160\:name=b\:cambi.enc_bitdepth=8"),
    "cambi, ssim": ("landscape_640x360_8b", 2, r"log_fmt=json:feature=name=cambi\:full_ref=true|name=float_ssim|"
                    r"name=float_ms_ssim\:enable_db=true|name=speed_chroma|name=speed_temporal"),
    "ciede, psnr_hvs": ("landscape_576x324_10b", 2, r"log_fmt=json:feature=name=ciede|name=psnr_hvs"),
    "unknown model": ("landscape_576x324_10b", 1, r"log_fmt=xml:model=version=nothing"),
    "unknown feature": ("landscape_576x324_10b", 1, r"log_fmt=xml:feature=name=nothing"),
    "refused option": ("landscape_576x324_10b", 1, r"log_fmt=xml:feature=name=psnr\:enable_chroma=perhaps"),
    "collection": ("landscape_576x324_10b", 1, r"log_fmt=xml:model=version=vmaf_b_v0.6.3"),
}
SHARED_RUNS = {
    "8 bit": ("src01_{}_576x324_8b_420_3f", 3, "log_fmt=xml:feature=name=psnr"),
    "12 bit": ("src01_{}_576x324_12b_420_3f", 2, "log_fmt=json:feature=name=psnr"),
    "16 bit": ("src01_{}_576x324_16b_420_3f", 2, "log_fmt=csv"),
}
RECORDED_RUN = ("src01_{}_160x90_8b_420_48f", 48, "log_fmt=json")
RECORDED_ARGS = "-r small_ref.yuv -d small_dis.yuv -w 160 -h 90 -p 420 -b 8 --json -o o"
RACING = {"xml, threads, every third"}  # with several threads, libvmaf's columns come in any order
# What our library prints when a run fails. A collection is none of its errors: other programs than FFmpeg go on.
FAILING = {
    "unknown model": "libvmaf ERROR there is no model",
    "unknown feature": "libvmaf ERROR cannot use the feature extractor",
    "refused option": "libvmaf ERROR ",
    "collection": 'libvmaf INFO vmaf_model_load: "vmaf_b_v0.6.3" is a collection of models',
}


def video(name, side):
    if name.startswith("landscape"):
        return {"path": str(CLIPS / f"{name}_{side}.mkv")}
    _, size, depth = re.search(r"_(\{\})_(\d+x\d+)_(\d+)b", name).groups()
    return {"path": str(SHARED / "clips" / f"{name.format(side)}.yuv"),
            "raw": {"video_size": size, "pixel_format": "yuv420p" + (f"{depth}le" if depth != "8" else "")}}


def split_log(text):
    """What standard error has for each run."""
    parts = re.split(r"^RUN (.*)\n", text, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


class Scores:
    """All runs with one library: log files, and what was printed."""

    def __init__(self, wheel, folder, runs, environment):
        self.folder = folder
        folder.mkdir()
        model = pathlib.Path(__file__).resolve().parents[2] / "core" / "model" / "builtin" / "vmaf_v0.6.1.json"
        described = {name: {"reference": video(clip, "ref"), "distorted": video(clip, "dis"), "frames": frames,
                            "options": f"log_path={self.path(name)}:{options}".replace("MODEL", str(model))}
                     for name, (clip, frames, options) in runs.items()}
        (folder / "runs.json").write_text(json.dumps(described))
        result = subprocess.run([stock_ffmpeg.python(), CLIENT, folder / "runs.json"], text=True, capture_output=True,
                                env={**os.environ, "PYTHONPATH": str(wheel), **environment}, check=False)
        if result.returncode != 0:
            raise AssertionError(f"the client ended with code {result.returncode}:\n{result.stdout}{result.stderr}")
        self.libraries, self.printed = result.stdout.split(), split_log(result.stderr)

    def path(self, name):
        return self.folder / name.replace(" ", "-").replace(",", "")

    def log(self, name):
        path = self.path(name)
        if not path.exists():
            return None
        text = without_version_and_fps(path.read_text())
        return sorted(re.findall(r"\S+", text)) if name in RACING else text

    def pooled(self, name):
        return re.findall(r"VMAF score: (\S+)", self.printed[name])


@unittest.skipIf(stock_ffmpeg.why_not(), stock_ffmpeg.why_not())
class StockFfmpeg(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.runs = dict(RUNS)
        if SHARED.exists():
            cls.runs |= SHARED_RUNS
        ours = dict(cls.runs) | ({"recorded": RECORDED_RUN} if SHARED.exists() else {})
        copy = stock_ffmpeg.with_library(LIBRARY, cls.folder / "wheel")
        cls.library = stock_ffmpeg.libvmaf_of(copy)
        asan_options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"  # Python leaks
        preload = {"LD_PRELOAD": PRELOAD, "ASAN_OPTIONS": asan_options} if PRELOAD else {}
        cls.theirs = Scores(stock_ffmpeg.wheel(), cls.folder / "theirs", cls.runs, {})
        cls.ours = Scores(copy, cls.folder / "ours", ours, preload)

    def test_our_library_ran(self):
        self.assertEqual(self.ours.libraries, [str(self.library)])
        self.assertNotIn(str(self.library), self.theirs.libraries)
        backend = os.environ["ISOVMAF_BACKEND"].partition(",")[0]
        self.assertRegex(self.ours.printed["xml"], rf"libvmaf INFO isovmaf \S+ computes with backend {backend}\b")

    def test_logs_are_the_same(self):
        for name in self.runs:
            with self.subTest(name):
                log = self.ours.log(name)
                self.assertEqual(log, self.theirs.log(name))
                self.assertEqual(log is None, name in FAILING)

    def test_pooled_scores_are_the_same(self):
        for name in self.runs:
            with self.subTest(name):
                self.assertEqual(self.ours.pooled(name), self.theirs.pooled(name))
                self.assertEqual(not self.ours.pooled(name), name in FAILING)

    def test_failures_are_the_same(self):
        for name in self.runs:
            with self.subTest(name):
                self.assertEqual("FAILED" in self.theirs.printed[name], name in FAILING)
                self.assertEqual("FAILED" in self.ours.printed[name], name in FAILING)
                if name in FAILING:
                    self.assertEqual(self.ours.printed[name].count(FAILING[name]), 1, self.ours.printed[name])

    def test_small_pictures_are_as_recorded(self):
        if not SHARED.exists():
            self.skipTest(f"{SHARED} is absent")
        commands = json.loads((SHARED / "recorded" / "cli.json").read_text())["commands"]
        report = next(command["report"] for command in commands if " ".join(command["args"]) == RECORDED_ARGS)
        self.assertEqual(self.ours.log("recorded"), without_version_and_fps(report))


if __name__ == "__main__":
    LIBRARY, CLIPS, SHARED = (pathlib.Path(os.path.abspath(sys.argv.pop(1))) for _ in range(3))
    PRELOAD = sys.argv.pop(1) if len(sys.argv) > 1 else None
    if reason := stock_ffmpeg.why_not():
        print(reason)
        sys.exit(77)
    os.environ.setdefault("ISOVMAF_BACKEND", "cpu")  # another one by hand, with ISOVMAF_BACKEND_DIR
    unittest.main()
