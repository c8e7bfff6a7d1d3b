#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What goes into isovmaf batch: pairs found by a pattern, the plan of a dry run, copies on a disk of the node, URLs.

    batch_input_test.py ISOVMAF
"""

import functools
import http.server
import os
import pathlib
import sys
import threading
import unittest

from batch_runs import BatchTest


class Patterns(BatchTest):
    RULE = ("--reference", "{dir}/ref{1}.y4m", "--match", r"dis(\d)\.y4m", "--label", "{stem}", "--bit-rate", "{1}00")

    def test_a_pattern_gives_what_a_manifest_gives(self):
        (self.folder / "dis4.y4m").unlink()
        (self.folder / "dis0.y4m").unlink() # a bit rate has to be above 0
        self.manifest.write_text("reference,distorted,label,bit_rate\n" + "".join(
            f"./ref{i}.y4m,dis{i}.y4m,dis{i},{i}00\n" for i in range(1, 4)))
        expected = self.rows(self.run_folder("manifest", "--feature", "psnr"))
        run = self.run_folder("pattern", "--feature", "psnr", *self.RULE, manifest="dis*.y4m", cwd=self.folder)
        self.assertEqual([row | {"line": int(row["line"]) + 1} for row in self.rows(run)],
                         [row | {"line": int(row["line"])} for row in expected])

    def test_every_file_without_a_reference_is_listed(self):
        dry = ("--dry-run", "--rate", 100)
        result = self.batch(self.folder / "dis*.y4m", *dry, *self.RULE, expect=1)
        first, last = result.stderr.splitlines()
        self.assertIn("dis0.y4m: bit_rate has to be a number above 0", first)
        self.assertRegex(last, r"/dis4.y4m: cannot open .*/ref4.y4m: No such file")
        self.assertIn("3 pairs", result.stdout)
        text = self.batch(self.folder / "*.y4m", *dry, "--reference", "{dir}/ref0.y4m", expect=1).stderr
        self.assertEqual(len(text.splitlines()), 1, text)
        self.assertIn("ref0.y4m: the rule gives the file itself as its reference", text)
        self.assertIn("no file matches", self.batch("none*", *dry, "--reference", "x", expect=2).stderr)
        self.assertIn("--match has a meaning only with --reference", self.batch(self.manifest, *dry, "--match", "x", expect=2).stderr)


class Staging(BatchTest):
    def test_copies_change_nothing_and_are_removed(self):
        self.write("bad.y4m", "no video\n")
        self.manifest.write_text(self.manifest.read_text() + "ref0.y4m,bad.y4m,,\n")
        expected = self.results(self.run_folder("plain", expect=65))
        stage = self.folder / "stage"
        for name, options in (("all", ()), ("small", ("--stage-bytes", "80KB", "--workers", 2)), ("none", ("--stage-bytes", 1)),
                              ("fast", ("--fast-keys",))):
            run = self.folder / name
            text = self.batch(self.manifest, "--run", run, "--backend", "cpu", "--stage", stage, *options, expect=65).stderr
            self.assertEqual(self.results(run), expected, name)
            self.assertEqual(list(stage.iterdir()), [])
            self.assertEqual("is not copied" in text, name in ("small", "none"), text)
            self.assertNotIn("isovmaf-stage", text)

    def test_a_killed_process_leaves_copies_for_the_next_to_remove(self):
        self.longer_manifest(held=True)
        run, stage = self.folder / "run", self.folder / "stage"
        with self.halfway(run, "--stage", stage) as process:
            process.kill()
            process.wait()
        self.assertEqual(len(list(stage.iterdir())), 1)
        self.run_folder("run", "--stage", stage)
        self.assertEqual(list(stage.iterdir()), [])

    def test_a_folder_that_cannot_be_made_is_named(self):
        stage = self.manifest / "stage"
        self.assertIn(f"cannot stage files in {stage}",
                      self.batch(self.manifest, "--run", self.folder / "run", "--stage", stage, expect=1).stderr)


class Parts(http.server.SimpleHTTPRequestHandler):
    """Sends parts of files, as servers of videos do."""

    def do_GET(self):
        content = pathlib.Path(self.directory, self.path.strip("/")).read_bytes()
        self.server.requests.append(self.path)
        first, _, last = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")
        part = content[int(first):int(last) + 1 if last else None]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        try:
            self.wfile.write(part)
        except ConnectionError:
            pass # libav closes what it does not read to the end

    def log_message(self, *arguments):
        pass


class Urls(BatchTest):
    def setUp(self):
        super().setUp()
        handler = functools.partial(Parts, directory=self.folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.requests = []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def scores(self, run):
        return [{name: value for name, value in row.items() if name not in ("reference", "distorted")} for row in self.rows(run)]

    def test_inputs_by_url(self):
        pairs = self.pairs[:2]
        self.manifest.write_text("reference,distorted\n" + "".join(f"{r},{d}\n" for r, d in pairs))
        expected = self.scores(self.run_folder("files"))
        self.manifest.write_text("reference,distorted\n" + "".join(f"{self.url}/{r},{self.url}/{d}\n" for r, d in pairs))
        for name, options in (("urls", ()), ("staged", ("--stage", self.folder / "stage")), ("fast", ("--fast-keys",)),
                              ("cut", ("--segment-frames", 4))):
            run = self.run_folder(name, *options)
            self.assertEqual(self.scores(run), expected, name)
            records = self.records(run)
            self.run_folder(name, *options)
            self.assertEqual(self.records(run), records, name)
        content = (self.folder / "dis0.y4m").read_bytes()
        (self.folder / "dis0.y4m").write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        self.run_folder("urls")
        self.assertEqual(len(self.records(self.folder / "urls")), len(pairs) + 1)

    def test_a_url_without_a_file_is_a_bad_row(self):
        self.manifest.write_text(f"reference,distorted\nref0.y4m,{self.url.replace('http', 'nosuch')}/x.y4m\n")
        self.assertRegex(self.batch(self.manifest, "--dry-run", expect=1).stderr, "line 2: cannot open nosuch://.*: Protocol")


class DryRuns(BatchTest):
    """The five pairs have 6 + 1 + 12 + 3 + 6 frames."""

    def plan(self, *options):
        return self.batch(self.manifest, "--dry-run", "--backend", "cpu", *options).stdout.splitlines()

    def test_the_plan_and_its_rate(self):
        lines = self.plan("--rate", 2)
        self.assertRegex(lines[0], r"^5 pairs, \d{3},\d{3} bytes to read$")
        self.assertEqual(lines[1:], ["5 units; 28 frames", "about 14 s with 1 worker at 2.0 frames/s, as given"])
        self.assertEqual(self.plan("--rate", 2, "--segment-frames", 5)[1], "9 units; 28 frames")
        self.assertRegex(self.plan("--workers", 2)[2],
                         r"^about .* with 2 workers at \d+\.\d frames/s, measured by scoring \d+ frames of [34] pairs$")

    def test_the_rate_of_an_earlier_run(self):
        run = self.run_folder("run", "--shard", "0/2")
        before = sorted(path.name for path in run.rglob("*"))
        seconds = sum(record["seconds"] for record in self.records(run))
        frames = sum(record["frames"] for record in self.records(run))
        lines = self.plan("--run", run)
        self.assertEqual(lines[1], f"5 units; 28 frames; {len(self.records(run))} units of the run folder finished")
        rate = f"{frames / seconds:,.1f}".replace(",", "")
        self.assertEqual(lines[2], f"about less than a second with 1 worker at {rate} frames/s, as {frames} frames of the "
                                   "run folder took")
        self.assertEqual(sorted(path.name for path in run.rglob("*")), before)

    def test_many_pairs_are_sampled(self):
        self.manifest.write_text("reference,distorted,frame_cnt\n" + "".join(
            f"ref2.y4m,dis2.y4m,{n % 2 + n // 2 * 1000 + 3}\n" for n in range(300)))
        self.assertRegex(self.plan("--rate", 1)[1], r"^300 units; about 3,\d{3} frames, as \d\d pairs have \d{3}$")

    def test_a_pair_that_cannot_be_scored_has_no_time(self):
        self.write("bad.y4m", "no video\n")
        self.manifest.write_text("reference,distorted\nref0.y4m,bad.y4m\n")
        self.assertEqual(self.plan()[1], "1 unit; the time is not known: no video states how many frames it has")


if __name__ == "__main__":
    BatchTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
