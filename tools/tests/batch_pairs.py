# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Makes a batch of more than sixty pairs: several sizes, depths, lengths and codecs, options, and inputs that fail."""

import json
import shutil
import subprocess

from score_runs import picture, y4m

FFMPEG = shutil.which("ffmpeg")

# Name, width, height, pixel format, frames: few and small, as tests score the batch many times.
REFERENCES = (("long", 64, 48, "yuv420p", 61), ("wide", 128, 64, "yuv420p", 16), ("odd", 97, 65, "yuv420p", 9),
              ("deep", 80, 60, "yuv420p10le", 15), ("chroma", 70, 50, "yuv444p", 8))
# Encoder of ffmpeg, container, its pixel formats among those above, options, and whether it takes odd sizes.
ENCODES = (
    ("ffv1", "mkv", "yuv420p yuv420p10le yuv444p", "-vf noise=alls=20", True),
    ("ffv1", "nut", "yuv420p yuv420p10le yuv444p", "-vf noise=alls=60:allf=t -g 5", True),
    ("wrapped_avframe", "y4m", "yuv420p yuv420p10le yuv444p", "-vf noise=alls=9 -strict -1", True),
    ("mpeg4", "mp4", "yuv420p", "-q:v 3 -g 12", True),
    ("mpeg4", "avi", "yuv420p", "-q:v 20 -g 300", True),
    ("mpeg2video", "mkv", "yuv420p", "-q:v 5 -g 15 -bf 2", True),
    ("mpeg2video", "ts", "yuv420p", "-q:v 20 -g 4", True),
    ("utvideo", "avi", "yuv420p yuv444p", "-vf noise=alls=15", False),
    ("libx264", "mp4", "yuv420p yuv420p10le yuv444p", "-crf 22 -bf 3", False),
    ("libx264", "mkv", "yuv420p yuv420p10le yuv444p", "-crf 40 -g 10", False),
    ("libx265", "mkv", "yuv420p yuv420p10le", "-crf 35 -preset ultrafast -x265-params log-level=error", False),
    ("libvpx-vp9", "webm", "yuv420p", "-b:v 60k -deadline realtime -cpu-used 8", True),
)
# Options of rows: each gives another pair of the same two files.
OPTIONS = ({}, {"feature": ["psnr:enable_apsnr=true", "vif"], "no_prediction": True}, {"frame_cnt": 40, "offset": 3},
           {"subsample": 2, "frame_skip_ref": 1, "frame_skip_dis": 1}, {"crop": ["48:40:4:4"]},
           {"frame_cnt": 5, "feature": ["motion:motion_five_frame_window=true"]})


def ffmpeg(*arguments):
    subprocess.run([FFMPEG, "-nostdin", "-v", "error", "-threads", "1", *map(str, arguments)], check=True)


def encoders():
    listed = subprocess.run([FFMPEG, "-hide_banner", "-encoders"], check=True, capture_output=True, text=True).stdout
    return {line.split()[1] for line in listed.splitlines() if line.startswith(" V")}


def encode_reference(folder, reference, known):
    """Makes NAME.y4m and its encodes, by two runs of ffmpeg, and returns the names of the encodes."""
    name, width, height, pixels, frames = reference
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={width}x{height}:rate=25", "-frames:v", frames, "-pix_fmt", pixels,
           "-strict", "-1", folder / f"{name}.y4m")
    names, outputs = [], []
    for i, (encoder, container, formats, options, odd) in enumerate(ENCODES):
        if encoder not in known or pixels not in formats.split() or (not odd and (width % 2 or height % 2)):
            continue
        names.append(f"{name}-{i}.{container}")
        outputs += ["-c:v", encoder, "-pix_fmt", pixels, "-threads", "1", *options.split(), folder / names[-1]]
    ffmpeg("-i", folder / f"{name}.y4m", *outputs)
    return names


def write_reference(folder, reference):
    """The same where there is no ffmpeg, in eight bits and without codecs."""
    name, width, height, _, frames = reference
    pictures = [picture(n, width, height) for n in range(frames)]
    (folder / f"{name}.y4m").write_bytes(y4m(pictures, width, height))
    names = [f"{name}-{step}.y4m" for step in range(2, 10)]
    for step, encode in enumerate(names, 2):
        coarse = bytes(value // step * step for value in range(256))
        (folder / encode).write_bytes(y4m([content.translate(coarse) for content in pictures], width, height))
    return names


def damage(folder, source, target, *, first, last):
    """A copy of a file that holds other bytes between two parts of its length."""
    content = bytearray((folder / source).read_bytes())
    start, end = int(first * len(content)), int(last * len(content))
    content[start:end] = bytes((i * 37 + 11) % 256 for i in range(end - start))
    (folder / target).write_bytes(content)


def failing_pairs(folder, encodes):
    """Pairs of damaged files: most fail for good, and their messages are part of the results."""
    first = encodes["long"][0]
    damage(folder, first, "no-header.mkv", first=0, last=0.2)
    damage(folder, first, "damaged.mkv", first=0.5, last=0.6)
    (folder / "cut.y4m").write_bytes((folder / "wide.y4m").read_bytes()[:200])
    frames = (folder / "long.y4m").read_bytes().split(b"FRAME\n")
    (folder / "lost.y4m").write_bytes(b"FRAME\n".join(frames[:31]) + b"frame\n" + b"FRAME\n".join(frames[31:]))
    return [("long.y4m", "no-header.mkv"), ("long.y4m", "damaged.mkv"), ("damaged.mkv", "no-header.mkv"),
            ("wide.y4m", "cut.y4m"), ("long.y4m", "wide.y4m"), ("cut.y4m", "cut.y4m"), ("long.y4m", "lost.y4m"),
            ("lost.y4m", "damaged.mkv")]


def make_batch(folder):
    """Writes videos and a manifest into a folder, and returns the manifest and its rows."""
    known = encoders() if FFMPEG else None
    rows, encodes = [], {}
    for reference in REFERENCES:
        name = reference[0]
        encodes[name] = encode_reference(folder, reference, known) if FFMPEG else write_reference(folder, reference)
        rows += [{"reference": f"{name}.y4m", "distorted": encode, "label": encode.rpartition(".")[2],
                  "bit_rate": (folder / encode).stat().st_size, **OPTIONS[0]} for encode in encodes[name]]
        rows += [{"reference": f"{name}.y4m", "distorted": encodes[name][i % 3], **options}
                 for i, options in enumerate(OPTIONS[1:])]
    rows += [{"reference": reference, "distorted": distorted} for reference, distorted in failing_pairs(folder, encodes)]
    manifest = folder / "pairs.jsonl"
    manifest.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return manifest, rows
