#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Compares `isovmaf score` with the libvmaf inside the ffmpeg that PyPI's imageio-ffmpeg carries.

    outsider_test.py ISOVMAF CLIPS

Both score the same Y4M files, and every number in the log of that libvmaf, the outsider, has to be in ours, digit for digit.
The outsider's ffmpeg also crops and scales as our report says: the samples have to be those that isovmaf scored.
ISOVMAF_OUTSIDERS lists folders, each with an installed imageio-ffmpeg; without it the importable one is used. Pictures
have at least 533 columns, because libvmaf's SIMD code differs from its C code below. Exits with 77 (skipped) without an
outsider.
"""

import decimal
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

FRAMES = 5
CASES = (  # clip, size it is scaled to, pixel format
    ("landscape_640x360_8b", "576x324", "yuv420p"),
    ("landscape_640x360_8b", "640x360", "yuv420p"),
    ("landscape_640x360_8b", "1280x720", "yuv420p"),
    ("landscape_640x360_8b", "640x360", "yuv444p"),
    ("landscape_576x324_10b", "576x324", "yuv420p10le"),
)
SCALED = (("landscape_640x360_8b", "481x271", "420p8"), ("landscape_576x324_10b", "1024x577", "420p10"))
SCALED = (("landscape_640x360_8b", "640x360:420p8"), ("landscape_576x324_10b", "576x324:420p10"))
MODELS = ("version=vmaf_v0.6.1:name=vmaf", "version=vmaf_v0.6.1neg:name=vmaf_neg")
SKIPPED = 77


def find_outsiders():
    listed = os.environ.get("ISOVMAF_OUTSIDERS", "")
    if listed:
        return [binary for folder in listed.split(os.pathsep)
                for binary in pathlib.Path(folder).glob("imageio_ffmpeg/binaries/ffmpeg-linux*")]
    try:
        import imageio_ffmpeg
        return [pathlib.Path(imageio_ffmpeg.get_ffmpeg_exe())]
    except (ImportError, RuntimeError):
        return []


def run(*command):
    result = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with code {result.returncode}:\n{result.stdout}")
    return result.stdout


def read_log(path):
    """Reads numbers as exact decimals, so that equal numbers were printed alike."""
    return json.loads(path.read_text(), parse_float=decimal.Decimal)


def their_log(ffmpeg, reference, distorted, log):
    models = "|".join(MODELS).replace(":", r"\:")
    run(ffmpeg, "-nostdin", "-v", "error", "-i", distorted, "-i", reference, "-lavfi",
        f"libvmaf=log_fmt=json:log_path={log}:feature='name=psnr':model='{models}'", "-f", "null", "-")
    return read_log(log)


def our_log(isovmaf, reference, distorted, log, options):
    models = [part for model in MODELS for part in ("-m", model)]
    run(isovmaf, "score", "-r", reference, "-d", distorted, *models, "--feature", "psnr", "--json", "-o", log,
        "--precision", "legacy", "--quiet", *options)
    return read_log(log)


def is_older_motion(log):
    """libvmaf before 3.2 defined motion differently; its logs have integer_motion and no integer_motion3."""
    return "integer_motion3" not in log["frames"][0]["metrics"]


def compare(theirs, ours):
    """Returns the number of compared values and a sentence for each that differs. Ours may have more values than theirs."""
    differing, compared = [], 0
    for number, (their_frame, our_frame) in enumerate(zip(theirs["frames"], ours["frames"])):
        for name, value in their_frame["metrics"].items():
            compared += 1
            if our_frame["metrics"].get(name) != value:
                differing.append(f"frame {number} {name}: theirs {value}, ours {our_frame['metrics'].get(name)}")
    for name, statistics in theirs["pooled_metrics"].items():
        for statistic, value in statistics.items():
            compared += 1
            our_value = ours["pooled_metrics"].get(name, {}).get(statistic)
            if our_value != value:
                differing.append(f"{statistic} of {name}: theirs {value}, ours {our_value}")
    if len(theirs["frames"]) != len(ours["frames"]):
        differing.append(f"theirs has {len(theirs['frames'])} frames, ours {len(ours['frames'])}")
    return compared, differing


def score_case(isovmaf, ffmpeg, clips, case, folder):
    clip, size, pixel_format = case
    videos = []
    for side in ("ref", "dis"):
        videos.append(folder / f"{side}.y4m")
        run(ffmpeg, "-nostdin", "-y", "-v", "error", "-i", clips / f"{clip}_{side}.mkv", "-frames:v", FRAMES, "-vf",
            f"scale={size.replace('x', ':')}:flags=bicubic,format={pixel_format}", "-strict", "-1", videos[-1])
    theirs = their_log(ffmpeg, *videos, folder / "theirs.json")
    options = ["--compat", "libvmaf-3.0"] if is_older_motion(theirs) else []
    ours = our_log(isovmaf, *videos, folder / "ours.json", options)
    compared, differing = compare(theirs, ours)
    print(f"libvmaf {theirs['version']}, {size} {pixel_format}, {' '.join(options) or 'current semantics'}: "
          f"compared {compared} values, {len(differing)} differ")
    for sentence in differing[:20]:
        print(f"  {sentence}")
    return compared, len(differing)


def score_scaled(isovmaf, ffmpeg, clips, case, folder):
    """Scores a video that isovmaf crops and scales, and then what the outsider makes of it with the command in our report.

    Returns whether the numbers are the same."""
    clip, video_format = case
    videos = [clips / f"{clip}_{side}.mkv" for side in ("ref", "dis")]
    count = ["--frame_cnt", "2"]
    ours = our_log(isovmaf, *videos, folder / "ours.json", [*count, "--crop", "dis:402:226:6:4", "--resize", "dis"])
    command = shlex.split(ours["isovmaf"]["distorted"]["ffmpeg_command"])
    with open(folder / "theirs.yuv", "wb") as output:
        subprocess.run([ffmpeg, "-nostdin", "-v", "error", *command[1:]], stdout=output, check=True)
    again = our_log(isovmaf, videos[0], folder / "theirs.yuv", folder / "again.json",
                    [*count, "--dis-format", f"raw:{video_format}@25"])
    same = [frame["metrics"] for frame in ours["frames"]] == [frame["metrics"] for frame in again["frames"]]
    print(f"{command[command.index('-vf') + 1]}: {'the same' if same else 'other'} numbers when scaled by {pathlib.Path(ffmpeg).name}")
    return same


def main(isovmaf, clips):
    outsiders = find_outsiders()
    if not outsiders:
        print("no imageio-ffmpeg is installed: there is no outside libvmaf to compare with")
        return SKIPPED
    compared = differing = 0
    for ffmpeg in outsiders:
        print(run(ffmpeg, "-version").splitlines()[0])
        for case in CASES:
            with tempfile.TemporaryDirectory() as folder:
                counts = score_case(isovmaf, ffmpeg, pathlib.Path(clips), case, pathlib.Path(folder))
            compared += counts[0]
            differing += counts[1]
        for case in SCALED:
            with tempfile.TemporaryDirectory() as folder:
                differing += not score_scaled(isovmaf, ffmpeg, pathlib.Path(clips), case, pathlib.Path(folder))
    print(f"compared {compared} values, {differing} differ")
    return 0 if compared > 0 and differing == 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
