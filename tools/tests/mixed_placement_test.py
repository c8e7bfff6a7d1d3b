#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""A program whose psnr has no kernels: the device computes the other features, the CPU psnr, and scores are the same.

    mixed_placement_test.py ISOVMAF ISOVMAF_WITHOUT_KERNELS_OF_PSNR HOST_PLUGIN CLIPS
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ISOVMAF, WITHOUT, PLUGIN, CLIPS = "", "", pathlib.Path(), pathlib.Path()
DEFAULT_MODEL = {"vif", "adm", "motion"}
PSNR = ["--feature", "psnr:enable_apsnr=true"]
MOTION = ["--feature", "motion:motion_five_frame_window=true"]


class MixedPlacementTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name)
        (self.path / "libvmaf_host.so").symlink_to(PLUGIN.resolve())

    def isovmaf(self, program, *arguments):
        return subprocess.run([program, *arguments, "--backend-dir", self.path], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def score(self, program, backend, *options, features=(*PSNR, *MOTION)):
        clip = ["-r", CLIPS / "landscape_576x324_10b_ref.mkv", "-d", CLIPS / "landscape_576x324_10b_dis.mkv"]
        return self.isovmaf(program, "score", *clip, "--backend", backend, "-q", "--json", "-o",
                            self.path / "report.json", "--precision", "max", "--frame_cnt", "7", *features, *options)

    def report(self, program, backend, *options, **features):
        result = self.score(program, backend, *options, **features)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads((self.path / "report.json").read_text()), result.stderr

    def check_scores(self, found, expected):
        for key in ("frames", "pooled_metrics", "aggregate_metrics"):
            self.assertEqual(found[key], expected[key])
        self.assertTrue(found["frames"])

    def test_scores_are_exact_wherever_features_run(self):
        for backend, *options in (("host,cpu",), ("cpu-ref,host", "--subsample", "3", "--threads", "1"),
                                  ("host,cpu", "--threads", "4", "--frames_in_flight", "4")):
            expected, _ = self.report(ISOVMAF, "cpu-ref", *options)
            found, _ = self.report(WITHOUT, backend, *options)
            self.check_scores(found, expected)

    def test_the_report_and_the_log_say_where_each_feature_ran(self):
        report, log = self.report(WITHOUT, "host,cpu", "-v", "--cpu", "scalar")
        provenance = report["isovmaf"]
        self.assertEqual((provenance["backend"], provenance["plugin"]), ("host", str(self.path / "libvmaf_host.so")))
        self.assertEqual(provenance["placement"], {
            **{feature: {"backend": "host", "code": "kernels"} for feature in DEFAULT_MODEL},
            "psnr": {"backend": "cpu", "code": "definition", "reason": "it has no GPU kernels"}})
        launches = {name: work["kernel_launches"] for name, work in provenance["execution"]["features"].items()}
        self.assertEqual(set(launches), DEFAULT_MODEL)
        self.assertGreaterEqual(min(launches.values()), 6, launches)
        self.assertIn("psnr      on cpu: definition (it has no GPU kernels)\n", log)
        self.assertIn("vif       on host: kernels\n", log)
        self.assertIn(f"vif       {launches['vif']} kernel launches", log)

    def test_one_place_is_told_for_every_feature(self):
        report, log = self.report(ISOVMAF, "host,cpu", "-v")
        self.assertEqual({place["backend"] for place in report["isovmaf"]["placement"].values()}, {"host"})
        self.assertIn("psnr      on host: kernels\n", log)
        report, log = self.report(WITHOUT, "cpu-ref", "-v")
        self.assertEqual({tuple(place.values()) for place in report["isovmaf"]["placement"].values()},
                         {("cpu-ref", "definition")})

    def test_a_backend_alone_is_refused(self):
        result = self.score(WITHOUT, "host")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("backend host cannot run feature psnr: it has no GPU kernels", result.stderr)
        self.assertIn("host,cpu", result.stderr)

    def test_a_device_may_have_nothing_to_compute(self):
        report, log = self.report(WITHOUT, "host,cpu", "-v", "--no_prediction", features=PSNR)
        self.assertEqual((report["isovmaf"]["backend"], report["isovmaf"]["plugin"]), ("cpu", None))
        self.assertIn("can run no feature of this session", log)

    def test_a_backend_that_is_not_there_is_an_error_though_the_cpu_may_help(self):
        result = self.score(WITHOUT, "absent,cpu")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("backend absent was not found", result.stderr)


if __name__ == "__main__":
    ISOVMAF, WITHOUT, PLUGIN, CLIPS = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    unittest.main(argv=sys.argv[:1], verbosity=2)
