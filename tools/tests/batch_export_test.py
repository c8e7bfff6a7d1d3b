#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What comes out of a run folder: reports for each pair, metrics for Prometheus, Parquet.

    batch_export_test.py ISOVMAF FOLDER_OF_results_to_parquet.py
"""

import importlib.util
import json
import math
import os
import re
import subprocess
import sys
import unittest

from batch_runs import FORMULAS, BatchTest

# A line of OpenMetrics: a metric's name, labels with escaped values, a number.
SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? (\S+)')
LABEL = re.compile(r'([a-z_]+)="((?:[^"\\\n]|\\[\\n"])*)"')
HAS_PYARROW = importlib.util.find_spec("pyarrow") is not None


class Reports(BatchTest):
    def export(self, run, form, *options, expect=0):
        return self.batch("export", run, "--format", form, *options, expect=expect)

    def score(self, row, form, *options):
        out = self.folder / f"single.{form}"
        subprocess.run([self.ISOVMAF, "score", "-r", self.folder / row["reference"], "-d", self.folder / row["distorted"],
                        f"--{form}", "-o", out, "-q", "--force", "--backend", "cpu", *options], check=True,
                       stdin=subprocess.DEVNULL, capture_output=True)
        return out.read_text()

    def comparable(self, text, form):
        """A report without what depends on the machine, in JSON."""
        if form != "json":
            return text
        text, count = re.subn(r'(?s)("semantics": [^\n]*\n).*?(\n    "reference": )', r"\1\2", text, count=1)
        self.assertEqual(count, 1)
        return text

    def test_reports_are_those_of_score(self):
        run = self.run_folder("run", "--feature", "psnr", "--segment-frames", "5", "--subsample", "2")
        for form in ("json", "xml", "csv", "sub"):
            self.assertIn("5 reports in", self.export(run, form).stdout)
            for row in self.rows(run):
                name = f"{int(row['line']):06}-{row['distorted'].removesuffix('.y4m')}.{form}"
                exported = (run / "reports" / name).read_text()
                expected = self.score(row, form, "--feature", "psnr", "--subsample", "2")
                self.assertEqual(self.comparable(exported, form), self.comparable(expected, form), name)
        self.assertEqual(len(list((run / "reports").iterdir())), 20)
        self.export(run, "csv", "--precision", "max", "--out", self.folder / "exact")
        row = self.rows(run)[2]
        self.assertEqual((self.folder / "exact" / "000004-dis2.csv").read_text(),
                         self.score(row, "csv", "--feature", "psnr", "--subsample", "2", "--precision", "max"))

    def test_videos_paired_by_time_are_paired_again(self):
        content = (self.folder / "dis2.y4m").read_bytes()
        (self.folder / "fast.y4m").write_bytes(content.replace(b"F25:1", b"F50:1", 1))
        self.manifest.write_text("reference,distorted,sync\nref2.y4m,fast.y4m,pts\n")
        run = self.run_folder("run")
        self.export(run, "json")
        exported = (run / "reports" / "000002-fast.json").read_text()
        expected = self.score(self.rows(run)[0], "json", "--sync", "pts")
        self.assertGreater(len(json.loads(exported)["isovmaf"]["sync"]["repeated_frames"]), 2)
        self.assertEqual(self.comparable(exported, "json"), self.comparable(expected, "json"))

    def test_rows_without_scores_are_named(self):
        self.manifest.write_text(self.manifest.read_text() + "ref0.y4m,missing.y4m,,\n")
        run = self.run_folder("run", "--skip-invalid", expect=65)
        (self.folder / "dis1.y4m").rename(self.folder / "away.y4m")
        content = (self.folder / "dis3.y4m").read_bytes()
        (self.folder / "dis3.y4m").unlink()
        (self.folder / "dis3.y4m").write_bytes(content[:-1] + b"\0")
        result = self.export(run, "sub", expect=75)
        self.assertIn("3 reports in", result.stdout)
        for line, words in zip(result.stderr.splitlines(),
                               ("line 3: dis1.y4m has no report: cannot open", "line 5: dis3.y4m has no report: its files have changed",
                                "line 7: missing.y4m has no report: cannot open missing.y4m"), strict=True):
            self.assertIn(words, line)

    def test_sampled_keys_and_names_of_files(self):
        """Names that are hard on shells, and two rows with one distorted file."""
        (self.folder / "dis0.y4m").rename(self.folder / "a b;$x\u00e4.y4m")
        self.manifest.write_text("reference,distorted,frame_cnt\nref0.y4m,a b;$x\u00e4.y4m,2\nref0.y4m,a b;$x\u00e4.y4m,3\n")
        run = self.run_folder("run", "--fast-keys")
        self.export(run, "csv")
        self.assertEqual([path.name for path in sorted((run / "reports").iterdir())],
                         ["000002-a_b__x__.csv", "000003-a_b__x__.csv"])

    def test_a_video_is_never_replaced(self):
        out = self.folder / "run" / "reports"
        out.mkdir(parents=True)
        os.link(self.folder / "dis0.y4m", out / "000002-dis0.csv")
        self.run_folder("other") # a run folder has to be new
        (self.folder / "other" / "reports").symlink_to(out)
        run = self.folder / "other"
        self.assertIn("it is the same file as the input", self.export(run, "csv", expect=75).stderr)
        self.assertIn("is no run folder", self.export(self.folder, "csv", expect=1).stderr)


class Metrics(BatchTest):
    def metrics(self, run):
        """{(name, labels): number}, of a file that is checked line by line."""
        self.batch("export", run, "--format", "openmetrics")
        *lines, end = (run / "metrics.prom").read_text().split("\n")[:-1]
        self.assertEqual(end, "# EOF")
        samples, family = {}, ""
        for line in lines:
            if line.startswith("# TYPE"):
                family = line.split()[2]
            if line.startswith("#"):
                self.assertRegex(line, f"# (TYPE {family} gauge|UNIT {family} seconds|HELP {family} .+[.])")
                continue
            name, labels, number = SAMPLE.fullmatch(line).groups()
            self.assertEqual(name, family)
            key = (name, tuple(LABEL.findall(labels or "")))
            self.assertNotIn(key, samples)
            samples[key] = float(number)
        return samples

    def test_a_run_that_goes_on_and_its_end(self):
        self.manifest.write_text(self.manifest.read_text() + "ref0.y4m,missing.y4m,,\nref0.y4m,dis3.y4m,,\n")
        for i in range(2):
            run = self.run_folder("run", "--shard", f"{i}/2", "--skip-invalid", "--feature", "psnr")
            metrics = self.metrics(run)
            done = len(self.records(run))
            states = {state: metrics["isovmaf_batch_units", (("state", state),)]
                      for state in ("finished", "permanent", "transient", "missing")}
            self.assertEqual(states, {"finished": done, "permanent": 0, "transient": 0, "missing": 6 - done})
            self.assertEqual(metrics["isovmaf_batch_rows_invalid", ()], 1)
        self.assertEqual(done, 6)
        self.batch("merge", run, expect=65)
        self.assertEqual(metrics["isovmaf_batch_frames", ()], 6 + 1 + 12 + 3 + 6 + 3)
        seconds = sum(record["seconds"] for record in self.records(run))
        self.assertAlmostEqual(metrics["isovmaf_batch_work_seconds", ()], seconds)
        stages = sum(value for (name, _), value in metrics.items() if name == "isovmaf_batch_stage_seconds")
        self.assertTrue(0 < stages < 2 * seconds, (stages, seconds))
        for row in self.rows(run):
            labels = tuple((name, row[name].replace('"', '\\"')) for name in ("line", "reference", "distorted", "label"))
            for score in ("vmaf", "psnr_y"):
                for statistic in ("mean", "harmonic_mean", "min"):
                    value = metrics["isovmaf_batch_score", (*labels, ("score", score), ("statistic", statistic))]
                    self.assertEqual(value, float(row[f"{score}_{statistic}"]))
        self.assertEqual({labels: value for (name, labels), value in metrics.items() if name == "isovmaf_batch_warnings"},
                         {(("line", line), ("reference", f"{pair[0]}.y4m"), ("distorted", f"{pair[1]}.y4m"), ("label", label),
                           ("kind", kind)): 1
                          for line, pair, label, kind in (("4", ("ref2", "dis2"), 'row \\"2\\"', "alignment"),
                                                          ("8", ("ref0", "dis3"), "", "lengths"))})
        self.assertEqual([path.name for path in run.iterdir() if path.name.endswith(".part")], [])


class Timings(BatchTest):
    def test_slow_pairs_come_first(self):
        run = self.run_folder("run", "--segment-frames", 5)
        rows = self.rows(run, "timings.csv")
        rates = [float(row["frames_per_second"]) for row in rows]
        self.assertEqual(rates, sorted(rates))
        self.assertEqual(sorted(int(row["frames"]) for row in rows), [1, 3, 6, 6, 12])
        self.assertAlmostEqual(sum(float(row["seconds"]) for row in rows),
                               sum(record["seconds"] for record in self.records(run)), delta=0.003)


class Parquet(BatchTest):
    SCRIPT = ""

    def convert(self, run, expect=0, **environment):
        result = subprocess.run([sys.executable, self.SCRIPT, run], capture_output=True, text=True, check=False,
                                env=os.environ | environment)
        self.assertEqual(result.returncode, expect, result.stderr)
        return result

    @unittest.skipUnless(HAS_PYARROW, "the Python package pyarrow is not installed")
    def test_columns_have_types(self):
        from pyarrow import parquet
        self.write("bad.y4m", "no video\n")
        self.manifest.write_text("reference,distorted,label,bit_rate,feature\nref0.y4m,dis0.y4m,a,100,psnr\n"
                                 "ref1.y4m,dis1.y4m,b,,\nref2.y4m,dis2.y4m,,30.5,\nref3.y4m,dis3.y4m,d,100,vif\n"
                                 "ref0.y4m,dis4.y4m,e,100,psnr:enable_apsnr=true\nref0.y4m,bad.y4m,,,\n")
        run = self.run_folder("run", expect=65)
        first, _, rest = (run / "results.jsonl").read_text().partition("\n")
        lowest = json.dumps(json.loads(first)["scores"]["vmaf"]["min"])
        (run / "results.jsonl").write_text(first.replace(f'"min": {lowest}', '"min": null') + "\n" + rest)
        (run / "results.csv").write_text((run / "results.csv").read_text().replace(lowest, "-inf", 1))
        self.assertIn("5 rows", self.convert(run).stdout)
        self.assertEqual(parquet.read_table(run / "results.parquet")["vmaf_min"][0].as_py(), -math.inf)
        table = parquet.read_table(run / "results.parquet")
        types = {field.name: str(field.type) for field in table.schema}
        self.assertEqual([types[name] for name in ("line", "reference", "label", "bit_rate", "models", "options", "warnings",
                                                      "frames", "vmaf_mean", "psnr_y_min")],
                         ["int64", "string", "string", "double", "string", "string", "string", "int64", "double", "double"])
        for row, expected in zip(table.to_pylist(), self.rows(run), strict=True):
            for name, text in expected.items():
                value = row[name]
                self.assertEqual("" if value is None else value, type(value)(text) if value is not None else text, name)
        first = json.loads((run / "results.jsonl").read_text().splitlines()[0])
        self.assertEqual(table["vmaf_percentile_5"][0].as_py(), first["scores"]["vmaf"]["percentile_5"])
        failure, = parquet.read_table(run / "failures.parquet").to_pylist()
        self.assertEqual((failure["line"], failure["kind"]), (7, "permanent"))

    @unittest.skipUnless(HAS_PYARROW, "the Python package pyarrow is not installed")
    def test_text_is_that_of_the_manifest(self):
        from pyarrow import parquet
        manifest = self.write("formulas.jsonl", "".join(
            json.dumps({"reference": "ref0.y4m", "distorted": "dis0.y4m", "label": label, "frame_cnt": n}) + "\n"
            for n, label in enumerate(FORMULAS, 1)))
        run = self.run_folder("run", "-n", "--feature", "psnr", manifest=manifest)
        self.convert(run)
        self.assertEqual(parquet.read_table(run / "results.parquet")["label"].to_pylist(), list(FORMULAS))

    def test_a_missing_package_and_a_folder_without_results_are_named(self):
        """A module of that name that cannot be imported stands for a package that is not there."""
        self.write("pyarrow.py", "raise ModuleNotFoundError('no pyarrow', name='pyarrow')\n")
        result = self.convert(self.folder, expect=1, PYTHONPATH=str(self.folder))
        self.assertIn("pip install pyarrow", result.stderr)
        if HAS_PYARROW:
            self.assertIn("results.csv", self.convert(self.folder / "none", expect=1).stderr)


if __name__ == "__main__":
    BatchTest.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    Parquet.SCRIPT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
