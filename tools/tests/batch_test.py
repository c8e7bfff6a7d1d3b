#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs `isovmaf batch` as a user does: manifests, results, several processes, interruptions, files that change.

    batch_test.py ISOVMAF
"""

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from batch_runs import FORMULAS, BatchTest


class Warnings(BatchTest):
    """Videos that are scored although something is wrong with them."""

    def setUp(self):
        super().setUp()
        whole = (self.clips / "ref0.y4m").read_bytes()
        (self.folder / "cut.y4m").write_bytes(whole[:-10])
        (self.folder / "interlaced.y4m").write_bytes(whole.replace(b"\n", b" It\n", 1))
        shutil.copy(self.folder / "dis3.y4m", self.folder / "copy.y4m")
        self.warned = {"dis0.y4m": [], "dis3.y4m": ["lengths"], "copy.y4m": ["lengths"], "cut.y4m": ["cut_short", "lengths"]}
        self.manifest.write_text("reference,distorted,feature,no_prediction\n" + "".join(
            f"ref0.y4m,{distorted},psnr,true\n" for distorted in self.warned) + "ref0.y4m,interlaced.y4m,psnr,true\n"
            "cut.y4m,dis0.y4m,psnr,true\n")

    def test_rows_have_those_about_their_videos(self):
        run = self.run_folder("run")
        *lines, colours, cut = self.lines(run)
        self.assertEqual([[warning["kind"] for warning in line["warnings"]] for line in lines], list(self.warned.values()))
        self.assertEqual([warning["kind"] for warning in colours["warnings"]], ["colours"])
        self.assertEqual([warning["kind"] for warning in cut["warnings"]], ["cut_short", "lengths"])
        self.assertEqual(lines[2]["warnings"][0]["text"], "reference ref0.y4m has 6 frames, distorted copy.y4m has 3; the 3 "
                         "frames that both have are scored")
        self.assertTrue(lines[3]["warnings"][0]["text"].startswith("cut.y4m ends inside frame 5, after "), lines[3])
        for line, row in zip(self.lines(run), self.rows(run), strict=True):
            self.assertEqual(row["warnings"], " | ".join(warning["text"] for warning in line["warnings"]))
            self.assertEqual(row["options"], "feature=psnr no_prediction=true")
            self.assertEqual((line["options"], line["models"]), ({"feature": ["psnr"], "no_prediction": ["true"]}, {}))
        self.assertIn("6 pairs scored, 5 with warnings", (run / "report.html").read_text())

    def test_they_are_the_same_however_a_batch_is_run(self):
        run = self.run_folder("run")
        expected = self.results(run)
        for options in (("--segment-frames", 1), ("--segment-frames", 2), ("--segment-frames", 4, "--workers", 3),
                        ("--group", 1), ("--workers", 4), ("--stage", self.folder / "stage")):
            (self.folder / "stage").mkdir(exist_ok=True)
            other = self.run_folder("-".join(str(option).strip("-").replace("/", "_") for option in options), *options)
            self.assertEqual(self.results(other), expected, options)
        records = self.records(run)
        self.run_folder("run")
        self.assertEqual((self.results(run), self.records(run)), (expected, records))
        self.batch("merge", run, run, "--out", self.folder / "merged")
        self.assertEqual(self.results(self.folder / "merged"), expected)
        self.assertNotIn(str(self.folder), json.dumps([record.get("warnings") for record in records]))

    def test_a_row_shows_the_models_that_scored_it(self):
        self.manifest.write_text("reference,distorted\nref0.y4m,dis0.y4m\n")
        run = self.run_folder("run", "-m", "version=vmaf_v0.6.1", "-m", "version=vmaf_v0.6.1neg:name=neg")
        self.assertEqual(self.lines(run)[0]["models"], {"vmaf": "vmaf_v0.6.1", "neg": "vmaf_v0.6.1neg"})
        self.assertEqual(self.rows(run)[0]["models"], "vmaf=vmaf_v0.6.1 neg=vmaf_v0.6.1neg")
        subprocess.run([self.ISOVMAF, "rescore", run, "-m", "version=vmaf_v0.6.1neg", "--out", self.folder / "neg"],
                       check=True, stdout=subprocess.DEVNULL)
        row, = self.rows(self.folder / "neg")
        self.assertEqual((row["models"], row["options"]), ("vmaf=vmaf_v0.6.1neg", "model=version=vmaf_v0.6.1neg"))


class Manifests(BatchTest):
    def test_a_manifest_without_rows_is_an_error_and_an_empty_shard_is_none(self):
        run = self.folder / "run"
        for text in ("reference,distorted\n", "reference,distorted", "reference,distorted,feature\n\n\n"):
            empty = self.write("empty.csv", text)
            for arguments in ((empty, "--run", run), (empty, "--dry-run"), ("prepare", empty, "--run", run)):
                said = self.batch(*arguments, expect=1)
                self.assertEqual((said.stdout, said.stderr), ("", f"isovmaf: error: manifest {empty} has no rows: write one for "
                                                              "each pair below the line that names the columns\n"), text)
        shards = [self.run_folder(f"shard{i}", "--shard", f"{i}/6") for i in range(6)] # more than there are rows
        self.assertIn("6 run folders merged: 5 rows; 5 units finished",
                      self.batch("merge", *shards, "--out", self.folder / "merged").stdout)

    def test_numbered_pictures_are_refused(self):
        self.manifest.write_text("reference,distorted\nref0.y4m,%04d.png\n")
        self.assertIn("line 2: %04d.png is a name of numbered pictures", self.batch(self.manifest, "--dry-run", expect=1).stderr)

    def test_every_bad_row_is_listed_with_line_and_reason(self):
        self.write("empty.y4m", "")
        manifest = self.write("bad.csv", "reference,distorted,feature,frame_cnt,bit_rate\n"
                              "ref0.y4m,dis0.y4m,,,\n"
                              "ref0.y4m,missing.y4m,,,\n"
                              "ref0.y4m,dis0.y4m,sharpness,,\n"
                              "ref0.y4m,dis0.y4m,psnr;vif,2,\n"
                              "ref0.y4m,dis0.y4m,,0,\n"
                              "ref0.y4m,.,,,\n"
                              "ref0.y4m\n"
                              "ref0.y4m,dis0.y4m,,,\n"
                              ",dis0.y4m,,,\n"
                              "ref0.y4m,dis0.y4m,,1,-3\n")
        expected = {3: "cannot open missing.y4m: No such file", 4: 'no feature "sharpness"', 6: "frame_cnt",
                    7: ". is no file", 8: "1 fields for 5 columns", 9: "line 2 has the same pair", 10: "no reference",
                    11: "bit_rate has to be a number above 0"}
        result = self.batch(manifest, "--dry-run", expect=1)
        self.assertEqual(len(result.stderr.splitlines()), len(expected))
        for line, (number, reason) in zip(result.stderr.splitlines(), expected.items()):
            self.assertIn(f"line {number}: ", line)
            self.assertIn(reason, line)
        self.assertIn("2 pairs, 229,244 bytes to read; 8 rows cannot be scored", result.stdout)
        run = self.folder / "run"
        result = self.batch(manifest, "--run", run, expect=1)
        self.assertIn("8 rows of the manifest cannot be scored", result.stderr)
        self.assertFalse((run / "run.json").exists())
        self.run_folder("run", "--skip-invalid", manifest=manifest, expect=65)
        self.assertEqual([int(row["line"]) for row in self.rows(run)], [2, 5])
        failures = self.rows(run, "failures.csv")
        self.assertEqual([(int(row["line"]), row["kind"]) for row in failures], [(n, "invalid") for n in expected])

    def test_json_lines_and_csv_give_the_same(self):
        lines = [json.dumps({"reference": reference, "distorted": distorted, "label": f'row "{i}"', "bit_rate": 100 * i + 100,
                             "feature": ["psnr", "vif"], "no_prediction": True})
                 for i, (reference, distorted) in enumerate(self.pairs)]
        options = ("--feature", "psnr", "--feature", "vif", "-n")
        from_csv = self.rows(self.run_folder("csv", *options))
        from_json = self.rows(self.run_folder("json", manifest=self.write("m.jsonl", "\n".join(lines))))
        for row in from_csv + from_json:
            del row["line"] # a header makes the difference
        self.assertEqual(from_csv, from_json)

    def test_many_rows_are_checked_in_a_moment(self):
        count = 100_000
        for i in range(300):
            os.link(self.clips / "ref0.y4m", self.folder / f"r{i}.y4m")
            os.link(self.clips / "dis0.y4m", self.folder / f"d{i}.y4m")
        manifest = self.write("many.csv", "reference,distorted,label\n" + "".join(
            f"r{i // 300 % 300}.y4m,d{i % 300}.y4m,{i}\n" if i < 90_000 else f"d{i // 300 % 300}.y4m,r{i % 300}.y4m,{i}\n"
            for i in range(count)))
        start = time.monotonic()
        limit = 1 << 28
        result = self.batch(manifest, "--dry-run", "--rate", 1000,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        print(f"{count} rows: {time.monotonic() - start:.1f} s", file=sys.stderr)
        self.assertIn("100,000 pairs", result.stdout)

    def test_misuse_is_refused(self):
        for arguments, words, code in (((), "batch needs --run FOLDER", 2), (("--dry-run",), "--dry-run needs a MANIFEST", 2),
                                       (("prepare", "--run", "x"), "prepare needs a MANIFEST", 2),
                                       (("prepare", self.manifest), "and --run FOLDER", 2),
                                       (("--run", "x"), "is no run folder", 1),
                                       ((self.manifest, "--run", "x", "--time-left", 9), "--signal=B:TERM@60", 2),
                                       ((self.manifest, "--run", "x", "--lease-seconds", 9), "no option any more", 2),
                                       ((self.manifest,), "batch needs --run FOLDER", 2),
                                       ((self.folder / "no.csv", "--dry-run"), "cannot open manifest", 1),
                                       ((self.manifest, "--run", self.folder), "neither empty nor a run folder", 2),
                                       ((self.manifest, "--run", "x", "--shard", "4/4"), "--shard takes I/N", 2)):
            self.assertIn(words, self.batch(*arguments, expect=code, cwd=self.folder).stderr)


class Results(BatchTest):
    def test_scores_are_those_of_score(self):
        run = self.run_folder("run", "--feature", "psnr:enable_apsnr=true")
        lines = self.lines(run)
        self.assertEqual(len(lines), len(self.pairs))
        for (reference, distorted), line, row in zip(self.pairs, lines, self.rows(run)):
            report = self.folder / "report.json"
            subprocess.run([self.ISOVMAF, "score", "-r", self.folder / reference, "-d", self.folder / distorted, "--json",
                            "-o", report, "-q", "--backend", "cpu", "--precision", "max", "--feature", "psnr:enable_apsnr=true"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            whole = json.loads(report.read_text())
            self.assertEqual(line["scores"], whole["pooled_metrics"])
            self.assertEqual(line["aggregates"], whole["aggregate_metrics"])
            self.assertEqual((row["reference"], row["distorted"], int(row["frames"])),
                             (reference, distorted, len(whole["frames"])))
            self.assertEqual(float(row["vmaf_harmonic_mean"]), whole["pooled_metrics"]["vmaf"]["harmonic_mean"])
        self.assertEqual((run / "failures.csv").read_text(), "line,reference,distorted,label,bit_rate,kind,message\n")
        self.assert_clean(run)

    def test_scores_are_shown_at_the_end_unless_quiet(self):
        shown = self.batch(self.manifest, "--run", self.folder / "run", "--backend", "cpu").stdout.splitlines()
        self.assertRegex(shown[0], r"^pair +score +frames +mean +5 % +min$")
        means = [f"{float(row['vmaf_mean']):.4f}" for row in self.rows(self.folder / "run")]
        self.assertEqual([line.split()[:4] for line in shown[1:6]],
                         [[distorted, "vmaf", frames, mean] for (_, distorted), frames, mean
                          in zip(self.pairs, ("6", "1", "12", "3", "6"), means)])
        self.assertIn("1 pair with warnings", shown[6]) # the longest one tells that it is shifted
        self.assertIn("5 units finished", shown[7])
        self.assertEqual(self.batch(self.manifest, "--run", self.folder / "quiet", "--backend", "cpu", "-q").stdout, "")

    def test_only_csv_files_keep_text_from_being_a_formula(self):
        os.link(self.clips / "ref0.y4m", self.folder / "-ref.y4m")
        self.write("=bad.y4m", "no video\n")
        self.write("formulas.jsonl", "".join(json.dumps({"reference": "-ref.y4m", "distorted": distorted, "label": label,
                                                         "frame_cnt": n}) + "\n"
                                             for n, label in enumerate(FORMULAS, 1)
                                             for distorted in ("dis0.y4m", "=bad.y4m")))
        run = self.run_folder("run", "-n", "--feature", "psnr", manifest=self.folder / "formulas.jsonl", expect=65)
        shielded = [label if label == "'a" else "'" + label for label in FORMULAS]
        for name in ("results.csv", "failures.csv", "timings.csv"):
            rows = self.rows(run, name)
            self.assertCountEqual([row["label"] for row in rows], shielded)
            self.assertEqual({row["reference"] for row in rows}, {"'-ref.y4m"})
        self.assertTrue(all(row["message"].startswith("'=bad.y4m") for row in self.rows(run, "failures.csv")))
        self.assertEqual([line["label"] for line in self.lines(run)], list(FORMULAS))
        merged = self.folder / "merged"
        self.batch("merge", run, run, "--out", merged, expect=65)
        self.assertEqual(self.results(merged), self.results(run))

    def test_a_second_run_computes_nothing_and_a_changed_file_is_computed(self):
        run = self.run_folder("run")
        first, records = self.results(run), self.records(run)
        self.assertEqual(len(records), len(self.pairs))
        self.run_folder("run")
        self.assertEqual((self.results(run), self.records(run)), (first, records))
        changed = self.folder / "dis1.y4m"
        changed.unlink()
        shutil.copy(self.clips / "ref1.y4m", changed)
        self.run_folder("run")
        self.assertEqual(len(self.records(run)), len(records) + 1)
        self.assertNotEqual(self.results(run), first)
        changed.unlink()
        shutil.copy(self.clips / "dis1.y4m", changed) # what was computed before is found again
        self.run_folder("run")
        self.assertEqual((self.results(run), len(self.records(run))), (first, len(records) + 1))

    def test_files_are_told_apart_by_samples(self):
        run = self.run_folder("run", "--fast-keys")
        digests = [record["digest"] for record in self.records(run, "input")]
        self.assertTrue(all(digest.startswith("sampled:") for digest in digests), digests)
        self.run_folder("run", "--fast-keys")
        self.assertEqual(len(self.records(run)), len(self.pairs))
        self.assertEqual(len(self.records(run, "input")), len(digests)) # each file was read once
        self.assertEqual(self.results(run), self.results(self.run_folder("whole")))

    def test_other_options_are_refused_and_both_named(self):
        run = self.run_folder("run", "--feature", "psnr")
        text = self.batch(self.manifest, "--run", run, "--subsample", "2", expect=1).stderr
        self.assertIn("--feature psnr", text)
        self.assertIn("--subsample 2", text)
        settings = json.loads((run / "run.json").read_text())
        (run / "run.json").write_text(json.dumps(settings | {"version": "0.0.7"}))
        text = self.batch(self.manifest, "--run", run, "--feature", "psnr", expect=1).stderr
        self.assertIn("isovmaf 0.0.7", text)
        self.assertIn("isovmaf " + settings["version"], text)

    def test_a_manifest_may_grow(self):
        run = self.run_folder("run")
        self.manifest.write_text(self.manifest.read_text() + "ref0.y4m,dis3.y4m,more,\n")
        self.run_folder("run")
        self.assertEqual(len(self.records(run)), len(self.pairs) + 1)
        self.assertEqual(self.rows(run)[-1]["label"], "more")


class Segments(BatchTest):
    def test_segments_change_no_byte(self):
        options = ("--feature", "motion:motion_five_frame_window=true", "--feature", "psnr:enable_apsnr=true")
        expected = self.results(self.run_folder("whole", *options))
        for length, units in ((1, 6 + 1 + 12 + 3 + 6), (5, 2 + 1 + 3 + 1 + 2), (12, 5)):
            run = self.run_folder(f"cut{length}", "--segment-frames", length, "--workers", 2, *options)
            self.assertEqual(self.results(run), expected, length)
            self.assertEqual(len(self.records(run)), units)

    def test_segments_of_part_of_a_video(self):
        options = ("--frame_skip_ref", 1, "--frame_skip_dis", 2, "--frame_cnt", 7, "--offset", 1, "--subsample", 2)
        self.manifest.write_text("reference,distorted\nref2.y4m,dis2.y4m\n")
        expected = self.results(self.run_folder("whole", *options))
        for length in (1, 3, 7):
            self.assertEqual(self.results(self.run_folder(f"cut{length}", "--segment-frames", length, *options)), expected)

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make a container with")
    def test_the_end_is_where_the_video_ends_not_where_its_file_says(self):
        """A Matroska file whose last frames are cut off still states its duration."""
        for name in ("ref2", "dis2"):
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", self.folder / f"{name}.y4m", "-c:v", "ffv1", "-g", "1",
                            self.folder / f"{name}.mkv"], check=True)
            content = (self.folder / f"{name}.mkv").read_bytes()
            (self.folder / f"{name}.mkv").write_bytes(content[:len(content) * 55 // 100])
        self.manifest.write_text("reference,distorted\nref2.mkv,dis2.mkv\n")
        expected = self.results(self.run_folder("whole"))
        frames = int(self.rows(self.folder / "whole")[0]["frames"])
        self.assertIn(frames, range(3, 9))
        for length in (2, 5, frames):
            run = self.run_folder(f"cut{length}", "--segment-frames", length)
            self.assertEqual(self.results(run), expected)
            self.assertIn(0, [record["frames"] for record in self.records(run)])

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make a container with")
    def test_a_decoder_that_is_missing_here_may_be_elsewhere(self):
        """No FFmpeg of Debian decodes AVS3."""
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", self.folder / "dis2.y4m", "-c:v", "ffv1",
                        self.folder / "dis2.mkv"], check=True)
        content = (self.folder / "dis2.mkv").read_bytes()
        for codec, kind, code, why in ((b"V_AVS3", "transient", 75, "is coded as avs3, for which the installed"),
                                       (b"V_NONE", "permanent", 65, "is coded as none, for which the installed")):
            (self.folder / "dis2.mkv").write_bytes(content.replace(b"V_MS/VFW/FOURCC", codec.ljust(15, b"\0"), 1))
            self.manifest.write_text("reference,distorted\nref2.y4m,dis2.mkv\n")
            failure, = self.rows(self.run_folder(f"run{code}", expect=code), "failures.csv")
            self.assertEqual(failure["kind"], kind)
            self.assertIn(why, failure["message"])

    @unittest.skipUnless(shutil.which("ffmpeg"), "there is no ffmpeg to make a container with")
    def test_frames_that_were_dropped_are_reported_once_and_where_it_begins(self):
        for name, times in (("ref2", "PTS"), ("dis2", "PTS+gte(N\\,5)/(25*TB)+between(N\\,7\\,8)/(25*TB)")):
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", self.folder / f"{name}.y4m", "-vf", f"setpts={times}",
                            "-fps_mode", "passthrough", "-c:v", "ffv1", "-g", "1", self.folder / f"{name}.mkv"], check=True)
        self.manifest.write_text("reference,distorted,sync\nref2.mkv,dis2.mkv,index\n")
        run = self.run_folder("whole")
        row, = self.lines(run)
        self.assertIn("dropped_frames", [warning["kind"] for warning in row["warnings"]])
        warning, = (warning["text"] for warning in row["warnings"] if warning["kind"] == "dropped_frames")
        self.assertIn("frame 5 of reference ref2.mkv", warning)
        for length in (1, 2, 5, 6):
            self.assertEqual(self.results(self.run_folder(f"cut{length}", "--segment-frames", length)), self.results(run))

    def test_shards_of_segments_and_another_cut(self):
        expected = self.results(self.run_folder("whole"))
        for i in range(3):
            run = self.run_folder("run", "--segment-frames", 4, "--shard", f"{i}/3")
        self.batch("merge", run)
        self.assertEqual(self.results(run), expected)
        self.assertEqual(self.results(self.run_folder("run", "--segment-frames", 3)), expected)


class Rescoring(BatchTest):
    def rescore(self, *arguments, expect=0):
        result = subprocess.run([self.ISOVMAF, "rescore", *map(str, arguments)], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, expect, result.stderr)
        return result.stderr

    def test_another_model_scores_as_if_computed_afresh_and_reads_no_video(self):
        four_k = ("-m", "version=vmaf_4k_v0.6.1", "--subsample", 2)
        expected = self.results(self.run_folder("fresh", *four_k, "--feature", "psnr"))
        run = self.run_folder("run", "--segment-frames", 5, "--feature", "psnr")
        for clip in self.folder.glob("*.y4m"):
            clip.unlink()
        first = self.results(run)
        self.rescore(run, "--out", self.folder / "same")
        self.assertEqual(self.results(self.folder / "same"), first)
        self.rescore(run, *four_k)
        self.assertEqual(self.results(run / "rescored"), expected)
        self.assertEqual(self.results(run), first)

    def test_words_that_do_not_suffice_are_named(self):
        run = self.run_folder("run", "-n", "--feature", "psnr")
        for allowed, expect, said in ((len(self.pairs), 0, ""), (len(self.pairs) - 1, 65, "5 of 5 rows have no scores; line 2: "
                                      "feature adm was not extracted"), (0, 65, f"{self.folder}/out/failures.csv lists all")):
            text = self.rescore(run, "-m", "version=vmaf_v0.6.1", "--out", self.folder / "out", "--allow-failed", allowed,
                                expect=expect)
            self.assertEqual(bool(text), bool(said), text)
            self.assertIn(said, text)
        failures = self.rows(self.folder / "out", "failures.csv")
        self.assertEqual(len(failures), len(self.pairs))
        self.assertIn("was not extracted", failures[0]["message"])
        self.assertIn("is no run folder", self.rescore(self.folder, expect=1))


class Failures(BatchTest):
    def test_a_corrupt_file_fails_for_good(self):
        (self.folder / "dis1.y4m").unlink()
        self.write("dis1.y4m", "YUV4MPEG2 W64 H48 C420jpeg\nFRAME\n")
        run = self.run_folder("run", expect=65)
        self.assertEqual([row["distorted"] for row in self.rows(run)], ["dis0.y4m", "dis2.y4m", "dis3.y4m", "dis4.y4m"])
        failure, = self.rows(run, "failures.csv")
        self.assertEqual((failure["distorted"], failure["kind"]), ("dis1.y4m", "permanent"))
        self.assertIn("dis1.y4m holds no whole frame", failure["message"])
        self.assertNotIn(str(self.folder), failure["message"])
        records = self.records(run)
        self.run_folder("run", expect=65)
        self.assertEqual(self.records(run), records)

    def test_every_command_says_why_it_does_not_end_with_success(self):
        self.write("bad.y4m", "no video\n")
        self.manifest.write_text("reference,distorted\nref0.y4m,dis0.y4m\nref0.y4m,bad.y4m\n")
        quiet = self.manifest, "--backend", "cpu", "--quiet"
        for _ in range(2): # also when the failure is known
            text = self.batch(*quiet, "--run", self.folder / "whole", expect=65).stderr
            self.assertRegex(text, "error: 1 of 2 rows has no scores; line 3: bad.y4m is in no .*/whole/failures.csv lists all")
            shards = [self.batch(*quiet, "--run", self.folder / "part", "--shard", f"{i}/2", expect={0, 65}) for i in range(2)]
            self.assertEqual(sorted(shard.returncode for shard in shards), [0, 65])
            for shard in shards:
                self.assertEqual("error: rows have no scores: 0 units finished; 1 failed, 0 of them may succeed when they are "
                                 f"tried again; isovmaf batch status {self.folder}/part says why" in shard.stderr,
                                 shard.returncode == 65, shard.stderr)
        text = self.batch("merge", self.folder / "whole", expect=65).stderr
        self.assertRegex(text, "^isovmaf: error: 1 of 2 rows has no scores; line 3: .*bad.y4m is in no video format")
        self.assertEqual(self.batch("merge", self.folder / "whole", "--allow-failed", 1).stderr, "")

    def test_files_of_equal_content_fail_with_their_own_names(self):
        names = ("bad1.y4m", "bad2.y4m")
        for name in names:
            self.write(name, "no video\n")
        self.manifest.write_text("reference,distorted\n" + "".join(f"ref0.y4m,{name}\n" for name in names))
        run = self.run_folder("run", expect=65)
        for name, failure in zip(names, self.rows(run, "failures.csv"), strict=True):
            self.assertIn(f"{name} is in no video format", failure["message"])

    def test_rows_without_scores_that_are_allowed(self):
        """Invalid rows and rows that failed, for good or for now, count alike."""
        self.write("dis1.y4m.new", "YUV4MPEG2 W64 H48 C420jpeg\nFRAME\n").rename(self.folder / "dis1.y4m")
        self.manifest.write_text(self.manifest.read_text() + "ref0.y4m,missing.y4m,,\n")
        run = self.folder / "run"
        for allowed, expect in ((0, 65), (1, 65), (2, 0)):
            allow = "--allow-failed", allowed
            self.run_folder("run", "--skip-invalid", *allow, expect=expect)
            self.assertEqual(len(self.rows(run, "failures.csv")), 2)
            self.batch("merge", run, *allow, "--out", self.folder / "merged", expect=expect)
        for i in range(2):
            shards = self.run_folder("shards", "--skip-invalid", "--shard", f"{i}/2", *allow)
        self.batch("merge", shards, *allow)
        self.assertEqual(self.results(shards), self.results(run))

    def test_a_file_that_vanishes_may_come_back(self):
        run = self.run_folder("run")
        (self.folder / "dis1.y4m").rename(self.folder / "away.y4m")
        self.batch(self.manifest, "--run", run, "--skip-invalid", "--backend", "cpu", expect=65)
        self.assertEqual([row["kind"] for row in self.rows(run, "failures.csv")], ["invalid"])
        (self.folder / "away.y4m").rename(self.folder / "dis1.y4m")
        self.run_folder("run")
        self.assertEqual(self.rows(run, "failures.csv"), [])

    def test_a_full_disk_ends_the_run_and_the_next_one_goes_on(self):
        limit = 20_000 # bytes of one file: some words fit
        run = self.folder / "run"
        result = self.batch(self.manifest, "--run", run, "--backend", "cpu", expect=1,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertIn("File too large", result.stderr)
        done = len(self.records(run))
        self.assertIn(done, range(1, len(self.pairs)))
        self.run_folder("run")
        self.assertEqual(len(self.records(run)), len(self.pairs))
        self.assertEqual(self.results(run), self.results(self.run_folder("whole")))


class Processes(BatchTest):
    def test_workers_and_threads_change_nothing(self):
        expected = self.results(self.run_folder("one"))
        for options in (("--workers", 3), ("--workers", 2, "--threads", 1), ("--threads", 3)):
            run = self.run_folder("run" + "".join(map(str, options)), *options)
            self.assertEqual(self.results(run), expected)
            self.assertEqual(len(self.records(run)), len(self.pairs))

    def test_shards_share_a_folder(self):
        expected = self.results(self.run_folder("one"))
        run = self.folder / "shards"
        text = self.batch("prepare", self.manifest, "--run", run, "--shards", 4).stdout
        self.assertEqual(text, f"5 units in {run}, cut into 4 shards: isovmaf batch --run {run} --shard 0/4\n")
        self.assertEqual(self.batch("status", run, "--missing").stdout, "0-3\n")
        self.batch("merge", run, expect=75)
        shards = [self.start(run, "--shard", f"{i}/4", manifest=()) for i in (0, 1, 3)]
        self.assertEqual([shard.wait() for shard in shards], [0, 0, 0])
        self.assertEqual(self.batch("status", run, "--missing").stdout, "2\n")
        self.assertFalse((run / "results.csv").exists())
        self.batch("--run", run, "--shard", "2/4", "--backend", "cpu")
        self.assertEqual(self.batch("status", run, "--missing").stdout, "")
        self.batch("merge", run)
        self.assertEqual(self.results(run), expected)
        self.assertEqual(len(self.records(run)), len(self.pairs))
        self.assert_clean(run)

    def test_a_shard_reads_its_own_rows_and_stores_alone(self):
        run = self.folder / "shards"
        self.batch("prepare", self.manifest, "--run", run, "--shards", 2)
        rows, = run.glob("rows-*.jsonl")
        rows.rename(self.folder / "away")
        self.manifest.unlink()
        self.batch("--run", run, "--shard", "0/2", "--backend", "cpu")
        for store in run.glob("stores/*"):
            store.chmod(0)
        self.batch("--run", run, "--shard", "1/2", "--backend", "cpu")
        for store in run.glob("stores/*"):
            store.chmod(0o644)
        self.assertEqual(len(self.records(run)), len(self.pairs))
        (self.folder / "away").rename(rows)
        self.batch("merge", run)

    def test_a_prepared_folder_without_shards_goes_on_without_its_manifest(self):
        run = self.folder / "run"
        self.batch("prepare", self.manifest, "--run", run, "--feature", "psnr")
        self.batch("--run", run, "--backend", "cpu")
        self.assertEqual(self.results(run), self.results(self.run_folder("one", "--feature", "psnr")))
        for options in (("--feature", "psnr"), ("--segment-frames", 3), ("--skip-invalid",)):
            self.assertIn("need a MANIFEST", self.batch("--run", run, *options, expect=2).stderr)
        self.assertIn("is prepared for 0 shards", self.batch("--run", run, "--shard", "0/2", expect=2).stderr)
        self.assertIn("is not cut into shards", self.batch("status", run, "--missing", expect=2).stderr)

    def merge(self, *folders, out, expect=0):
        return self.batch("merge", *folders, "--out", out, expect=expect)

    def test_folders_are_merged(self):
        expected = self.results(self.run_folder("one"))
        folders = [self.run_folder(f"part{i}", "--shard", f"{i}/3", "--segment-frames", 4) for i in range(3)]
        out = self.folder / "merged"
        self.assertIn("not done yet", self.merge(folders[0], folders[1], out=out, expect=75).stderr)
        self.assertFalse((out / "results.csv").exists())
        shutil.rmtree(out)
        for clip in self.folder.glob("*.y4m"):
            clip.unlink() # merging reads no video
        for n, order in enumerate((folders, folders[::-1], folders + folders)):
            self.assertEqual(self.merge(*order, out=out).stdout,
                             f"{len(order)} run folders merged: 5 rows; 9 units finished; results in {out}\n")
            self.assertEqual(self.results(out), expected)
            self.assertEqual(len(list((out / "stores").glob("*.jsonl"))), 3)
        processes = [subprocess.Popen(self.command("merge", *folders, "--out", self.folder / "twice"),
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
        self.assertEqual([process.wait() for process in processes], [0, 0])
        self.assertEqual(self.results(self.folder / "twice"), expected)

    def test_folders_that_do_not_belong_together_are_refused(self):
        one, out = self.run_folder("one"), self.folder / "out"
        other = self.run_folder("other", "--feature", "psnr")
        text = self.merge(one, other, out=out, expect=1).stderr
        for words in (str(one), str(other), "no options", "--feature psnr"):
            self.assertIn(words, text)
        self.manifest.write_text("reference,distorted\nref0.y4m,dis0.y4m\n")
        text = self.merge(one, self.run_folder("less"), out=out, expect=1).stderr
        self.assertIn("have different rows", text)
        self.assertIn("is no run folder", self.merge(one, self.folder, out=out, expect=1).stderr)
        settings = json.loads((one / "run.json").read_text())
        for changed, words in (({"version": "0.0.7"}, "isovmaf 0.0.7"), ({"layout": 9}, "layout 9")):
            shutil.copytree(one, self.folder / words)
            (self.folder / words / "run.json").write_text(json.dumps(settings | changed))
            self.assertIn(words, self.merge(one, self.folder / words, out=out, expect=1).stderr)
        self.assertFalse(out.exists())

    def test_status(self):
        run = self.run_folder("run", "--shard", "1/3")
        done = len(self.records(run))
        self.assertEqual(self.batch("status", run).stdout,
                         f"{done} unit{'s' * (done > 1)} finished; {5 - done} not done yet; 0 in work on this host\n")
        self.assertEqual(json.loads(self.batch("status", "--js", run).stdout),
                         {"rows": 5, "invalid": 0, "units": 5, "finished": done, "permanent": 0, "transient": 0, "in_work": 0,
                          "failures": []})
        self.longer_manifest(held=True)
        with self.halfway(self.folder / "longer"):
            self.assertIn("; 1 in work on this host", self.batch("status", self.folder / "longer").stdout)
        self.assertIn("is no run folder", self.batch("status", self.folder, expect=1).stderr)

    def test_status_says_what_failed_where_and_why(self):
        for name in ("dis1.y4m", "dis3.y4m"):
            self.write("damaged", "YUV4MPEG2 W64 H48 C420jpeg\nFRAME\n").rename(self.folder / name)
        self.manifest.write_text(self.manifest.read_text() + "ref0.y4m,missing.y4m,,\n")
        run = self.run_folder("run", "--skip-invalid", expect=65)
        host = socket.gethostname().partition(".")[0]
        missing = "cannot open {distorted}: No such file or directory"
        damaged = "{distorted} holds no whole frame"
        failures = json.loads(self.batch("status", "--json", run).stdout)["failures"]
        self.assertEqual([(failure["kind"], failure["units"], failure["hosts"]) for failure in failures],
                         [("permanent", 2, [host]), ("invalid", 1, [])])
        self.assertEqual(failures[1]["reason"], missing)
        self.assertTrue(failures[0]["reason"].startswith(damaged), failures)
        state, heading, *reasons = self.batch("status", run).stdout.splitlines()
        self.assertIn("3 units finished; 2 failed, 0 of them may succeed when they are tried again; 1 row left out", state)
        self.assertEqual(heading.split(), ["units", "kind", "hosts", "reason"])
        self.assertEqual([line.split(maxsplit=3)[:3] for line in reasons], [["2", "permanent", host], ["1", "invalid", "-"]])
        self.assertIn(damaged, reasons[0])
        self.assertIn(missing, reasons[1])

    def test_processes_share_a_folder(self):
        count = self.longer_manifest()
        expected = self.results(self.run_folder("one"))
        run = self.folder / "run"
        for process in [self.start(run) for _ in range(3)]:
            self.assertEqual(process.wait(), 0, process.stderr.read())
        self.assertEqual(self.results(run), expected)
        self.assertEqual(len({record["key"] for record in self.records(run)}), count)
        self.assertEqual(len(self.records(run)), count)
        self.assert_clean(run)

    def test_a_killed_process_loses_the_unit_in_work_alone(self):
        count = self.longer_manifest()
        expected = self.results(self.run_folder("one"))
        run = self.folder / "run"
        for n in range(6):
            process = self.start(run)
            while process.poll() is None and len(self.records_so_far(run)) <= 5 * n:
                time.sleep(0.001)
            process.kill()
            process.wait()
        before = self.records_so_far(run)
        self.assertGreater(len(before), 20)
        self.run_folder("run", "--retry-failed") # a unit may have been in work twice when the process was killed
        keys = [record["key"] for record in self.records(run)]
        self.assertEqual((len(keys), len(set(keys))), (count, count))
        self.assertEqual(self.results(run), expected)

    def test_a_signal_stops_cleanly(self):
        self.longer_manifest(held=True)
        run = self.folder / "run"
        with self.halfway(run) as process:
            process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), 130)
        self.assert_clean(run)
        self.assertFalse((run / "results.csv").exists())
        self.run_folder("run")
        self.assertEqual(self.results(run), self.results(self.run_folder("one")))

    def test_damaged_records_are_computed_again(self):
        run = self.run_folder("run")
        expected = self.results(run)
        store, = (run / "stores").glob("*.jsonl")
        lines = store.read_text().splitlines(keepends=True)
        units = [i for i, line in enumerate(lines) if '"unit"' in line]
        lines[units[0]] = lines[units[0]].replace('"frames":6', '"frames":7')
        lines[units[-1]] = lines[units[-1]][:40]
        store.write_text("".join(lines))
        self.run_folder("run")
        self.assertEqual(self.results(run), expected)
        self.assertEqual(len(list((run / "stores").glob("*.jsonl"))), 2)


if __name__ == "__main__":
    BatchTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
