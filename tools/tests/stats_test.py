#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""`isovmaf score --stats`: the stage that keeps the others waiting is named, and the times fit the clock on the wall.

    stats_test.py ISOVMAF [PLUGIN] [UNITTEST OPTIONS]

PLUGIN is the host stand-in for a device.
"""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock

from score_runs import ScoreTest, picture, y4m

PLUGIN = None


def waits(process):
    """Whether each thread of a process sleeps."""
    states = []
    for thread in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # the thread has ended
            states.append((thread / "stat").read_text().rpartition(")")[2].split()[0])
    return set(states) == {"S"}


class Stats(ScoreTest):
    def stats(self, *options, reference=None):
        """The stats of the report, the line on standard error, and the seconds of the run."""
        path = self.folder / "stats.json"
        start = time.monotonic()
        process = subprocess.Popen([self.ISOVMAF, "score", "-r", "-" if reference else self.reference, "-d", self.distorted, "-q", "-o",
                                    path, "--force", "--stats", *map(str, options)],
                                   stdin=subprocess.PIPE if reference else subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        if reference:
            threading.Thread(target=reference, args=[process]).start()
        with process.stderr as errors:
            text = errors.read().decode()
        self.assertEqual(process.wait(), 0, text)
        return json.loads(path.read_text())["isovmaf"]["stats"], text, time.monotonic() - start

    def check_sums(self, stats, seconds):
        self.assertLessEqual(stats["videos_seconds"] + stats["session_seconds"] + stats["scoring_seconds"], seconds)
        for name, stage in stats["stages"].items():
            self.assertLessEqual(stage["seconds"], 1.02 * stage["workers"] * stats["scoring_seconds"] + 0.002, name)
            self.assertGreaterEqual(stage["seconds"], 0, name)
        self.assertEqual(list(stats["waits"]), ["reading", "device", "cpu", "pushing"])
        threads = len(stats.get("workers", [None])) # that move frames
        self.assertLessEqual(sum(wait["seconds"] for wait in stats["waits"].values()),
                             1.02 * threads * stats["scoring_seconds"] + 0.002)

    def test_a_slow_source_is_the_bottleneck(self):
        def write_slowly(process):
            """Pauses nine times as long as the program takes for what it has, on any machine."""
            with process.stdin as pipe:
                pipe.write(y4m([]))
                for n in range(6):
                    begin = time.monotonic()
                    while not waits(process):
                        time.sleep(0.001)
                    time.sleep(max(0.15, 9 * (time.monotonic() - begin)))
                    pipe.write(b"FRAME\n" + picture(n))
                    pipe.flush()
        stats, text, seconds = self.stats(reference=write_slowly)
        self.assertEqual(stats["bottleneck"], "read_reference")
        self.assertGreater(stats["stages"]["read_reference"]["busy"], 0.8)
        self.assertLess(stats["stages"]["read_distorted"]["busy"], 0.5)
        # On a machine that is busy the pauses are so long that a warning of them comes before.
        self.assertRegex(text, r"(?m)^stats: .*reading the reference \d+ %.*; bottleneck: reading the reference\n\Z")
        self.check_sums(stats, seconds)

    def test_a_slow_feature_is_the_bottleneck(self):
        large = y4m([picture(n, 320, 240) for n in range(4)], 320, 240)
        self.reference, self.distorted = self.write("large.y4m", large), self.write("too.y4m", large)
        stats, text, seconds = self.stats("--threads", 1, "--backend", "cpu-ref", "--feature", "ciede")
        self.assertEqual(stats["bottleneck"], "cpu", text)
        self.check_sums(stats, seconds)

    def test_a_slow_feature_beside_a_device_is_the_bottleneck(self):
        """Threads that have nothing to do do not hide it: there are more of them than frames in flight."""
        if not PLUGIN:
            self.skipTest("the host stand-in was not built")
        large = y4m([picture(n, 320, 240) for n in range(4)], 320, 240)
        self.reference, self.distorted = self.write("large.y4m", large), self.write("too.y4m", large)
        stats, text, seconds = self.stats("--threads", 8, "--frames_in_flight", 1, "--backend", "host,cpu-ref", "--backend-dir",
                                          PLUGIN.parent, "-n", "--feature", "psnr", "--feature", "ciede")
        self.assertEqual(stats["bottleneck"], "cpu", text)
        self.assertLess(stats["stages"]["cpu"]["busy"], 0.8)
        self.assertGreater(stats["waits"]["cpu"]["part"], 0.5)
        self.assertEqual(list(stats["stages"]["cpu"]["features"]), ["ciede"])
        self.assertRegex(text, "; bottleneck: features on the CPU, mostly ciede, for which frames waited [0-9]+ % of the time\n$")
        self.check_sums(stats, seconds)

    def test_stages_of_a_device(self):
        if not PLUGIN:
            self.skipTest("the host stand-in was not built")
        stats, text, seconds = self.stats("--backend", "host", "--backend-dir", PLUGIN.parent)
        self.assertEqual(list(stats["stages"]), ["read_reference", "read_distorted", "stage", "upload", "kernels", "push", "score"])
        self.assertGreater(stats["device_seconds"], 0)
        self.assertLess(stats["device_seconds"], seconds)
        self.assertIn("beside a device in", text)
        for name in ("upload", "kernels", "score"):
            self.assertGreater(stats["stages"][name]["seconds"], 0, name)
        self.check_sums(stats, seconds)

    def test_a_device_that_reads_in_place_has_no_uploads(self):
        if not PLUGIN:
            self.skipTest("the host stand-in was not built")
        with unittest.mock.patch.dict(os.environ, ISOVMAF_HOST_SHARED_MEMORY="1", ISOVMAF_SHARED_MEMORY="1"):
            stats, text, seconds = self.stats("--backend", "host", "--backend-dir", PLUGIN.parent)
            backends = subprocess.run([self.ISOVMAF, "backends", "--backend-dir", PLUGIN.parent], capture_output=True,
                                      check=True, text=True).stdout
        self.assertIn("pictures of the host are read in place (ISOVMAF_SHARED_MEMORY is 1)", backends)
        self.assertEqual(list(stats["stages"]), ["read_reference", "read_distorted", "stage", "kernels", "push", "score"])
        self.check_sums(stats, seconds)

    def check_parts(self, stats, text, seconds, frames, labels):
        self.check_sums(stats, seconds)
        workers = stats["workers"]
        self.assertEqual([worker["device"] for worker in workers], labels)
        self.assertEqual(sum(worker["frames"] for worker in workers), frames)
        for number, worker in enumerate(workers, 1):
            self.assertLessEqual(worker["opened"], 1, "what is open is moved")
            self.assertIn(f"worker {number} on {worker['device']}: {worker['frames']} frames", text)
        self.assertEqual(sum(worker["opened"] for worker in workers), sum(worker["frames"] > 0 for worker in workers) - 1,
                         "one worker goes on with what the program opened")
        for side in ("read_reference", "read_distorted"):
            self.assertAlmostEqual(sum(worker["stages"][side]["seconds"] for worker in workers),
                                   stats["stages"][side]["seconds"], places=4)
            self.assertEqual(stats["stages"][side]["workers"], len(workers))

    def test_workers_of_parts(self):
        frames = 60
        self.reference = self.write("long.y4m", y4m([picture(n % 5) for n in range(frames)]))
        self.distorted = self.write("too.y4m", y4m([picture(n % 7) for n in range(frames)]))
        options = ("--backend", "cpu", "--threads", 3, "--decoders", 2, "--part-frames", 7)
        stats, text, seconds = self.stats(*options)
        self.check_parts(stats, text, seconds, frames, ["cpu", "cpu"])
        self.assertEqual(stats["stages"]["cpu"]["workers"], 2 * 3, "each worker has the threads of the place")
        self.assertGreater(sum(worker["moved"] for worker in stats["workers"]), 0)
        self.assertNotIn("devices", stats)
        self.assertNotIn("convert_distorted", stats["stages"])
        stats, _, _ = self.stats(*options, "--convert", "ref:10", "--convert", "dis:10")
        for where in (stats, *stats["workers"]):
            self.assertGreater(where["stages"]["convert_distorted"]["seconds"], 0)

    def test_devices_of_parts(self):
        if not PLUGIN:
            self.skipTest("the host stand-in was not built")
        os.environ["ISOVMAF_HOST_DEVICES"] = "2"
        self.addCleanup(os.environ.pop, "ISOVMAF_HOST_DEVICES")
        stats, text, seconds = self.stats("--backend", "host", "--backend-dir", PLUGIN.parent, "--device", "0,1", "--part-frames", 2)
        self.check_parts(stats, text, seconds, 6, ["host:0", "host:1"])
        self.assertEqual([device["device"] for device in stats["devices"]], ["host:0", "host:1"])
        for name in ("stage", "upload", "kernels"):
            self.assertAlmostEqual(sum(device["stages"][name]["seconds"] for device in stats["devices"]),
                                   stats["stages"][name]["seconds"], places=4)
        self.assertRegex(text, r"\nstats: host:1: copies to pinned memory \d+ %, uploads to the device \d+ %, kernels \d+ %\n")

    def test_other_reports_stay_as_they_are(self):
        plain, path = self.report("--backend", "cpu"), self.folder / "report.json"
        before = path.read_bytes()
        measured = self.report("--backend", "cpu", "--stats", "--force")
        self.assertIn("stats", measured["isovmaf"])
        del measured["isovmaf"]["stats"]
        self.assertEqual(measured, plain)
        self.report("--backend", "cpu", "--force")
        self.assertEqual(path.read_bytes(), before)

    def test_stats_are_about_one_distorted_video(self):
        result = self.score("-d", self.distorted, "--stats")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"--stats is about one distorted video", result.stderr)


if __name__ == "__main__":
    ScoreTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    PLUGIN = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 and os.path.isfile(sys.argv[1]) else None
    unittest.main()
