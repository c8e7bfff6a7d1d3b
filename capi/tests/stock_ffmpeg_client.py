# SPDX-License-Identifier: BSD-2-Clause-Patent
"""A program that uses a stock FFmpeg: PyAV, and its filter libvmaf. Needs Python >= 3.12 and PyPI's av.

    stock_ffmpeg_client.py RUNS        # a JSON file

Each run names two videos, the number of frames, and the options of the filter. On standard output: the libraries named libvmaf-...
that this process has mapped. On standard error: for each run a line RUN NAME, what FFmpeg and the library log, and FAILED if
the filter reports an error.
"""

import gc
import json
import sys

import av


def read_frames(video, count):
    """Decodes the first frames; returns them with the stream, which buffers are described by."""
    raw = video.get("raw")
    container = av.open(video["path"], format="rawvideo" if raw else None, options=raw)
    stream = container.streams.video[0]
    frames = []
    for frame in container.decode(stream):
        if len(frames) == count:
            break
        frames.append(frame)
    return container, stream, frames


def drain(sink):
    try:
        while True:
            sink.pull()
    except (av.error.BlockingIOError, av.error.EOFError):
        pass


def score(reference, distorted, options):
    graph = av.filter.Graph()
    inputs = [graph.add_buffer(template=stream) for _, stream, _ in (distorted, reference)]
    libvmaf, sink = graph.add("libvmaf", options), graph.add("buffersink")
    for number, buffer in enumerate(inputs):
        buffer.link_to(libvmaf, 0, number)
    libvmaf.link_to(sink)
    graph.configure()
    for pair in zip(distorted[2], reference[2]):
        for buffer, frame in zip(inputs, pair):
            buffer.push(frame)
        drain(sink)


def main(path):
    with open(path, encoding="utf-8") as file:
        runs = json.load(file)
    av.logging.set_level(av.logging.INFO)
    av.logging.restore_default_callback()
    videos = {}
    for name, run in runs.items():
        for key in ("reference", "distorted"):
            video = json.dumps([run[key], run["frames"]])
            if video not in videos:
                videos[video] = read_frames(run[key], run["frames"])
            run[key] = videos[video]
        print(f"RUN {name}", file=sys.stderr, flush=True)
        try:
            score(run["reference"], run["distorted"], run["options"])
        except av.error.FFmpegError as error:
            print(f"FAILED {error}", file=sys.stderr, flush=True)
        gc.collect()  # the filter writes its log when it is freed
    with open("/proc/self/maps", encoding="utf-8") as maps:
        print("\n".join(sorted({line.split()[-1] for line in maps if "libvmaf-" in line})))


if __name__ == "__main__":
    main(sys.argv[1])
