#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Manual pages and completions say what the programs' help says, and their readers accept them.

    reference_test.py ISOVMAF VMAF

Each of groff, bash, zsh and fish is used where it is installed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = {}
ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPLETE = """
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_${COMP_WORDS[0]}
printf '%s\\n' "${COMPREPLY[@]}"
"""


def output(*command, **options):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, text=True,
                          **options).stdout


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for name, program in PROGRAMS.items():
            for kind in ("man", "bash", "zsh", "fish"):
                (cls.folder / f"{name}.{kind}").write_text(output(program, "--generate", kind))

    def complete(self, *words):
        script = self.folder / f"{words[0]}.bash"
        return [reply for reply in output("bash", "-c", COMPLETE, "bash", script, *words, cwd=self.folder).split("\n") if reply]

    def test_all_options_of_the_help_are_there(self):
        for command, name in (([PROGRAMS["vmaf"]], "vmaf"), ([PROGRAMS["isovmaf"], "score"], "isovmaf")):
            options = set(re.findall(r"^ +(?:-\w, ?)?--([a-z][\w-]+)", output(*command, "--help"), re.M)) - {"help"}
            self.assertGreater(len(options), 20)
            for kind, form in (("man", "\\-\\-{}"), ("bash", "--{}"), ("zsh", "--{}"), ("fish", "-l {}")):
                text = (self.folder / f"{name}.{kind}").read_text()
                for option in options:
                    word = form.format(option.replace("-", "\\-") if kind == "man" else option)
                    self.assertRegex(text, re.escape(word) + r"(?![\w-])", f"{name}.{kind}")

    @unittest.skipUnless(shutil.which("groff"), "there is no groff")
    def test_manual_pages_are_read_without_a_warning(self):
        for name in PROGRAMS:
            result = subprocess.run(["groff", "-man", "-Tutf8", "-ww", self.folder / f"{name}.man"], capture_output=True,
                                    text=True, check=False)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            text = re.sub(r"\x1b\[\d*m|.\x08", "", result.stdout)
            self.assertRegex(text, rf"NAME\n +{name} . \w")
            self.assertRegex(text, r"-r, --reference [A-Z]+\n")

    @unittest.skipUnless(shutil.which("groff"), "there is no groff")
    def test_the_manual_page_has_its_sections(self):
        text = re.sub(r"\x1b\[\d*m|.\x08", "", output("groff", "-man", "-Tutf8", self.folder / "isovmaf.man"))
        self.assertRegex(text, r"NAME\n +isovmaf . VMAF and its features")
        headings = [line for line in text.split("\n")[1:] if re.match("[A-Z]", line)]
        self.assertEqual(headings[:3], ["NAME", "SYNOPSIS", "OPTIONS"])
        self.assertIn("ISOVMAF BATCH STATUS", headings)
        self.assertEqual([heading for heading in headings if not heading.startswith("ISOVMAF")][3:],
                         ["EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "NOTES"])
        codes = re.findall(r"exit_\w+ *=\s*(\d+)", (ROOT / "tools/isovmaf/commands.hpp").read_text())
        status = text[text.index("EXIT STATUS"):text.index("ENVIRONMENT")]
        self.assertEqual(set(re.findall(r"^ {7}(\d+) ", status, re.M)), {*codes, "3"})  # 3 is one of diff's verdicts
        examples = re.findall(r"^ {7}(isovmaf .*)", text[text.index("EXAMPLES"):], re.M)
        self.assertGreater(len(examples), 4)
        options = set(re.findall(r"(?<!\S)--?[a-z][\w-]*", " ".join(examples)))
        self.assertEqual(options - set(re.findall(r"(?<![^\s'])--?\w[\w-]*", (self.folder / "isovmaf.bash").read_text())), set())

    def test_bash_completes(self):
        for name in ("clip one.y4m", "other.y4m"):
            (self.folder / name).touch()
        self.assertEqual(self.complete("isovmaf", "sc"), ["score"])
        self.assertEqual(self.complete("isovmaf", "score", "--bit"), ["--bitdepth"])
        self.assertEqual(self.complete("isovmaf", "score", "-p", "42"), ["420", "422"])
        self.assertEqual(self.complete("isovmaf", "score", "-r", "clip"), ["clip one.y4m"])
        self.assertEqual(self.complete("isovmaf", "score", "--threads", ""), [])
        self.assertEqual(self.complete("isovmaf", "probe", "clip"), ["clip one.y4m"])
        self.assertEqual(self.complete("isovmaf", "batch", "st"), ["status"])
        self.assertEqual(self.complete("isovmaf", "batch", "status", "--mi"), ["--missing"])
        self.assertEqual(self.complete("isovmaf", "batch", "export", "--format", "op"), ["openmetrics"])
        self.assertEqual(self.complete("isovmaf", "batch", "--run", "st"), [])
        self.assertEqual(self.complete("isovmaf", "score", "-m", "vmaf_4k"), ["vmaf_4k_v0.6.1", "vmaf_4k_v0.6.1neg"])
        self.assertEqual(self.complete("isovmaf", "diff", "--feature", "ps"), ["psnr", "psnr_hvs"])
        self.assertEqual(self.complete("isovmaf", "bench", "--backend", "cp"), ["cpu", "cpu-ref"])
        self.assertEqual(self.complete("isovmaf", "score", "--cpu", "avx"), ["avx2", "avx512"])
        self.assertEqual(self.complete("vmaf", "--frame_s"), ["--frame_skip_ref", "--frame_skip_dist"])
        self.assertEqual(self.complete("vmaf", "--output", "other"), ["other.y4m"])

    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_fish_completes(self):
        script = self.folder / "isovmaf.fish"
        for line, expected in (("sc", ["score"]), ("batch st", ["status"]), ("batch status --mi", ["--missing"]),
                               ("batch status st", []), ("score -m vmaf_4k", ["vmaf_4k_v0.6.1", "vmaf_4k_v0.6.1neg"]),
                               ("score --feature ps", ["psnr"]), ("bench --backend cp", ["cpu", "cpu-ref"])):
            replies = output("fish", "--no-config", "-c", f"source {script}; complete -C 'isovmaf {line}'", cwd=self.folder,
                             env=os.environ | {"HOME": str(self.folder)})
            self.assertEqual([reply.split("\t")[0] for reply in replies.splitlines()], expected, line)

    def test_the_other_shells_read_their_completions(self):
        for shell in ("zsh", "fish"):
            if shutil.which(shell):
                for name in PROGRAMS:
                    output(shell, "-n", self.folder / f"{name}.{shell}")


if __name__ == "__main__":
    PROGRAMS = dict(zip(("isovmaf", "vmaf"), sys.argv[1:3]))
    unittest.main(argv=sys.argv[:1])
