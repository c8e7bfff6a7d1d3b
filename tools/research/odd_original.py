# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Compares scores of odd inputs with those that libvmaf 3.2.0 gives for the samples that ffmpeg decodes.

libvmaf's library is that of PyPI's wheel of av; the client of the C interface does with it what libvmaf's program does."""

import collections
import dataclasses
import functools
import hashlib
import json
import pathlib
import shlex
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "capi" / "tests"))
import stock_ffmpeg

PLAIN_C = ("--cpumask", "4294967295")
DIVISORS = {"420": (2, 2), "422": (2, 1), "444": (1, 1)}  # of chroma
REPORT = "report.json"


class Different(Exception):
    """The original scores otherwise, or cannot score what was scored."""


@dataclasses.dataclass
class Format:
    width: int
    height: int
    chroma: str  # 400, 420, 422 or 444
    depth: int

    def luma(self):
        """Bytes of the plane."""
        return self.width * self.height * (2 if self.depth > 8 else 1)

    def chroma_planes(self):
        if self.chroma == "400":
            return 0
        across, down = DIVISORS[self.chroma]
        return 2 * -(-self.width // across) * -(-self.height // down) * (2 if self.depth > 8 else 1)

    def frame(self):
        return self.luma() + self.chroma_planes()


def format_of(side):
    """Of the samples that were scored: the report's format is that before chroma was left out."""
    luma_alone = "extractplanes=y" in (side["ffmpeg_command"] or "")
    return Format(side["width"], side["height"], "400" if luma_alone else side["pixel_format"], side["bitdepth"])


def command(side, folder, name):
    """With which ffmpeg makes the samples that were scored."""
    if side["ffmpeg_command"]:
        return shlex.split(side["ffmpeg_command"])
    form, stored = format_of(side), side["stored_pixel_format"]
    pixels = []
    if stored and not stored.startswith(("yuv", "gray")):  # an order of samples that isovmaf takes apart
        pixels = ["-pix_fmt", f"yuv{form.chroma}p" + (f"{form.depth}le" if form.depth > 8 else "")]
    return ["ffmpeg", "-noautorotate", "-i", f"file:{name}" if (folder / name).exists() else name, "-map",
            f"0:{side['stream']}", *pixels, "-fps_mode", "passthrough", "-f", "rawvideo", "-"]


@functools.cache
def decode(words, folder):
    return subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False).stdout


def frames_of(side, folder, name, unpaired, count):
    """The frames of a side that were scored. Those of a video that cases share are decoded once."""
    if side["container"] == "raw" and not side["ffmpeg_command"]:
        data = (folder / name).read_bytes()
    elif (folder.parent / name).exists():
        data = decode(tuple(command(side, folder, name)), folder.parent)
    else:
        data = decode.__wrapped__(command(side, folder, name), folder)
    size = format_of(side).frame()
    frames = [data[at:at + size] for at in range(0, len(data) - size + 1, size)]
    paired = [frame for n, frame in enumerate(frames) if n not in unpaired]
    if len(paired) < count:
        raise Different(f"{count} frames were scored, and ffmpeg decodes {len(paired)} of {name}")
    return paired[:count]


def y4m(form, frames, luma_alone):
    """A Y4M file's content. Luma alone gets chroma that is all zero: libvmaf has no 4:0:0."""
    if luma_alone:
        form = dataclasses.replace(form, chroma="420")
        frames = [frame[:form.luma()] + bytes(form.chroma_planes()) for frame in frames]
    chroma = form.chroma + (f"p{form.depth}" if form.depth > 8 else "jpeg" if form.chroma == "420" else "")
    header = f"YUV4MPEG2 W{form.width} H{form.height} F25:1 C{chroma}\n".encode()
    return header + b"".join(b"FRAME\n" + frame for frame in frames)


def values(report):
    """All scores, as they are printed."""
    found = {(frame["frameNum"], key): score for frame in report["frames"] for key, score in frame["metrics"].items()}
    for key, pooled in report["pooled_metrics"].items():
        found.update({(key, statistic): pooled[statistic] for statistic in ("min", "max", "mean", "harmonic_mean")})
    return found | report["aggregate_metrics"]


def read_report(path):
    return json.loads(path.read_text(errors="surrogateescape"), parse_float=str)


class Original:
    """libvmaf's library, and the client that calls it. Cases whose files ffmpeg decodes to the same samples share a run."""

    def __init__(self, client):
        self.client = client
        self.library = stock_ffmpeg.libvmaf_of(stock_ffmpeg.wheel())
        self.lock, self.locks, self.reports = threading.Lock(), collections.defaultdict(threading.Lock), {}

    def compare(self, case, folder):
        """Returns how many scores of the case's report are the original's, which has to be all of them."""
        report = read_report(folder / REPORT)
        told, count = report["isovmaf"], len(report["frames"])
        names = {"distorted": case.fed or case.name}
        names["reference"] = names["distorted"] if case.alone else case.reference
        unpaired = {"reference": told["sync"].get("dropped_frames", []), "distorted": told["sync"].get("repeated_frames", [])}
        luma_alone = "400" in [format_of(told[side]).chroma for side in names]
        decoded = []
        for side in ("reference", "distorted"):
            frames = frames_of(told[side], folder, names[side], set(unpaired[side]), count)
            decoded.append(y4m(format_of(told[side]), frames, luma_alone))
        ours, theirs = values(report), values(self.score(case, folder, told["models"].values(), decoded))
        if different := [key for key in ours | theirs if ours.get(key) != theirs.get(key)]:
            first = different[0]
            raise Different(f"{len(different)} of {len(ours)} scores are not the original's on what ffmpeg decodes: "
                            f"{first} is {ours.get(first)}, not {theirs.get(first)}")
        return len(ours)

    def score(self, case, folder, models, decoded):
        """The original's report of two Y4M files with these contents."""
        options = case.options.split()
        features = [word for option, word in zip(options, options[1:]) if option == "--feature"]
        words = [*sum((["-m", model] for model in models), []), *sum((["--feature", feature] for feature in features), [])]
        key = (*words, *(hashlib.sha256(content).digest() for content in decoded))
        with self.lock:
            lock = self.locks[key]
        with lock:  # the first case of these samples runs the original, others wait for its report
            if key not in self.reports:
                self.reports[key] = self.run(folder, words, decoded)
            return self.reports[key]

    def run(self, folder, words, decoded):
        for name, content in zip(("reference", "distorted"), decoded):
            (folder / f"{name}.decoded").write_bytes(content)
        result = subprocess.run([self.client, self.library, "score", *words, "--json", *PLAIN_C, "-r", "reference.decoded",
                                 "-d", "distorted.decoded", "-o", "original.json"], cwd=folder, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise Different(f"the original fails: {result.stderr.strip()}")
        return read_report(folder / "original.json")


def missing():
    """Why the original is not here; empty when it is."""
    return "" if stock_ffmpeg.wheel() else stock_ffmpeg.why_not()
