#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What the program says of wrong command lines: one sentence each, which names the mistake and what to do. And its help.

    usage_test.py ISOVMAF
"""

import fcntl
import os
import re
import shlex
import struct
import subprocess
import sys
import termios
import unittest

from terminal import open_terminal, read_terminal

ISOVMAF = ""

BOTH = "give both, or leave {} out"
ONE = "leave one of them out"
SENTENCES = (
    # commands and names
    ("", "there is no command; isovmaf --help lists them"),
    ("scroe", "there is no command scroe: did you mean score?; isovmaf --help lists all"),
    ("--nothing", "isovmaf has no option --nothing; isovmaf --help lists all"),
    ("-x", "isovmaf has no option -x; isovmaf --help lists all"),
    ("batch staus f", "isovmaf batch takes one argument: did you mean isovmaf batch status?; see isovmaf batch --help"),
    ("score -r a -d b -Z", "isovmaf score has no option -Z; isovmaf score --help lists all"),
    ("score -r a -d b -qZ", "isovmaf score has no option -Z; isovmaf score --help lists all"),
    ("score -r a -d b --jsno", "isovmaf score has no option --jsno: did you mean --json?; isovmaf score --help lists all"),
    ("score --colourfulness", "isovmaf score has no option --colourfulness; isovmaf score --help lists all"),
    ("score -r a -d b --frame_skip 3",
     "--frame_skip is short for several options: --frame_skip_ref, --frame_skip_dis, --frame_skip_dist"),
    ("probe --jsn x", "isovmaf probe has no option --jsn: did you mean --json?; isovmaf probe --help lists all"),
    # what is missing, and what is too much
    ("help scroe", "there is no command scroe: did you mean score?; isovmaf --help lists all"),
    ("score", "isovmaf score needs two videos: isovmaf score REF DIS; see isovmaf score --help"),
    ("score a", "isovmaf score needs two videos, and got one: isovmaf score REF DIS; see isovmaf score --help"),
    ("score -r a", "isovmaf score needs -d DIS too; see isovmaf score --help"),
    ("score -d b", "isovmaf score needs -r REF too; see isovmaf score --help"),
    ("score -q --feature psnr " + 2 * (shlex.quote(__file__) + " "),
     "--feature took a video as its value: put the videos in front of --feature, or use -r and -d"),
    ("score -r", "-r needs a value behind it: -r FILE; see isovmaf score --help"),
    ("score -h", "-h needs a value behind it: -h INT; see isovmaf score --help"),
    ("score -r a -d b -qo", "-o needs a value behind it: -o FILE; see isovmaf score --help"),
    ("score -r a -d b --threads", "--threads needs a value behind it: --threads INT; see isovmaf score --help"),
    ("score -r a -d b --threads=", "--threads has no value after the ="),
    ("score -r a -d b --json=", "--json has no value after the ="),
    ("score -r a extra -d b", '"extra" is one video too many beside those of -r and -d: leave it out'),
    ("score -r a -d b -o x.json -o y.json", "--output is given 2 times, but takes one value: leave the others out"),
    ("score -r a -r c -r e -d b", "--reference is given 3 times, but takes one value: leave the others out"),
    ("batch", "isovmaf batch needs --run FOLDER, the folder that keeps its work; see isovmaf batch --help"),
    ("batch m.csv", "isovmaf batch needs --run FOLDER, the folder that keeps its work; see isovmaf batch --help"),
    ("batch m.csv n.csv --run f", 'isovmaf batch has no use for the argument "n.csv"; see isovmaf batch --help'),
    ("batch --dry-run", "--dry-run needs a MANIFEST, whose rows it checks; see isovmaf batch --help"),
    ("batch prepare m.csv",
     "isovmaf batch prepare needs a MANIFEST and --run FOLDER, the folder that it makes; see isovmaf batch prepare --help"),
    ("batch merge", "isovmaf batch merge needs FOLDER; see isovmaf batch merge --help"),
    ("batch status", "isovmaf batch status needs FOLDER; see isovmaf batch status --help"),
    ("batch status a b", 'isovmaf batch status has no use for the argument "b"; see isovmaf batch status --help'),
    ("batch export f", "isovmaf batch export needs --format FORMAT; see isovmaf batch export --help"),
    ("rescore", "isovmaf rescore needs FOLDER; see isovmaf rescore --help"),
    ("diff extra", 'isovmaf diff has no use for the argument "extra"; see isovmaf diff --help'),
    ("backends extra", 'isovmaf backends has no use for the argument "extra"; see isovmaf backends --help'),
    ("bench --backend", "--backend needs a value behind it: --backend BACKEND; see isovmaf bench --help"),
    ("probe", "isovmaf probe needs FILE; see isovmaf probe --help"),
    # options that do not go together
    ("batch --run f --match x m.csv", "--match has a meaning only with --reference RULE: " + BOTH.format("--match")),
    ("batch --run f --rate 3 m.csv", "--rate has a meaning only with --dry-run: " + BOTH.format("--rate")),
    ("batch --run f --bind device m.csv", "--bind has a meaning only with --devices LIST: " + BOTH.format("--bind")),
    ("batch --run f --stage-bytes 1GB m.csv",
     "--stage-bytes has a meaning only with --stage FOLDER: " + BOTH.format("--stage-bytes")),
    ("batch prepare m.csv --run f --at-once 3", "--at-once has a meaning only with --shards N: " + BOTH.format("--at-once")),
    ("batch --run f --take-over --shard 1/2 m.csv", "--shard and --take-over exclude each other: " + ONE),
    ("batch --run f -q --progress json m.csv", "--progress and --quiet exclude each other: " + ONE),
    ("batch --run f --devices cpu --backend cpu m.csv", "--backend and --devices exclude each other: " + ONE),
    ("batch status a --json --missing", "--json and --missing exclude each other: " + ONE),
    # values
    ("score -r a -d b --threads many", '--threads takes a whole number from 0 to 1024, not "many"'),
    ("score -r a -d b --threads ''", '--threads takes a whole number from 0 to 1024, not ""'),
    ("score -r a -d b --threads -1", '--threads takes a whole number from 0 to 1024, not "-1"'),
    ("score -r a -d b --threads 99999999999999999999",
     '--threads takes a whole number from 0 to 1024, not "99999999999999999999"'),
    ("score -r a -d b --threads 0x10", '--threads takes a whole number from 0 to 1024, not "0x10"'),
    ("score -r a -d b --device -1", '--device takes a number, several numbers such as 0,1, or all, not "-1"'),
    ("score -r a -d b --worst 1.5", '--worst takes a whole number from 1 to 2147483647, not "1.5"'),
    ("score -r a -d b -w 0", '--width takes a whole number from 1 to 32768, not "0"'),
    ("score -r a -d b -p 411", '--pixel_format takes one of 400, 420, 422, 444, not "411"'),
    ("score -r a -d b -p yuv420p", '--pixel_format takes one of 400, 420, 422, 444, not "yuv420p" (did you mean 420?)'),
    ("score -r a -d b --precision low", '--precision takes one of legacy, max, hex, not "low"'),
    ("score -r a -d b --json=perhaps", '--json takes true or false, not "perhaps"'),
    ("score -r a -d b --progress=0", '--progress takes a number of seconds from 1 on, or frames, not "0"'),
    ("score -r a -d b --sync never", '--sync takes one of auto, index, pts, pts-absolute, not "never"'),
    ("batch --run f --progress loud m.csv", '--progress takes one of text, json, not "loud"'),
    ("batch --run f --dry-run --rate 0 m.csv", '--rate takes a number above 0, not "0"'),
    ("batch --run f --stage s --stage-bytes 10XB m.csv", '--stage-bytes takes a number of bytes such as 200GB, not "10XB"'),
    ("batch mpi-check --max-count 0", '--max-count takes a whole number from 1 to 134217728, not "0"'),
    ("rescore f --allow-failed x", '--allow-failed takes a whole number from 0 to 2147483647, not "x"'),
    ("diff --depth 8,x", '--depth takes a whole number from 8 to 16, not "x"'),
    ("diff --fuzz 0", '--fuzz takes a number from 0.01 to 10000000, not "0"'),
    ("diff --seed -1", '--seed takes a whole number from 0 to 4294967295, not "-1"'),
    ("bench -b 7", '--bitdepth takes a whole number from 8 to 16, not "7"'),
)


class Usage(unittest.TestCase):
    def test_each_mistake_has_its_sentence(self):
        for line, sentence in SENTENCES:
            with self.subTest(line):
                result = subprocess.run([ISOVMAF, *shlex.split(line)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                        check=False)
                self.assertEqual((result.returncode, result.stdout, result.stderr), (2, "", f"isovmaf: error: {sentence}\n"))


def run(*arguments, **options):
    return subprocess.run([ISOVMAF, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
                          **options).stdout


class Help(unittest.TestCase):
    def test_all_ways_to_ask_give_the_same(self):
        for ways in (("--help", "-h", "help"), ("score --help", "help score"), ("batch status -h", "help batch status")):
            first, *others = [run(*way.split()) for way in ways]
            self.assertIn("Usage: isovmaf", first)
            for other in others:
                self.assertEqual(other, first)
        self.assertIn("Usage: isovmaf batch status [OPTION]... FOLDER\n", run("help", "batch", "status"))

    def test_values_are_named(self):
        for command, form, rule in (("score", "--precision legacy|max|hex", "(default: legacy)"), ("score", "--worst N", "(1 or more)"),
                                    ("score", "--threads INT", "(0 to 1024; default: 0)"),
                                    ("batch", "--rate FPS", "(above 0; with --dry-run)"), ("batch", "-q, --quiet", "(not with --progress)"),
                                    ("score", "--compat libvmaf-3.2|libvmaf-3.0", "(default: libvmaf-3.2)")):
            text = " ".join(run("help", command).split())
            self.assertRegex(text, re.escape(form) + r" [^()]*" + re.escape(rule))

    def test_every_release_is_explained(self):
        for command in ("score", "batch prepare", "diff", "rescore"):
            text = " ".join(run("help", *command.split()).split())
            self.assertIn("Release of libvmaf whose scores are reproduced. libvmaf-3.2: release 3.2.0 on its plain C path; "
                          "libvmaf-3.0: releases 3.0.0 and 3.1.0, where motion blurs each picture, and has no motion3 and "
                          "fewer options (default: libvmaf-3.2)", text)

    def test_lines_are_as_wide_as_the_terminal(self):
        for command in ("", "score", "bench", "batch", "batch prepare", "rescore", "diff", "backends", "probe"):
            words = set()
            for columns in (60, 80, 132):
                text = run("help", *command.split(), env=os.environ | {"COLUMNS": str(columns)})
                self.assertLessEqual(max(map(len, text.splitlines())), columns, command)
                words.add(tuple(text.split()))
            self.assertEqual(len(words), 1)
        here, there = open_terminal(self)
        fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 64, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        subprocess.run([ISOVMAF, "help", "batch", "status"], stdin=subprocess.DEVNULL, stdout=there, check=True,
                       env=environment)
        text = read_terminal(here, there).decode().replace("\r\n", "\n")
        self.assertEqual(text, run("help", "batch", "status", env=environment | {"COLUMNS": "64"}))
        self.assertEqual(run("help", env=environment), run("help", env=environment | {"COLUMNS": "80"}))


if __name__ == "__main__":
    ISOVMAF = sys.argv.pop(1)
    unittest.main()
