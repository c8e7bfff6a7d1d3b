#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf diff` with the host stand-in as the device, and checks what it compares and finds, and its exit codes.

    diff_command_test.py ISOVMAF HOST_PLUGIN FOLDER_OF_FAKES TESTDATA
"""

import html.parser
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import fault_runs
from terminal import open_terminal

ISOVMAF = FAKES = ""
PLUGIN = TESTDATA = pathlib.Path()
EQUAL, DIFFER, COULD_NOT_RUN, NOT_EXECUTED, INTERRUPTED = 0, 1, 2, 3, 130

NOISE = ("--generate", "noise", "--size", "75x49", "--chroma", "420", "--depth", "10")  # one case of 3 frames
IDLE = ("--feature", "motion:motion_force_zero=true", "--no_prediction")                # needs no kernel
CLIP = "landscape_640x360_8b"
ENDLESS = ("--fuzz", "1e6") # seconds


class DiffTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        self.json = self.folder / "diff.json"
        self.videos = [text for side in ("ref", "dis")
                       for text in (f"--{'reference' if side == 'ref' else 'distorted'}",
                                    str(TESTDATA / "clips" / f"{CLIP}_{side}.mkv"))]

    def command(self, *options, backends="cpu-ref,host", plugins=None):
        return [ISOVMAF, "diff", "--backend-dir", str(plugins or PLUGIN.parent), "--backends", backends,
                *map(str, options)]

    def environment(self, **variables):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith("ISOVMAF_HOST_") and name != "ISOVMAF_BACKEND_DIR"}
        return kept | variables

    def diff(self, *options, expect=EQUAL, fail="", **settings):
        result = subprocess.run(self.command(*options, **settings), capture_output=True, check=False, text=True,
                                stdin=subprocess.DEVNULL,
                                env=self.environment(**({"ISOVMAF_HOST_FAIL": fail} if fail else {})))
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def report(self, *options, expect=EQUAL, **settings):
        self.diff("--json", self.json, "--quiet", *options, expect=expect, **settings)
        report = json.loads(self.json.read_text())
        self.assertEqual(report["exit_code"], expect)
        return report

    def score(self, name, *options):
        path = self.folder / name
        subprocess.run([ISOVMAF, "score", *self.videos, "--quiet", "-o", path, *options], check=True)
        return path

    def assert_refused(self, *options, words, **settings):
        """Expects one sentence with `words` on standard error, and no report."""
        self.json.unlink(missing_ok=True)
        result = self.diff(*options, "--json", self.json, expect=COULD_NOT_RUN, **settings)
        self.assertEqual(result.stdout, "")
        errors = [line for line in result.stderr.splitlines() if line != "Run with --help for more information."]
        self.assertEqual(len(errors), 1, result.stderr)
        for word in words:
            self.assertIn(word, errors[0])
        self.assertFalse(self.json.exists())


class Equal(DiffTest):
    def test_counts_add_up(self):
        report = self.report(*NOISE, backends="cpu-ref,cpu,host")
        self.assertEqual((report["verdict"], report["failure"], report["reference"]), ("equal", None, "cpu-ref"))
        self.assertEqual((report["cases"], report["frames"], report["different"]), (1, 3, 0))
        for total in ("values", "words"):
            self.assertGreater(report[total], 0)
            self.assertEqual(report[total], sum(tally[total] for tally in report["tallies"]))
        subjects = {tally["subject"] for tally in report["tallies"]}
        self.assertLessEqual({"adm", "motion", "psnr", "vif", "vmaf"}, subjects)
        for tally in report["tallies"]:
            self.assertGreater(tally["values"], 0)
            self.assertEqual(tally["histogram"], [tally["values"]] + 65 * [0])
            if tally["subject"] in ("adm", "motion", "psnr", "vif"):
                self.assertEqual(tally["exactness"], "bitwise")
                self.assertGreater(tally["words"], 0)
        cpu, host = ([tally | {"side": None} for tally in report["tallies"] if tally["side"] == side]
                     for side in ("cpu", "host"))
        self.assertEqual(cpu, host)
        self.assertEqual([(strip["side"], strip["frames"], strip["runs"]) for strip in report["strips"]],
                         [("cpu", 3, [[0, 3]]), ("host", 3, [[0, 3]])])
        self.assertEqual(report["findings"], [])

    def test_reports_prove_what_ran(self):
        reference, host = self.report(*NOISE)["proofs"]
        self.assertEqual((reference["side"], reference["backend"], reference["plugin"]), ("cpu-ref", "cpu-ref", None))
        self.assertEqual((host["side"], host["backend"], host["plugin"]), ("host", "host", str(PLUGIN)))
        self.assertEqual((host["runs"], host["frames"]), (1, 3))
        self.assertRegex(host["execution"]["build_id"], "^[0-9a-f]{16}$")
        launches = {name: work["kernel_launches"] for name, work in host["execution"]["features"].items()}
        self.assertEqual(set(launches), {"adm", "float_ssim", "motion", "psnr", "psnr_hvs", "speed_temporal", "vif", "xpsnr"})
        self.assertGreater(min(launches.values()), 0)

    def test_the_default_is_the_whole_sweep(self):
        report = self.report("--feature", "psnr", "--no_prediction") # the gate compares all of it
        self.assertEqual(report["seed"], 1)
        self.assertGreater(report["cases"], 40)
        self.assertEqual(report["proofs"][1]["runs"], report["cases"])

    def test_every_report_is_written_and_needs_no_network(self):
        names = ["json", "junit", "markdown", "html"]
        paths = {name: self.folder / f"report.{name}" for name in names}
        table = self.diff(*NOISE, *(text for name in names for text in (f"--{name}", paths[name]))).stdout
        texts = {name: path.read_text() for name, path in paths.items()}
        self.assertEqual(json.loads(texts["json"])["verdict"], "equal")
        suites = xml.etree.ElementTree.fromstring(texts["junit"])
        self.assertGreaterEqual(int(suites.get("tests")), 4)
        self.assertEqual((suites.get("failures"), suites.get("errors")), ("0", "0"))
        self.assertIn("| vif |", texts["markdown"])
        self.assertTrue(texts["html"].startswith("<!DOCTYPE html>"))
        self.assertNotRegex(texts["html"], r"(src|href)=[\"']?(https?:)?//")
        html.parser.HTMLParser().feed(texts["html"])
        self.assertRegex(table, r"(?m)^vif +\d+ +\d+ +equal$")
        self.assertIn(": 0 differ", table)

    def test_standard_output_can_be_a_report(self):
        self.assertEqual(json.loads(self.diff("--json", "-", *NOISE).stdout)["verdict"], "equal")

    def test_queues_and_frames_in_flight_are_sides(self):
        report = self.report("--inflight", "1,2,8", "--streams", "1,2", *NOISE, "--feature", "psnr", "--no_prediction")
        sides = [f"host inflight={frames} streams={streams}" for frames in (1, 2, 8) for streams in (1, 2)]
        self.assertEqual([proof["side"] for proof in report["proofs"]], ["cpu-ref", *sides])
        in_flight = [proof["execution"]["frames_in_flight"] for proof in report["proofs"][1:]]
        self.assertEqual(in_flight, [1, 1, 2, 2, 8, 8])
        self.assertEqual([proof["execution"]["queues"] for proof in report["proofs"][1:]], [1, 2, 1, 2, 1, 2])
        self.assertEqual({tally["side"] for tally in report["tallies"]}, set(sides))

    def test_every_device_is_a_side(self):
        self.assertEqual([proof["side"] for proof in self.report("--devices", "all", *NOISE)["proofs"]],
                         ["cpu-ref", "host:0"])
        shutil.copy(f"{FAKES}/fake_sound.so", self.folder / "libvmaf_sound.so")
        report = self.report("--devices", "all", *NOISE, backends="cpu-ref,sound", plugins=self.folder,
                             expect=COULD_NOT_RUN)  # its devices have no kernels, so no session opens on them
        self.assertEqual([proof["side"] for proof in report["proofs"]], ["cpu-ref", "sound:0", "sound:1"])
        self.assertRegex(report["failure"], "^sound:0: backend sound cannot run feature [a-z]+: .*no such kernel")

    def test_repeating_multiplies(self):
        once, thrice = self.report(*NOISE), self.report("--repeat", 3, *NOISE)
        for count in ("frames", "values", "words"):
            self.assertEqual(thrice[count], 3 * once[count])
        self.assertEqual((thrice["cases"], thrice["proofs"][1]["runs"]), (1, 3))
        launches = [report["proofs"][1]["execution"]["features"]["adm"]["kernel_launches"] for report in (once, thrice)]
        self.assertEqual(launches[1], 3 * launches[0])


class Parts(DiffTest):
    def frames(self, *options):
        report = self.report("--feature", "psnr", "--no_prediction", *options, backends="cpu-ref,cpu")
        frames, (tally,) = report["frames"], report["tallies"]
        self.assertIn(tally["words"], (frames, 3 * frames))  # a sum for each plane
        return frames

    def test_frames_are_left_out(self):
        generated = ("--generate", "noise", "--size", "40x40", "--chroma", "400", "--depth", "8", "--frames", "9")
        for pictures, whole in ((generated, 9), (self.videos, 60)):
            self.assertEqual(self.frames(*pictures), whole)
            self.assertEqual(self.frames(*pictures, "--skip", whole - 4), 4)
            self.assertEqual(self.frames(*pictures, "--skip", "5", "--frame_cnt", "3"), 3)
            self.assertEqual(self.frames(*pictures, "--skip", whole - 1, "--frame_cnt", "3"), 1)

    def test_skipping_keeps_the_later_frames(self):
        stored = self.score("all.json", "--frame_cnt", "3", "--precision", "max", "--no_prediction", "--feature",
                            "psnr")
        report = json.loads(stored.read_text())
        report["frames"] = [frame | {"frameNum": frame["frameNum"] - 1} for frame in report["frames"][1:]]
        report.pop("pooled_metrics")
        stored.write_text(json.dumps(report))
        self.report("--against", stored, *self.videos, "--frame_cnt", "2", "--skip", "1", "--feature", "psnr",
                    "--no_prediction", backends="host")
        self.report("--against", stored, *self.videos, "--frame_cnt", "2", "--feature", "psnr", "--no_prediction",
                    "--no_locate", backends="host", expect=DIFFER)

    def test_crops_and_masks_reach_the_pictures(self):
        grain = ("--generate", "grain", "--size", "96x80", "--chroma", "420", "--depth", "8", "--feature", "vif",
                 "--no_prediction")
        for crop, code in (("33x17+2+4", EQUAL), ("96x80+0+0", EQUAL), ("97x80+0+0", COULD_NOT_RUN),
                           ("64x64+34+0", COULD_NOT_RUN), ("40x40+1+0", COULD_NOT_RUN), ("8x8+0+0", COULD_NOT_RUN)):
            with self.subTest(crop):
                self.report("--crop", crop, *grain, expect=code)
        self.report("--crop", "64x48+10+10", "--keep_bits", "0xc0", *self.videos, "--frame_cnt", "2")
        stored = self.score("psnr.json", "--frame_cnt", "2", "--feature", "psnr", "--no_prediction")
        for part in (("--crop", "64x48+10+10"), ("--keep_bits", "0xc0")):
            report = self.report("--against", stored, *self.videos, "--frame_cnt", "2", *part, "--feature", "psnr",
                                 "--no_prediction", "--no_locate", backends="cpu", expect=DIFFER)
            self.assertGreater(report["different"], 0)


class Stored(DiffTest):
    def setUp(self):
        """Videos of noise, small and of 8 frames: what is stored is the point, not what is scored."""
        super().setUp()
        self.videos = []
        for option, first_seed in (("--reference", 1), ("--distorted", 101)):
            path = self.folder / f"{first_seed}.y4m"
            path.write_bytes(fault_runs.y4m(first_seed, frames=8))
            self.videos += [option, str(path)]

    def test_reports_of_score_are_equal_in_every_form(self):
        for form in ("json", "xml", "csv"):
            for precision in ("legacy", "max", "hex"):
                with self.subTest(form=form, precision=precision):
                    stored = self.score(f"scores.{form}", "--precision", precision, "--frame_cnt", "2")
                    report = self.report("--against", stored, *self.videos, "--frame_cnt", "2", backends="host")
                    self.assertEqual((report["frames"], report["reference"], report["absent"]), (2, str(stored), []))
                    self.assertGreaterEqual(report["values"], 2 * 15)
                    self.assertEqual(report["proofs"][0]["side"], "host")

    def test_a_changed_digit_is_found(self):
        stored = self.score("scores.json", "--frame_cnt", "4", "--precision", "legacy")
        text = stored.read_text()
        at = text.index('"frameNum": 2')
        pattern = re.compile(r'("integer_vif_scale1": \d\.\d{5})(\d)')
        changed = pattern.sub(lambda match: match[1] + str((int(match[2]) + 1) % 10), text[at:], count=1)
        self.assertNotEqual(changed, text[at:])
        stored.write_text(text[:at] + changed)
        report = self.report("--against", stored, *self.videos, "--frame_cnt", "4", backends="cpu,host", expect=DIFFER)
        self.assertEqual(report["different"], 2)  # on both sides
        differing = [tally for tally in report["tallies"] if tally["different"] > 0]
        self.assertEqual([(tally["side"], tally["subject"]) for tally in differing], [("cpu", "vif"), ("host", "vif")])
        for tally in differing:
            self.assertEqual((tally["first"]["frame"], tally["first"]["score"]), (2, "integer_vif_scale1"))
            self.assertNotIn(tally["first"]["ulp"], (0, "inf"))
        text = self.diff("--against", stored, *self.videos, "--frame_cnt", "4", backends="host", expect=DIFFER).stdout
        self.assertIn("integer_vif_scale1", text)
        self.assertIn(f"the cause may lie in {stored}", text)

    def test_a_report_that_differs_from_both_sides_blames_no_device(self):
        stored = self.score("scores.json", "--frame_cnt", "3", "--feature", "psnr", "--no_prediction")
        stored.write_text(re.sub(r'("psnr_y": )\d', r"\g<1>9", stored.read_text(), count=1))
        report = self.report("--against", stored, *self.videos, "--frame_cnt", "3", "--feature", "psnr",
                             "--no_prediction", expect=DIFFER)
        self.assertEqual([finding["side"] for finding in report["findings"]], ["cpu-ref", "host"])
        for finding in report["findings"]:
            self.assertIn("the cause lies in the report and not in a device", finding["remark"])
            self.assertIsNone(finding["command"])

    def test_values_that_only_one_side_has_are_reported(self):
        stored = self.score("scores.json", "--frame_cnt", "4")

        def absent(*options):
            report = self.report("--against", stored, *self.videos, "--no_prediction", *options, backends="cpu")
            return [(part["side"], part["reason"]) for part in report["absent"]]

        (missing, why), *_ = absent("--feature", "vif", "--frame_cnt", "4")
        self.assertIn("vmaf", missing)
        self.assertIn("not computed", why)
        self.assertIn((f"a part of {stored}", "1 of its 4 frames were not computed"),
                      absent("--feature", "vif", "--frame_cnt", "3"))
        self.assertIn(("a part of the pictures", f"2 frames are not in {stored}"),
                      absent("--feature", "vif", "--frame_cnt", "6"))

    def small_golden(self):
        golden = json.loads((TESTDATA / "golden/generated.json").read_text())
        golden["clips"] = sorted(golden["clips"], key=lambda clip: clip["width"] * clip["height"])[:4]
        return golden

    def test_golden_files_name_their_own_pictures(self):
        path = self.folder / "golden.json"
        golden = self.small_golden()
        path.write_text(json.dumps(golden))
        report = self.report("--against", path, backends="cpu-ref,host")
        self.assertGreaterEqual(report["cases"], 4)
        self.assertGreater(report["values"], 100)
        self.assert_refused("--against", path, "--skip", "1", words=["golden.json", "--skip"])
        values = golden["clips"][0]["features"]["vif"]["vif_scale2"]
        values[-1] = (float.fromhex(values[-1]) + 2**-50).hex()
        path.write_text(json.dumps(golden))
        report = self.report("--against", path, "--no_locate", backends="host", expect=DIFFER)
        self.assertEqual([tally["first"]["score"] for tally in report["tallies"] if tally["different"]],
                         ["integer_vif_scale2"])

    def test_files_that_are_no_reports(self):
        for name, text in (("none.json", None), ("empty.json", ""), ("text.json", "no report"), ("cut.xml", "<VMAF>")):
            path = self.folder / name
            if text is not None:
                path.write_text(text)
            with self.subTest(name):
                self.assert_refused("--against", path, *self.videos, words=[name])


class Fuzz(DiffTest):
    def test_ends_in_time_and_prints_its_seed(self):
        result = self.diff("--fuzz", "1", "--feature", "motion", "--no_prediction", "--json", self.json)
        report = json.loads(self.json.read_text())
        self.assertIn(f"isovmaf: seed {report['seed']}\n", result.stderr)
        self.assertGreater(report["cases"], 1)
        self.assertGreater(report["frames"], 1)

    def test_a_seed_repeats_the_cases(self):
        """Every run loses its device at the same launch, so the test compares the cases before that."""
        def cases(seed):
            report = self.report(*ENDLESS, "--seed", seed, fail="launch:400", expect=COULD_NOT_RUN)
            self.assertEqual(report["seed"], seed)
            host = report["proofs"][1]
            return report["cases"], host["runs"], host["frames"]

        first = cases(5)
        self.assertGreater(first[1], 3)
        self.assertEqual(cases(5), first)
        self.assertTrue(any(cases(seed) != first for seed in (6, 7)))

    def test_ctrl_c_ends_the_run_and_keeps_the_results(self):
        names = {name: self.folder / f"report.{name}" for name in ("json", "junit", "markdown", "html")}
        command = self.command(*ENDLESS, *(text for name in names for text in (f"--{name}", names[name])))
        terminal, standard_error = open_terminal(self)
        self.addCleanup(os.close, terminal)
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=standard_error, text=True,
                              env=self.environment()) as process:
            os.close(standard_error)
            seen = b""
            while not re.search(rb"[1-9]\d* cases", seen):
                seen += os.read(terminal, 1 << 12)
            process.send_signal(signal.SIGINT)
            text, _ = process.communicate()
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertIn("interrupted", text)
        report = json.loads(names["json"].read_text())
        self.assertIn("interrupted", report["failure"])
        self.assertGreater(report["values"], 0)
        self.assertEqual(report["different"], 0)
        for name in ("junit", "markdown", "html"):
            self.assertIn("interrupted", names[name].read_text(), name)
        self.assertEqual(xml.etree.ElementTree.parse(names["junit"]).getroot().get("errors"), "1")


class NotExecuted(DiffTest):
    def test_a_side_that_runs_no_kernel_fails_the_run(self):
        report = self.report(*IDLE, *NOISE, expect=NOT_EXECUTED)
        self.assertEqual(report["verdict"], "not_executed")
        self.assertIn("host: 3 frames were scored, yet no kernel of feature motion ran", report["failure"])
        host = report["proofs"][1]
        self.assertEqual((host["backend"], host["runs"]), ("host", 0))
        self.assertEqual(host["execution"]["features"]["motion"]["kernel_launches"], 0)
        self.assertIn("A side did not execute", self.diff(*IDLE, *NOISE, expect=NOT_EXECUTED).stdout)

    def test_a_device_that_fails_is_no_difference(self):
        report = self.report(*NOISE, fail="launch:20", expect=COULD_NOT_RUN)
        self.assertTrue(report["failure"].startswith("host: "), report["failure"])
        self.assertEqual(report["proofs"][1]["backend"], "host")


class Refused(DiffTest):
    def test_sides(self):
        empty = self.folder / "empty"
        empty.mkdir()
        for options, settings, words in (
                ((), {"backends": "cpu-ref,nothing"}, ["nothing", "isovmaf backends"]),
                ((), {"backends": "cpu-ref,host:7"}, ["host:7"]),
                ((), {"backends": "cpu-ref,cpu:0"}, ["cpu:0"]),
                ((), {"backends": "cpu-ref,host,host"}, ["host", "twice"]),
                ((), {"backends": "cpu-ref"}, ["nothing to compare cpu-ref with"]),
                ((), {"backends": ""}, ["is no side"]),
                ((), {"backends": "cpu-ref,available", "plugins": empty}, ["nothing to compare cpu-ref with"]),
                ((), {"backends": "available", "plugins": empty}, ["no backend is available"]),
                ((), {"backends": "cpu-ref,host", "plugins": empty}, ["host", "no plugin of that name"]),
                ((), {"plugins": self.folder / "none"}, ["none", "does not exist"]),
                (("--require", "hip"), {}, ["hip is required"]),
                (("--require", "host"), {"backends": "cpu-ref,cpu"}, ["host is required", "not among the sides"])):
            with self.subTest(options=options, settings=settings):
                self.assert_refused(*options, *NOISE, words=words, **settings)

    def test_pictures(self):
        for options, words in (
                (("--generate", "nothing"), ['"nothing"', "checkerboard-7"]),
                (("--size", "97y53"), ['"97y53"', "WIDTHxHEIGHT"]), (("--size", "0x53"), ['"0x53"']),
                (("--depth", "7"), ["--depth"]), (("--chroma", "411"), ["--chroma"]), (("--frames", "0"), ["--frames"]),
                (("--crop", "40x40"), ["40x40"]), (("--keep_bits", "0"), ["--keep_bits"]),
                (("--keep_bits", "12z"), ["--keep_bits", "12z"]), (("--fuzz", "0"), ["--fuzz"]),
                (("--seed", "-1"), ["--seed"]), (("--repeat", "0"), ["--repeat"]),
                (("--inflight", "0"), ["--inflight"]),
                (("-r", "one.mkv"), ["pairs"]), (("-d", "one.mkv"), ["pairs"]),
                (("-r", "-", "-d", "two.mkv"), ["standard input"]), (("-r", "one.mkv", "-d", "-"), ["standard input"]),
                ((*self.videos, "--generate", "noise"), ["not both"]), ((*self.videos, "--fuzz", "1"), ["not both"]),
                (("-r", "none.mkv", "-d", "none.mkv"), ["none.mkv"]),
                ((*self.videos, "--subsample", "2"), ["--subsample"]),
                (("--against", "scores.json"), ["--reference"]),
                (("--against", "scores.json", "--generate", "noise"), ["generated"]),
                (("--nothing",), ["--nothing"])):
            with self.subTest(options):
                self.assert_refused(*options, words=words)

    def test_options_that_only_fail_with_the_pictures(self):
        for options, words in ((("--crop", "40x40+60+0"), ["40x40", "75x49"]), (("--skip", "5"), ["nothing"]),
                               (("--feature", "sharpness"), ["sharpness", "vif"]),
                               (("--feature", "adm", "--no_prediction", "--crop", "16x16+0+0"), ["16x16"])):
            with self.subTest(options):
                report = self.report(*NOISE, *options, expect=COULD_NOT_RUN)
                for word in words:
                    self.assertIn(word, report["failure"])

    def test_reports_that_cannot_be_written(self):
        for path in ("/nonexistent/report", self.folder):
            result = self.diff(*NOISE, "--html", path, expect=COULD_NOT_RUN)
            self.assertIn(str(path), result.stderr)


class Help(DiffTest):
    def test_names_options_fills_and_exit_codes(self):
        text = self.diff("--help").stdout
        for word in ("--backends", "--against", "--fuzz", "--junit", "--require", "checkerboard-7", "3 a side did not"):
            self.assertIn(word, text)


if __name__ == "__main__":
    TESTDATA, FAKES = pathlib.Path(sys.argv.pop(4)).resolve(), os.path.abspath(sys.argv.pop(3))
    PLUGIN, ISOVMAF = pathlib.Path(sys.argv.pop(2)).resolve(), os.path.abspath(sys.argv.pop(1))
    unittest.main()
