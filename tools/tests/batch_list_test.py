#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Lists, such as playlists of HLS, in batches: a list is told apart from another by what its segments hold.

    batch_list_test.py ISOVMAF
"""

import functools
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

from batch_pairs import FFMPEG, ffmpeg
from batch_runs import SCRATCH, BatchRuns

SECONDS = 0.24 # of a segment: six frames
TS = "-c:v mpeg2video -g 6 -f hls -hls_list_size 0 -hls_time {seconds} -q:v {q}"
PARTS = "-c:v mpeg4 -g 6 -bf 0 -bitexact -q:v {q}"
# Lists of a folder, and options of ffmpeg that make them with their segments.
OUTPUTS = {
    "ts.m3u8": TS,
    "range.m3u8": f"{TS} -hls_flags single_file",
    "fmp4.m3u8": f"{PARTS} -f hls -hls_list_size 0 -hls_time {{seconds}} -hls_segment_type fmp4 "
                 "-hls_fmp4_init_filename fmp4.mp4",
    "dash.mpd": f"{PARTS} -f dash -seg_duration {{seconds}}",
    "part%d.mkv": f"{PARTS} -f segment -segment_time {{seconds}}",
}
CONCAT = "ffconcat version 1.0\nfile part0.mkv\nfile part1.mkv\n"
MASTER = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\nts.m3u8\n"
QUALITIES = {"fine": 2, "coarse": 31}


def xxh64(data):
    """The checksum of records in stores (xxHash, 64 bits, seed 0)."""
    p1, p2, p3, p4, p5 = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579,
                          2870177450012600261)
    mask = (1 << 64) - 1

    def turn(value, bits):
        return (value << bits | value >> (64 - bits)) & mask

    def mix(lane, value):
        return turn((lane + value * p2) & mask, 31) * p1 & mask

    words = [int.from_bytes(data[i:i + 8], "little") for i in range(0, len(data) - 7, 8)]
    striped = len(words) // 4 * 4
    state = p5
    if striped:
        lanes = [(p1 + p2) & mask, p2, 0, -p1 & mask]
        for i in range(striped):
            lanes[i % 4] = mix(lanes[i % 4], words[i])
        state = sum(turn(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18), strict=True)) & mask
        for lane in lanes:
            state = ((state ^ mix(0, lane)) * p1 + p4) & mask
    state = (state + len(data)) & mask
    for word in words[striped:]:
        state = (turn(state ^ mix(0, word), 27) * p1 + p4) & mask
    rest = data[len(words) * 8:]
    if len(rest) >= 4:
        state = (turn(state ^ int.from_bytes(rest[:4], "little") * p1 & mask, 23) * p2 + p3) & mask
        rest = rest[4:]
    for byte in rest:
        state = turn(state ^ byte * p5 & mask, 11) * p1 & mask
    for shift, factor in ((33, p2), (29, p3), (32, 1)):
        state = (state ^ state >> shift) * factor & mask
    return state


class PlainServer(http.server.SimpleHTTPRequestHandler):
    """Sends no parts of files."""

    def log_message(self, *arguments):
        pass


@unittest.skipUnless(FFMPEG, "there is no ffmpeg to encode with")
class Lists(BatchRuns):
    @classmethod
    def setUpClass(cls):
        cls.clips = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
        cls.addClassCleanup(shutil.rmtree, cls.clips)
        ffmpeg("-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25", "-frames:v", 12, "-pix_fmt", "yuv420p", "-c:v", "ffv1",
               cls.clips / "ref.mkv")
        for name, q in QUALITIES.items():
            (cls.clips / name).mkdir()
            outputs = [word for output, options in OUTPUTS.items()
                       for word in (*options.format(q=q, seconds=SECONDS).split(), output)]
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", "../ref.mkv", *outputs], check=True, cwd=cls.clips / name)
            (cls.clips / name / "master.m3u8").write_text(MASTER)
            (cls.clips / name / "concat.ffconcat").write_text(CONCAT)
            (cls.clips / name / "concat.mkv").write_text(CONCAT) # the content says what it is
            (cls.clips / name / "concat").write_text(CONCAT)
        known = subprocess.run(["ffmpeg", "-hide_banner", "-demuxers"], capture_output=True, text=True, check=True).stdout
        cls.lists = sorted(path.name for path in (cls.clips / "fine").iterdir() if path.name == "concat" or
                           path.suffix in (".m3u8", ".ffconcat") or path.name == "concat.mkv" or
                           (path.suffix == ".mpd" and " dash " in known))

    def setUp(self):
        super().setUp()
        shutil.copy(self.clips / "ref.mkv", self.folder)
        for name in QUALITIES:
            shutil.copytree(self.clips / name, self.folder / name)

    def write_manifest(self, *videos, reference="ref.mkv"):
        self.manifest = self.write("m.csv", "reference,distorted\n" + "".join(f"{reference},{video}\n" for video in videos))

    @classmethod
    @functools.cache
    def score(cls, distorted, reference="ref.mkv", folder=None):
        """What `isovmaf score` says of two videos in a folder; without one, of those before segments were exchanged."""
        run = subprocess.run([cls.ISOVMAF, "score", "-q", "--backend", "cpu", "--precision", "max", "-r", reference, "-d",
                              distorted], cwd=folder or cls.clips, check=True, capture_output=True, text=True)
        return float(run.stdout)

    def means(self, run):
        return [json.loads(line)["scores"]["vmaf"]["mean"] for line in (run / "results.jsonl").read_text().splitlines()]

    def exchange_segments(self):
        """Each folder gets the segments of the other; lists keep their bytes, their times and their inodes."""
        for own, other in (("fine", "coarse"), ("coarse", "fine")):
            for path in (self.clips / other).iterdir():
                if path.name not in self.lists:
                    shutil.copy(path, self.folder / own)

    def test_equal_lists_with_other_segments_have_their_own_scores(self):
        videos = [f"{folder}/{name}" for name in self.lists for folder in QUALITIES]
        self.write_manifest(*videos)
        run = self.run_folder("run")
        self.assertEqual(self.means(run), [self.score(video) for video in videos])
        for name in ("ts.m3u8", "fmp4.m3u8", "concat", "concat.mkv", "master.m3u8"):
            self.assertEqual((self.folder / "fine" / name).read_bytes(), (self.folder / "coarse" / name).read_bytes())
        expected = self.results(run)
        for options in (("--fast-keys",), ("--segment-frames", 5), ("--group", 1), ("--workers", 3),
                        ("--stage", self.folder / "stage"), ("--segment-frames", 7, "--stage", self.folder / "stage")):
            self.assertEqual(self.results(self.run_folder("-".join(map(str, options)).replace("/", "_"), *options)),
                             expected, options)
        shards = [self.run_folder(f"shard{i}", "--shard", f"{i}/3") for i in range(3)]
        self.batch("merge", *shards, "--out", self.folder / "merged")
        self.assertEqual(self.results(self.folder / "merged"), expected)

    def test_a_unit_is_computed_again_when_segments_change(self):
        videos = [f"fine/{name}" for name in self.lists]
        self.write_manifest(*videos)
        for name, options in (("whole", ()), ("fast", ("--fast-keys",)), ("cut", ("--segment-frames", 6)),
                              ("staged", ("--stage", self.folder / "stage"))):
            shutil.copytree(self.clips / "fine", self.folder / "fine", dirs_exist_ok=True)
            run = self.run_folder(name, *options)
            before, records = self.means(run), self.records(run)
            self.run_folder(name, *options)
            self.assertEqual((self.means(run), self.records(run)), (before, records), name)
            self.exchange_segments()
            self.run_folder(name, *options)
            self.assertEqual(self.means(run), [self.score(f"coarse/{name}") for name in self.lists], name)
            self.assertTrue(all(abs(new - old) > 1 for new, old in zip(self.means(run), before, strict=True)), name)
            subprocess.run([self.ISOVMAF, "rescore", run, "--out", self.folder / "again"], check=True, capture_output=True)
            self.assertEqual(self.results(self.folder / "again"), self.results(run), name)
            self.batch("merge", run)

    def test_records_of_earlier_builds_do_not_count(self):
        """They had a list's own bytes; results by name find nothing else out."""
        self.write_manifest("fine/ts.m3u8", "fine/part0.mkv")
        run = self.run_folder("run")
        before = self.means(run)
        self.exchange_segments()
        part0 = self.clips / "fine" / "part0.mkv" # which has not changed
        shutil.copy(part0, self.folder / "fine")
        self.assertIn("2 units finished; 0 in work", self.batch("status", run).stdout, "no video is read")
        for store in (run / "stores").glob("*.jsonl"):
            lines = []
            for line in store.read_text().splitlines():
                record = json.loads(line)["record"]
                text = line.partition(',"record":')[2][:-1]
                self.assertEqual(json.loads(line)["check"], f"{xxh64(text.encode()):016x}")
                if record.pop("self_contained", None) is not None:
                    if record["input"].endswith(".m3u8"):
                        record["digest"] = "as of a file alone"
                    text = json.dumps(record, separators=(",", ":"))
                lines.append(f'{{"check":"{xxh64(text.encode()):016x}","record":{text}}}\n')
            store.write_text("".join(lines))
        self.assertIn("1 unit finished; 1 not done yet", self.batch("status", run).stdout)
        self.assertIn("1 not done yet", self.batch("merge", run, expect=75).stderr)
        records = len(self.records(run))
        self.run_folder("run")
        self.assertEqual(len(self.records(run)), records + 1)
        self.assertEqual(self.means(run), [self.score("coarse/ts.m3u8"), before[1]])
        self.assertIn("2 units finished", self.batch("status", run).stdout)
        self.batch("merge", run)
        self.assertEqual(self.means(run)[0], self.score("coarse/ts.m3u8"))

    def test_a_list_as_reference(self):
        self.write_manifest("coarse/fmp4.m3u8", "fine/fmp4.m3u8", reference="fine/ts.m3u8")
        expected = [self.score(f"{folder}/fmp4.m3u8", "fine/ts.m3u8") for folder in ("coarse", "fine")]
        self.assertEqual(self.means(self.run_folder("run")), expected)
        shutil.copy(self.clips / "coarse" / "ts1.ts", self.folder / "fine")
        again = self.means(self.run_folder("run"))
        self.assertEqual(again, [self.score(f"{folder}/fmp4.m3u8", "fine/ts.m3u8", self.folder) for folder in ("coarse", "fine")])
        self.assertNotEqual(again, expected)

    def test_streams_of_a_list(self):
        """The identity is that of the stream that is scored."""
        for part in range(2):
            ffmpeg("-i", self.clips / "fine" / f"part{part}.mkv", "-i", self.clips / "coarse" / f"part{part}.mkv", "-map", "0",
                   "-map", "1", "-c", "copy", self.folder / f"part{part}.mkv")
        self.write("both.ffconcat", CONCAT)
        self.manifest = self.write("m.csv", "reference,distorted,dis-stream\n" + "".join(
            f"ref.mkv,both.ffconcat,v:{n}\n" for n in range(2)))
        run = self.run_folder("run")
        self.assertEqual(self.means(run), [self.score(f"{folder}/concat") for folder in QUALITIES])
        ffmpeg("-i", self.clips / "fine" / "part1.mkv", "-i", self.clips / "fine" / "part1.mkv", "-map", "0", "-map", "1",
               "-c", "copy", "-y", self.folder / "part1.mkv")
        records = len(self.records(run))
        self.run_folder("run")
        self.assertEqual(len(self.records(run)), records + 1, "one of the streams has changed")

    def test_the_pass_is_stated_and_other_files_have_none(self):
        self.write_manifest("fine/part0.mkv", "fine/concat", "fine/concat.mkv", "coarse/concat")
        for _ in range(2): # at each start
            text = self.batch(self.manifest, "--run", self.folder / "run", "--backend", "cpu").stdout
            self.assertRegex(text, r"\n3 lists of other files \(such as playlists\) were read for what they hold: \d+\.\d s\n$")
        self.write_manifest("fine/part0.mkv")
        self.assertNotIn("lists", self.batch(self.manifest, "--run", self.folder / "one", "--backend", "cpu").stdout)

    def test_lists_from_a_plain_server(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(PlainServer, directory=self.folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}"
        videos = [f"{url}/{folder}/{name}" for folder in QUALITIES for name in ("ts.m3u8", "fmp4.m3u8")]
        self.write_manifest(*videos)
        files = [self.score(video.removeprefix(url + "/")) for video in videos]
        for name, options in (("run", ()), ("fast", ("--fast-keys",)), ("staged", ("--stage", self.folder / "stage"))):
            self.assertEqual(self.means(self.run_folder(name, *options)), files, name)
        self.exchange_segments()
        self.assertEqual(self.means(self.run_folder("run")), files[2:] + files[:2])
        self.assertEqual(self.means(self.run_folder("fast", "--fast-keys")), files[2:] + files[:2])
        self.write_manifest(f"{url}/fine/part0.mkv")
        self.assertIn("does not send parts of it", self.batch(self.manifest, "--dry-run", expect=1).stderr)

    def test_a_list_whose_segments_are_gone(self):
        self.write_manifest("fine/concat", "coarse/concat")
        (self.folder / "fine" / "part1.mkv").unlink()
        run = self.run_folder("run", expect={0, 65, 75})
        self.assertEqual(self.means(run)[-1], self.score("coarse/concat"))
        shutil.copy(self.clips / "fine" / "part1.mkv", self.folder / "fine")
        self.assertEqual(self.means(self.run_folder("run")), [self.score(f"{folder}/concat") for folder in QUALITIES])


if __name__ == "__main__":
    BatchRuns.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
