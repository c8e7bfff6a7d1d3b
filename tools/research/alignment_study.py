#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Encodes clips of different content with ffmpeg, shifts them, drops a frame, and asks the alignment doctor of
`isovmaf score --align` what it finds. Prints a table in Markdown.

    tools/research/alignment_study.py build/tools/isovmaf/isovmaf > table.md

With --sweep each clip is encoded ten times, from good to bad, and the table has one row for each encode.
Offsets are made by leaving frames out at the start of one side; the dropped frame is dropped before encoding."""

import argparse
import dataclasses
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

FRAMES = 72
DROPPED = 36
OFFSETS = range(-5, 6)
NEAR = 3  # frames between the place that is found and the right one
PROJECT = pathlib.Path(__file__).resolve().parents[2]
LANDSCAPE = PROJECT / "testdata/clips/landscape_640x360_8b_ref.mkv"

X264, X265, MPEG2, VP9 = "-c:v libx264 -preset veryfast -crf {}", "-c:v libx265 -x265-params log-level=none -crf {}", \
    "-c:v mpeg2video -q:v {}", "-c:v libvpx-vp9 -cpu-used 6 -deadline realtime -b:v 0 -crf {}"
PICTURE = f"-loop 1 -i {{picture}}"  # a drawn landscape of 640x360, again and again


@dataclasses.dataclass
class Clip:
    what: str
    source: str  # ffmpeg's input
    filters: str
    encoder: str
    quality: int
    still: bool = False  # too little moves: the doctor has to be silent


def lavfi(source):
    return f"-f lavfi -i {source}"


SIZE = "s=320x180:r=25"
CLIPS = [
    Clip("test picture with moving parts (testsrc2)", lavfi(f"testsrc2={SIZE}"), "", X264, 28),
    Clip("zoom into the Mandelbrot set", lavfi(f"mandelbrot={SIZE}"), "", X265, 30),
    Clip("game of life", lavfi(f"life={SIZE}:mold=10:ratio=0.1:seed=7:death_color=#602020:life_color=#f0f0f0"), "",
         X264, 32),
    Clip("cellular automaton, scrolling", lavfi(f"cellauto={SIZE}:rule=110:seed=7"), "", MPEG2, 8),
    Clip("gradients that turn", lavfi(f"gradients={SIZE}:speed=0.05:seed=7"), "", X264, 23),
    Clip("Sierpinski carpet, random walk", lavfi(f"sierpinski={SIZE}:seed=7"), "", VP9, 40),
    Clip("colour bars, scrolling", lavfi(f"smptebars={SIZE}"), "scroll=h=0.005", X265, 35),
    Clip("zoom into a landscape", PICTURE, "zoompan=z=1+0.01*on:d=1:s=320x180:fps=25", X264, 35),
    Clip("pan, 2 samples per frame", PICTURE, "crop=320:180:'2*n':90", VP9, 45),
    Clip("slow pan, half a sample per frame", PICTURE, "crop=320:180:'n/2':90", X264, 30),
    Clip("slow pan, low quality", PICTURE, "crop=320:180:'n':90", X264, 42),
    Clip("test picture with strong noise", lavfi(f"testsrc2={SIZE}"), "noise=alls=40:allf=t:all_seed=7", MPEG2, 12),
    Clip("flashes", PICTURE, "scale=320:180,scroll=h=0.003,eq=brightness='0.4*lt(mod(n,9),2)':eval=frame", X265, 28),
    Clip("a small ball before a still landscape", PICTURE,
         "scale=320:180[a];color=white:s=12x12:r=25[b];[a][b]overlay=x='20+3*n':y='60+40*sin(n/9)':eval=frame", X264, 32),
    Clip("animation on twos", lavfi("testsrc2=s=320x180:r=25/2"), "fps=25", X265, 32),
    Clip("cuts every 12 frames", lavfi(f"testsrc2={SIZE}"),
         f"null[a];mandelbrot={SIZE}[b];[a][b]overlay=enable='gte(mod(n,24),12)'", X264, 30),
    Clip("landscape under clouds, 640x360", f"-stream_loop 3 -i {LANDSCAPE}", "", VP9, 38),
    Clip("fade from black over a pan", PICTURE, "crop=320:180:'2*n':90,fade=in:0:72", X264, 28),
    Clip("turning landscape", PICTURE, "rotate=n/60:ow=320:oh=180", X265, 30),
    Clip("slow credits: a picture that moves up by a third of a sample per frame", PICTURE, "crop=320:180:90:'n/3'", X264,
         26),
    Clip("camera held by hand", PICTURE, "crop=320:180:'90+30*sin(n/3)':'90+20*cos(n/4)'", X264, 30),
    # Clips in which there is nothing to find.
    Clip("colour bars, still", lavfi(f"smptebars={SIZE}"), "", X264, 28, still=True),
    Clip("still landscape with film grain, which the encoder removes", PICTURE, "scale=320:180,noise=alls=12:allf=t:all_seed=7", X264, 30, still=True),
    Clip("still landscape, fade from black: 0.4 levels per frame", PICTURE, "scale=320:180,fade=in:0:72", X264, 28, still=True),
]

SWEEP = [(X264, 18), (X264, 30), (X264, 40), (X264, 48), (X265, 28), (X265, 42), (MPEG2, 6), (MPEG2, 24), (VP9, 35),
         (VP9, 58)]


def ffmpeg(*words):
    result = subprocess.run(["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", *map(str, words)],
                            capture_output=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"ffmpeg {shlex.join(map(str, words))}: {result.stderr.decode()}")


def make(clip, folder):
    """The reference, its encode, and an encode without one frame."""
    reference, encoded, dropped = folder / "ref.y4m", folder / "dis.mkv", folder / "drop.mkv"
    source = shlex.split(clip.source.format(picture=folder / "landscape.png"))
    ffmpeg(*source, "-filter_complex", ",".join(filter(None, [clip.filters, "format=yuv420p"])), "-frames:v", FRAMES,
           "-r", 25, reference)
    encoder = clip.encoder.format(clip.quality).split()
    ffmpeg("-i", reference, *encoder, encoded)
    ffmpeg("-i", reference, "-vf", f"select='not(eq(n,{DROPPED}))',setpts=N/25/TB", *encoder, dropped)
    return reference, encoded, dropped


def hint(program, reference, distorted, *options):
    """What the doctor says: its sentence."""
    result = subprocess.run(
        [program, "score", "--align", "--no_prediction", "--feature", "psnr", "--json", "-r", reference, "-d", distorted,
         *map(str, options)], capture_output=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.decode())
    return json.loads(result.stdout)["isovmaf"]["sync"]["hint"]


def offset_in(text):
    """The constant offset that a sentence suggests: 0 when it suggests none, None when it says something else."""
    if "no offset" in text:
        return 0
    return None if "reference frame" in text else int(text.split("--offset ")[1])


def place_in(text):
    """The frame where a sentence sees a dropped frame; None when it does not."""
    if "in time at first" not in text or "1 frame seems to be dropped" not in text or text.count("reference frame") != 1:
        return None
    return int(text.split("from reference frame ")[1].split()[0])


def shift(offset):
    return ("--frame_skip_ref" if offset > 0 else "--frame_skip_dis", abs(offset))


def study(program, clip, folder):
    """Says for a clip whether it is silent when aligned, which offsets are wrong, and where it sees the drop."""
    reference, encoded, dropped = make(clip, folder)
    found = {offset: offset_in(hint(program, reference, encoded, *shift(offset))) for offset in OFFSETS}
    wrong = {offset: value for offset, value in found.items() if offset != 0 and value != offset}
    return found[0] == 0, wrong, place_in(hint(program, reference, dropped))


def is_right(clip, wrong, place):
    if clip.still:
        return set(wrong.values()) == {0} and place is None
    return not wrong and place is not None and abs(place - DROPPED) <= NEAR


def cell(wrong):
    if len(wrong) == 10 and set(wrong.values()) == {0}:
        return "silent"
    shown = ", ".join(f"{offset}: {'silent' if value == 0 else 'a change' if value is None else value}"
                      for offset, value in wrong.items())
    return f"{10 - len(wrong)} of 10" + (f" ({shown})" if wrong else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", default="", help="only clips whose description contains this")
    parser.add_argument("--sweep", action="store_true", help="ten encodes of each clip")
    arguments = parser.parse_args()
    print("| clip | encoder | aligned | offsets found | dropped frame found |\n|---|---|---|---|---|")
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        ffmpeg("-i", LANDSCAPE, "-frames:v", 1, "-update", 1, folder / "landscape.png")
        clips = [clip for clip in CLIPS if arguments.only in clip.what]
        if arguments.sweep:
            clips = [dataclasses.replace(clip, encoder=encoder, quality=quality) for clip in clips
                     for encoder, quality in SWEEP]
        for clip in clips:
            silent, wrong, place = study(arguments.program.resolve(), clip, folder)
            right = silent and is_right(clip, wrong, place)
            failures += not right
            print(f"| {clip.what} | {clip.encoder.split()[1].removeprefix('lib')}, {clip.quality} | "
                  f"{'silent' if silent else '**speaks**'} | {cell(wrong)} | "
                  f"{'silent' if place is None else f'at {place}'} |", flush=True)
    print(f"{failures} clips with a failure", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
