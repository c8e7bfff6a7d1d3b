#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Frames per second of a stock FFmpeg's filter libvmaf: with the library of PyPI's av, and with ours in its place.

    stock_ffmpeg_speed.py LIBRARY [--backend NAME]... [--threads N] [--size WxH] [--frames N] [--rounds N]

ISOVMAF_STOCK_FFMPEG names the folder of the wheel (docs/ffmpeg.md), ISOVMAF_BACKEND_DIR that of the plugins. Two H.264
videos are made of FFmpeg's test source. Each way of scoring runs in a process of its own, in turns, once to warm up and then
`--rounds` times; the best time counts. "decode" is the time of decoding both videos alone, "filter" what scoring adds to it.
The logs have to be the same in every byte, apart from version, fps and the order of columns.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "capi" / "tests"))
import stock_ffmpeg


def encode(av, path, size, frames, crf):
    """One video of the moving test source with noise, as H.264."""
    graph = av.filter.Graph()
    source = graph.add("testsrc2", f"size={size}:rate=30:duration={frames / 30}")
    noise, form, sink = graph.add("noise", "alls=12:allf=t"), graph.add("format", "yuv420p"), graph.add("buffersink")
    source.link_to(noise)
    noise.link_to(form)
    form.link_to(sink)
    graph.configure()
    with av.open(path, "w") as file:
        stream = file.add_stream("libx264", rate=30, options={"preset": "veryfast", "crf": str(crf)})
        stream.width, stream.height = map(int, size.split("x"))
        stream.pix_fmt = "yuv420p"
        for number in range(frames):
            frame = sink.pull()
            frame.pts = number
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))


def open_videos(av, folder):
    videos = [av.open(str(folder / name)) for name in ("dis.mp4", "ref.mp4")]
    for video in videos:
        video.streams.video[0].thread_type = "AUTO"
    return videos


def decode(av, folder):
    start = time.perf_counter()
    for _ in zip(*(video.decode(video=0) for video in open_videos(av, folder))):
        pass
    return time.perf_counter() - start


def score(av, folder, options):
    videos = open_videos(av, folder)
    graph = av.filter.Graph()
    inputs = [graph.add_buffer(template=video.streams.video[0]) for video in videos]
    libvmaf, sink = graph.add("libvmaf", options), graph.add("buffersink")
    for number, buffer in enumerate(inputs):
        buffer.link_to(libvmaf, 0, number)
    libvmaf.link_to(sink)
    graph.configure()
    start = time.perf_counter()
    for pair in zip(*(video.decode(video=0) for video in videos)):
        for buffer, frame in zip(inputs, pair):
            buffer.push(frame)
        sink.pull()
    del graph, inputs, libvmaf, sink  # the filter ends the video when it is freed
    return time.perf_counter() - start


def run_in_this_process(mode, folder, *arguments):
    import av

    if mode == "make":
        size, frames = arguments
        encode(av, str(folder / "ref.mp4"), size, int(frames), 12)
        encode(av, str(folder / "dis.mp4"), size, int(frames), 34)
        return
    print(json.dumps(decode(av, folder) if mode == "decode" else score(av, folder, arguments[0])))


def log_without_run(path):
    log = json.loads(path.read_text())
    return {key: value for key, value in log.items() if key not in ("version", "fps")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--backend", action="append", default=[])
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    if stock_ffmpeg.why_not():
        sys.exit(stock_ffmpeg.why_not())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ours = stock_ffmpeg.with_library(wanted.library, folder / "ours")
        ways = {"libvmaf's own": (stock_ffmpeg.wheel(), {})}
        ways |= {f"ours, {backend}": (ours, {"ISOVMAF_BACKEND": backend}) for backend in wanted.backend or ["cpu"]}

        def run(place, variables, *arguments):
            result = subprocess.run([stock_ffmpeg.python(), __file__, "--client", *arguments], text=True, check=False,
                                    env={**os.environ, "PYTHONPATH": str(place), **variables}, stdout=subprocess.PIPE)
            if result.returncode != 0:
                sys.exit(f"{arguments}: ended with code {result.returncode}")
            return json.loads(result.stdout or "0")

        run(stock_ffmpeg.wheel(), {}, "make", name, wanted.size, str(wanted.frames))
        decoding, times = [], {way: [] for way in ways}
        for _ in range(wanted.rounds + 1):
            decoding.append(run(stock_ffmpeg.wheel(), {}, "decode", name))
            for number, (way, (place, variables)) in enumerate(ways.items()):
                log = folder / f"{number}.json"
                times[way].append(run(place, variables, "score", name,
                                      f"log_path={log}:log_fmt=json:n_threads={wanted.threads}"))
        best = min(decoding[1:])
        print(f"{wanted.size}, {wanted.frames} frames, {wanted.threads} threads; decode alone "
              f"{wanted.frames / best:.0f} frames/s, {best:.2f} s")
        expected = log_without_run(folder / "0.json")
        for number, (way, found) in enumerate(times.items()):
            seconds = min(found[1:])
            same = log_without_run(folder / f"{number}.json") == expected
            print(f"{way:16} {wanted.frames / seconds:6.0f} frames/s, {seconds:6.2f} s, filter {seconds - best:6.2f} s, "
                  f"log {'the same' if same else 'DIFFERS'}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--client"]:
        run_in_this_process(sys.argv[2], pathlib.Path(sys.argv[3]), *sys.argv[4:])
    else:
        main()
