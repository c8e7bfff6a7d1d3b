#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Measures golden scores of features on generated clips with libvmaf's plain C path, and writes a golden file.

    golden_values.py LIBVMAF.so GOLDEN.json [--clip WIDTHxHEIGHT:BITS:CHROMA:FRAMES]... REQUEST...

LIBVMAF.so is a libvmaf 3.x, such as the one in the PyPI package `av`. A REQUEST is a feature with options, such as
cambi:window_size=15. Clips are those of GeneratedClip (docs/spec/scores.md). Each request is measured in a process of
its own, because libvmaf crashes on some: such a request is left out, and named on standard error.
"""

import argparse
import ctypes
import hashlib
import json
import multiprocessing
import pathlib
import re
import sys
import tempfile

import numpy

PLAIN_C = 0xFFFFFFFF  # libvmaf's mask of instruction sets that it must not use
PIXEL_FORMATS = {420: 1, 422: 2, 444: 3}
JSON_REPORT = 2
ABOUT = ("Expected per-frame scores (C99 hexadecimal floats) of clips made by GeneratedClip, for requests of features. Measured "
         "by tools/research/golden_values.py on libvmaf 3.2.0's plain C path, from the PyPI package av. sha256: the clips as raw "
         "planar files.")


class Picture(ctypes.Structure):
    _fields_ = [("pix_fmt", ctypes.c_int), ("bpc", ctypes.c_uint), ("w", ctypes.c_uint * 3), ("h", ctypes.c_uint * 3),
                ("stride", ctypes.c_ssize_t * 3), ("data", ctypes.c_void_p * 3), ("ref", ctypes.c_void_p),
                ("priv", ctypes.c_void_p)]


class Configuration(ctypes.Structure):
    _fields_ = [("log_level", ctypes.c_int), ("n_threads", ctypes.c_uint), ("n_subsample", ctypes.c_uint),
                ("cpumask", ctypes.c_uint64), ("gpumask", ctypes.c_uint64)]


def reference_plane(width, height, bits, chroma, frame, plane):
    """One plane of GeneratedClip's reference, as in core/content/patterns.cpp."""
    across = 2 if plane and chroma != 444 else 1
    down = 2 if plane and chroma == 420 else 1
    x = numpy.arange(width // across, dtype=numpy.uint32)[None, :] * across + 3 * frame
    y = numpy.arange(height // down, dtype=numpy.uint32)[:, None] * down + 2 * frame
    noise = (x // 4) * numpy.uint32(73856093) ^ (y // 4) * numpy.uint32(19349663) ^ numpy.uint32(plane * 83492791 & 0xFFFFFFFF)
    noise ^= noise >> numpy.uint32(13)
    noise = noise * numpy.uint32(0x5BD1E995)
    noise ^= noise >> numpy.uint32(15)
    samples = (((3 * x + 2 * y) >> 2) & 127) + 32
    samples = samples + numpy.where(((x >> 5) + (y >> 5)) & 1, noise & 31, 0)
    extra = bits - 8
    return samples if not extra else (samples << extra) | ((noise >> 8) & ((1 << extra) - 1))


def distorted_plane(reference, bits):
    """The same of the distorted picture: a mean of 3x3 samples, quantised."""
    padded = numpy.pad(reference.astype(numpy.int64), 1, mode="edge")
    height, width = reference.shape
    total = sum(padded[dy:dy + height, dx:dx + width] for dy in range(3) for dx in range(3))
    step = 4 << (bits - 8)
    return numpy.minimum(((total + 4) // 9 + step // 2) // step * step, (1 << bits) - 1)


def planes_of(clip, frame):
    """The planes of both pictures of a frame, in samples of one or two bytes."""
    width, height, bits, chroma, _ = clip
    sample = numpy.uint8 if bits == 8 else numpy.dtype("<u2")
    reference = [reference_plane(width, height, bits, chroma, frame, plane) for plane in range(3)]
    return [[plane.astype(sample) for plane in side]
            for side in (reference, [distorted_plane(plane, bits) for plane in reference])]


def stored_names(reported):
    """The names under which libvmaf may keep a score that its reports call `reported`."""
    plain = reported.removeprefix("integer_")
    feature = "cambi" if plain == "cambi" else "speed_chroma" if plain.startswith("speed_chroma_") else plain
    return [reported, f"{feature.capitalize()}_feature_{plain}_score", f"VMAF_integer_feature_{plain}_score"]


def check(code, what):
    if code:
        raise RuntimeError(f"{what} returned {code}")


def upload(library, planes, clip):
    width, height, bits, chroma, _ = clip
    picture = Picture()
    check(library.vmaf_picture_alloc(ctypes.byref(picture), PIXEL_FORMATS[chroma], bits, width, height), "picture_alloc")
    for index, plane in enumerate(planes):
        for y, row in enumerate(plane):
            ctypes.memmove(picture.data[index] + y * picture.stride[index], row.tobytes(), row.nbytes)
    return picture


def measure(path, clip, request, result):
    """Puts {name: [score of each frame]} into `result`."""
    library = ctypes.CDLL(path)
    context, options = ctypes.c_void_p(), ctypes.c_void_p()
    check(library.vmaf_init(ctypes.byref(context), Configuration(0, 0, 1, PLAIN_C, 0)), "init")
    feature, *texts = request.split(":")
    for key, value in (text.split("=", 1) for text in texts):
        check(library.vmaf_feature_dictionary_set(ctypes.byref(options), key.encode(), value.encode()), "dictionary_set")
    check(library.vmaf_use_feature(context, feature.encode(), options), "use_feature")
    for frame in range(clip[4]):
        pictures = [upload(library, planes, clip) for planes in planes_of(clip, frame)]
        check(library.vmaf_read_pictures(context, *map(ctypes.byref, pictures), frame), f"frame {frame}")
    check(library.vmaf_read_pictures(context, None, None, 0), "flush")
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        check(library.vmaf_write_output(context, str(report).encode(), JSON_REPORT), "write_output")
        names = list(json.loads(report.read_text())["frames"][0]["metrics"])
    score = ctypes.c_double()
    for name in names:
        stored = next(stored for stored in stored_names(name)
                      if not library.vmaf_feature_score_at_index(context, stored.encode(), ctypes.byref(score), 0))
        values = []
        for frame in range(clip[4]):
            check(library.vmaf_feature_score_at_index(context, stored.encode(), ctypes.byref(score), frame), name)
            values.append(score.value.hex())
        result[name] = values


def measure_apart(path, clip, request):
    with multiprocessing.Manager() as manager:
        result = manager.dict()
        process = multiprocessing.Process(target=measure, args=(path, clip, request, result))
        process.start()
        process.join()
        return None if process.exitcode else dict(result)


def golden_clips(path, clip, requests):
    """The clip with the scores of all requests: once for each request that has a score of the same name as another."""
    hashes = [hashlib.sha256(), hashlib.sha256()]
    for frame in range(clip[4]):
        for side, planes in zip(hashes, planes_of(clip, frame)):
            for plane in planes:
                side.update(plane.tobytes())
    golden = dict(zip(("width", "height", "bits", "chroma", "frames"), clip))
    golden |= {"sha256_ref": hashes[0].hexdigest(), "sha256_dis": hashes[1].hexdigest()}
    clips = []
    for request in requests:
        scores = measure_apart(path, clip, request)
        if scores is None:
            print(f"{clip[0]}x{clip[1]}: libvmaf fails at {request}", file=sys.stderr)
            continue
        for found in clips:
            if not any(name in others for others in found["features"].values() for name in scores):
                break
        else:
            found = golden | {"features": {}, "models": {}}
            clips.append(found)
        found["features"][request] = scores
    return clips


def one_line(match):
    """A list of JSON on one line."""
    return "[" + re.sub(r",\s+", ", ", match[1]) + "]"


def clip_of(text):
    size, bits, chroma, frames = text.split(":")
    width, height = size.split("x")
    return int(width), int(height), int(bits), int(chroma), int(frames)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libvmaf")
    parser.add_argument("golden", type=pathlib.Path)
    parser.add_argument("--clip", action="append", type=clip_of, required=True)
    parser.add_argument("requests", nargs="+", metavar="REQUEST")
    arguments = parser.parse_args()
    clips = [golden for clip in arguments.clip for golden in golden_clips(arguments.libvmaf, clip, arguments.requests)]
    text = json.dumps({"about": ABOUT, "clips": clips}, indent=1)
    arguments.golden.write_text(re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", one_line, text) + "\n")



if __name__ == "__main__":
    main()
