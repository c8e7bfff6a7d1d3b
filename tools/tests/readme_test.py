#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs the commands of README.md and docs/score.md as they stand there, on small videos, and compares their lists and
the table of docs/sizes.md with the programs'.

    readme_test.py SOURCE_ROOT ISOVMAF VMAF
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

README = (pathlib.Path(sys.argv[1]) / "README.md").read_text()
SCORE = (pathlib.Path(sys.argv[1]) / "docs" / "score.md").read_text()
SIZES = (pathlib.Path(sys.argv[1]) / "docs" / "sizes.md").read_text()
MODELS = pathlib.Path(sys.argv[1]) / "core" / "model" / "builtin"
PROGRAMS = dict(zip(("isovmaf", "vmaf"), map(os.path.abspath, sys.argv[2:4])))
SMALLER = {"1920x1080": "64x48", "-w 1920 -h 1080": "-w 64 -h 48"}  # what the pages call a video, and what the test has
SAMPLES = 64 * 48 * 3 // 2
# What a user has beside the programs. jq takes a filter and reads JSON.
PRELUDE = """
isovmaf() { "$ISOVMAF" "$@"; }
vmaf() { "$VMAF" "$@"; }
decoder() { cat dis.y4m; }
jq() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1][1:]])' "$1"; }
set -o pipefail
"""


def commands():
    for block in re.findall(r"^```sh\n(.*?)^```$", README + SCORE, re.M | re.S):
        for line in block.splitlines():
            command = line.partition("  #")[0].strip()
            if re.search(r"(^|\| )(isovmaf score|isovmaf backends|vmaf) ?", command) and "hip" not in command:
                yield command


def y4m(width, height, chroma="420jpeg", sample_bytes=1):
    frame = b"FRAME\n" + bytes(n * n % 3 for n in range(width * height * 3 // 2 * sample_bytes))
    return f"YUV4MPEG2 W{width} H{height} F24:1 C{chroma}\n".encode() + 2 * frame


class Readme(unittest.TestCase):
    def run_command(self, command, folder):
        for text, smaller in SMALLER.items():
            command = command.replace(text, smaller)
        environment = {**os.environ, **{name.upper(): path for name, path in PROGRAMS.items()}}
        return subprocess.run(["bash", "-c", PRELUDE + command], cwd=folder, env=environment, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, check=False)

    def test_commands_work_as_they_stand_there(self):
        small = y4m(216, 160)  # which VMAF v1 takes
        files = {"ref.y4m": small, "dis.y4m": small, "ref.mkv": small, "dis.mkv": small, "1080p.mkv": small,
                 "720p.mkv": y4m(48, 36), "ref.yuv": bytes(SAMPLES * 4), "dis.yuv": bytes(SAMPLES * 4),
                 "dis.mp4": y4m(64, 48, "420p10", 2), "my_model.json": (MODELS / "vmaf_v0.6.1.json").read_bytes()}
        found = list(commands())
        self.assertGreaterEqual(len(found), 20)
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                (pathlib.Path(folder) / name).write_bytes(content)
            self.run_command("isovmaf score ref.mkv dis.mkv -q -o base.json", folder)
            for command in found:
                with self.subTest(command):
                    result = self.run_command(command, folder)
                    said = re.sub(r"^isovmaf: (\S+: )?--(fit|offset auto): .*\n", "", result.stderr, flags=re.M)
                    self.assertEqual((result.returncode, said), (0, ""))
                    if " -o " in command:
                        name = command.split(" -o ")[1].split()[0].strip("'")
                        for stem in ("dis", "720p") if "{stem}" in name else ("",):
                            report = pathlib.Path(folder) / name.replace("{stem}", stem)
                            self.assertEqual(len(json.loads(report.read_text())["frames"]), 2)
                            report.unlink()
                    else:
                        self.assertTrue(result.stdout)

    def test_what_reports_hold(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("ref.y4m", "dis.y4m"):
                (pathlib.Path(folder) / name).write_bytes(y4m(64, 48))

            def score(options):
                return json.loads(self.run_command(f"isovmaf score -r ref.y4m -d dis.y4m --json {options}", folder).stdout)

            plain, timed = score(""), score("--timing --compat libvmaf-3.0")
        for key in ("semantics", "backend", "device", "options", "precision"):
            self.assertIn(key, plain["isovmaf"])
        self.assertEqual(plain["isovmaf"]["semantics"], "libvmaf 3.2.0, plain C path")
        self.assertEqual(timed["isovmaf"]["semantics"], "libvmaf 3.0.0, plain C path")
        self.assertEqual(plain["fps"], 0)
        self.assertGreater(timed["fps"], 0)
        self.assertIn("integer_motion3", plain["pooled_metrics"])
        self.assertNotIn("integer_motion3", timed["pooled_metrics"])

    def test_models_features_and_options_are_those_of_the_programs(self):
        wide = os.environ | {"COLUMNS": "1000"}
        score_help, vmaf_help = (subprocess.run(command, capture_output=True, text=True, check=True, env=wide).stdout for command in (
            [PROGRAMS["isovmaf"], "score", "--help"], [PROGRAMS["vmaf"], "--help"]))
        listed = re.search(r"Built-in models: (.*?)\.\n", SCORE, re.S)[1]
        features, _, models = score_help.partition("Features:\n")[2].partition("Models built in")
        self.assertEqual(sorted(re.findall(r"`(\S+)`", listed)), sorted(re.findall(r"^  (\S+)", models, re.M)))
        self.assertEqual(set(re.findall(r"`(\w+)`", re.search(r"\nFeatures: (.*?), with", SCORE, re.S)[1])),
                         set(re.findall(r"^  (\w+) ", features, re.M)))
        places = {"the CPU": ["yes", "no", "no", "no"], "the CPU and on GPUs": ["yes"] * 4}
        self.assertEqual(
            {name: cells.split(" | ") for name, cells in re.findall(r"^\| `(\w+)` \| ([^`\n]*) \|$", README, re.M)},
            {name: places[text] for name, text in re.findall(r"^  (\w+) .*\n +reads .*\n +runs on (.*)", features, re.M)})
        rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", SIZES, re.M))
        self.assertEqual(rows, dict(re.findall(r"^  (\w+) .*\n +(reads .*)", features, re.M)))
        options = set(re.findall(r"--(\w+)", vmaf_help.split("\n\n")[1])) - {"version"}
        self.assertGreaterEqual(len(options), 20)
        self.assertEqual({option for option in options if f"--{option}" not in score_help}, set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
