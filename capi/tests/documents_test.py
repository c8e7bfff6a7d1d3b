#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs the programs and commands of docs/c-api.md and docs/ffmpeg.md, and README's command for FFmpeg, as they stand there.
Two things are not as on a user's machine: `ffmpeg` is a stand-in that opens libvmaf.so.3 as a linked program does, and the
backend is the CPU.

    documents_test.py SOURCE_ROOT LIBRARY CLIENT COMPILER... -- System|Wheel
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import stock_ffmpeg

SOURCE, LIBRARY, CLIENT, COMPILER = pathlib.Path(), pathlib.Path(), "", []
INSTEAD = {"ISOVMAF_BACKEND=cuda ISOVMAF_DEVICE=0": "ISOVMAF_BACKEND=cpu"}
PRELUDE = """
set -eux -o pipefail
ffmpeg() {
    local log
    log=$(sed -n 's/.*log_path=\\([^:]*\\).*/\\1/p' <<< "$6")
    "$CLIENT" libvmaf.so.3 score -d "$2" -r "$4" --json ${log:+-o "$log"}
}
cc() { command $COMPILER "$@"; }
python3() { command "$PYTHON" "$@"; }
"""


def blocks(document, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (SOURCE / "docs" / document).read_text(), re.M | re.S)


def picture(number):
    return b"FRAME\n" + bytes((n * n + number) % 251 for n in range(64 * 48 * 3 // 2))


def is_for_wheel(block):
    return "av.libs" in block


class Documents(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "build" / "capi").mkdir(parents=True)
        (self.folder / "capi").symlink_to(SOURCE / "capi")
        for name in ("libvmaf.so", "libvmaf.so.3", "libvmaf.so.3.2.0"):
            (self.folder / "build" / "capi" / name).symlink_to(LIBRARY)

    def run_commands(self, commands, **environment):
        for theirs, ours in INSTEAD.items():
            commands = commands.replace(theirs, ours)
        result = subprocess.run(["bash", "-c", PRELUDE + commands], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                env={**os.environ, "ISOVMAF_BACKEND": "cpu", "LD_LIBRARY_PATH": "", "CLIENT": CLIENT,
                                     "COMPILER": shlex.join(COMPILER), "PYTHON": stock_ffmpeg.python() or "", **environment})
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout


class System(Documents):
    def test_c_program(self):
        program, = blocks("c-api.md", "c")
        (self.folder / "score.c").write_text(program)
        commands = blocks("c-api.md", "sh")
        self.assertEqual(len(commands), 2)
        printed = self.run_commands("".join(commands))
        self.assertEqual(len(re.findall(r"^\d+\.\d{6}$", printed, re.M)), 2, printed)
        self.assertEqual(printed.count("computes with backend cpu"), 1, "once with a line of ours, and once without")
        self.assertEqual(len(json.loads((self.folder / "report.json").read_text())["frames"]), 2)

    def shown_line(self):
        """The log line in the document, for any version and reason."""
        line = re.search(r"^libvmaf INFO .*$", (SOURCE / "docs" / "ffmpeg.md").read_text(), re.M)[0]
        return re.sub(r"\d+\.\d+\.\d+", r"\\S+", line.partition(": the CPU")[0])

    def test_ffmpeg_of_the_system(self):
        for name, shift in ("ref.mkv", 0), ("dis.mkv", 3):
            (self.folder / name).write_bytes(b"YUV4MPEG2 W64 H48 F25:1 C420jpeg\n" + picture(shift) + picture(shift + 1))
        commands = [block for block in blocks("ffmpeg.md", "sh") if not is_for_wheel(block)]
        self.assertEqual(len(commands), 3)
        commands += [block for block in blocks("../README.md", "sh") if "ffmpeg" in block]
        self.assertEqual(len(commands), 4)
        printed = self.run_commands("".join(commands), ISOVMAF_LOG="info")
        self.assertRegex(printed, self.shown_line())
        self.assertIn("backend nothing was not found", printed)
        self.assertEqual(len(json.loads((self.folder / "log.json").read_text())["frames"]), 2)
        self.assertTrue((self.folder / "log.xml").exists())


class Wheel(Documents):
    def test_program_with_a_libvmaf_of_its_own(self):
        for side in ("ref", "dis"):
            shutil.copyfile(SOURCE / "testdata" / "clips" / f"landscape_576x324_10b_{side}.mkv", self.folder / f"{side}.mkv")
        wheel = self.folder / "wheel"
        stock_ffmpeg.with_library(stock_ffmpeg.libvmaf_of(stock_ffmpeg.wheel()), wheel)
        program, = blocks("ffmpeg.md", "python")
        (self.folder / "score.py").write_text(program)
        commands, = filter(is_for_wheel, blocks("ffmpeg.md", "sh"))
        printed = self.run_commands(commands + "python3 score.py\n", PYTHONPATH=str(wheel), ISOVMAF_LOG="info")
        self.assertIn("computes with backend", printed)
        self.assertEqual(len(json.loads((self.folder / "log.json").read_text())["frames"]), 10)


if __name__ == "__main__":
    split = sys.argv.index("--")
    SOURCE, LIBRARY, CLIENT = (pathlib.Path(os.path.abspath(argument)) for argument in sys.argv[1:4])
    COMPILER = sys.argv[4:split]
    del sys.argv[1:split + 1]
    if "Wheel" in sys.argv and stock_ffmpeg.why_not():
        print(stock_ffmpeg.why_not())
        sys.exit(77)
    unittest.main()
