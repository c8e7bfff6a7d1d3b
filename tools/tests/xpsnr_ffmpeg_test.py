#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Compares the feature xpsnr with the filter of a real FFmpeg, in every digit that this prints.

    xpsnr_ffmpeg_test.py ISOVMAF CLIPS_FOLDER

FFmpeg is the one of PyPI's package imageio-ffmpeg, if that is installed, or the program that the environment variable
ISOVMAF_TEST_FFMPEG names; else the test is skipped. The package's program has the filter from version 0.6 on.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from commands import output

SKIPPED = 77
PAIRS = ("landscape_576x324_10b", "landscape_640x360_8b")
RATES = ("24", "60")  # of either order
PLANES = "yuv"


def find_ffmpeg():
    if program := os.environ.get("ISOVMAF_TEST_FFMPEG"):
        return program
    try:
        import imageio_ffmpeg  # pylint: disable=import-outside-toplevel
        return imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        return None


def has_filter(ffmpeg):
    return re.search(r"\bxpsnr\b", output(ffmpeg, "-hide_banner", "-filters")) is not None


def of_ffmpeg(ffmpeg, reference, distorted, rate, folder):
    """The scores of each frame, then the averages and the smallest of them, as texts."""
    stats = pathlib.Path(folder, "stats")
    printed = output(ffmpeg, "-hide_banner", "-nostats", "-r", rate, "-i", reference, "-r", rate, "-i", distorted,
                     "-lavfi", f"xpsnr=stats_file={stats}", "-f", "null", "-")
    frames = [re.findall(r"[yuv]: *(\S+)", line) for line in stats.read_text(encoding="utf-8").splitlines()
              if line.startswith("n:")]
    averages = re.search(r"XPSNR +y: (\S+) +u: (\S+) +v: (\S+) +\(minimum: (\S+)\)", printed).groups()
    return frames, list(averages)


def of_isovmaf(isovmaf, reference, distorted, rate, folder):
    report = pathlib.Path(folder, "scores.json")
    output(isovmaf, "score", "-q", "-r", reference, "-d", distorted, "--no_prediction", "--feature",
           f"xpsnr=frame_rate={rate}", "--precision", "max", "--json", "-o", report)
    scores = json.loads(report.read_text(encoding="utf-8"))
    frames = [[f"{frame['metrics'][f'xpsnr_{plane}']:.4f}" for plane in PLANES] for frame in scores["frames"]]
    averages = scores["aggregate_metrics"]
    return frames, [f"{averages[f'axpsnr_{name}']:.4f}" for name in (*PLANES, "min")]


def main():
    isovmaf, clips = sys.argv[1:]
    ffmpeg = find_ffmpeg()
    if not ffmpeg or not has_filter(ffmpeg):
        print("skipped: there is no FFmpeg with the filter xpsnr; install PyPI's imageio-ffmpeg")
        return SKIPPED
    compared = 0
    for pair in PAIRS:
        for rate in RATES:
            reference, distorted = (pathlib.Path(clips, f"{pair}_{side}.mkv") for side in ("ref", "dis"))
            with tempfile.TemporaryDirectory() as folder:
                expected = of_ffmpeg(ffmpeg, reference, distorted, rate, folder)
                found = of_isovmaf(isovmaf, reference, distorted, rate, folder)
            if not expected[0] or expected != found:
                print(f"{pair} at {rate} frames a second: FFmpeg says\n{expected}\nisovmaf says\n{found}")
                return 1
            compared += len(expected[0]) * len(PLANES) + len(expected[1])
    print(f"{compared} numbers are those of {ffmpeg}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
