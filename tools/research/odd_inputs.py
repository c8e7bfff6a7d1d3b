#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Makes odd inputs with ffmpeg, runs `isovmaf probe` and `isovmaf score` on each, and prints what came out as Markdown.

    tools/research/odd_inputs.py build/tools/isovmaf/isovmaf > docs/research/odd-inputs.md

The exit code is 1 when a run crashes, hangs, or ends otherwise than its case wants: see odd_cases.py. Needs ffmpeg."""

import argparse
import os
import pathlib
import platform
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import time

import odd_cases

TIMEOUT_SECONDS = 60
LEAST_SCORE = 90  # of pictures that are the same, or were coded at a high quality
NOBODY = 65534

REFERENCES = {
    "ref.mkv": "-c:v ffv1",
    "ref444.mkv": "-c:v ffv1 -pix_fmt yuv444p",
    "ref422.mkv": "-c:v ffv1 -pix_fmt yuv422p",
    "ref444p10.mkv": "-c:v ffv1 -pix_fmt yuv444p10",
    "ref422p10.mkv": "-c:v ffv1 -pix_fmt yuv422p10",
    "ref-gray.mkv": "-c:v ffv1 -pix_fmt gray",
    "ref16.mkv": "-c:v ffv1 -pix_fmt yuv420p16",
}


def ffmpeg(arguments, folder, out):
    for part in arguments.split(" && "):
        words = [f"file:{out}" if word == "OUT" else word for word in shlex.split(part)]
        result = subprocess.run(["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", *words], cwd=folder,
                                capture_output=True, check=False)
        if result.returncode != 0:
            raise RuntimeError(f"ffmpeg {part}: {result.stderr.decode()}")


def make(case, folder):
    steps = case.make if isinstance(case.make, tuple) else (case.make,)
    for step in steps:
        if isinstance(step, str):
            ffmpeg(step, folder, case.name)
        elif step:
            step(folder / case.name)


class Run:
    """One run of the program."""

    def __init__(self, words, folder, as_user):
        start = time.monotonic()
        try:
            result = subprocess.run(words, cwd=folder, capture_output=True, check=False, timeout=TIMEOUT_SECONDS,
                                    stdin=subprocess.DEVNULL, user=NOBODY if as_user else None)
            self.code, out, err = result.returncode, result.stdout, result.stderr
        except subprocess.TimeoutExpired as expired:
            self.code, out, err = None, expired.stdout or b"", expired.stderr or b""
        self.seconds = time.monotonic() - start
        self.out, self.err = out.decode(errors="replace"), err.decode(errors="replace")

    def score(self):
        try:
            return float(self.out)
        except ValueError:
            return None


def judge(case, run):
    """What is wrong with a run; empty when it did what its case wants."""
    if run.code is None:
        return f"HANG: more than {TIMEOUT_SECONDS} s"
    if run.code < 0 or run.code > 2:
        return f"CRASH: {run.code}"
    spoken = [line for line in run.err.splitlines() if "warning:" in line or "hint:" in line]
    if case.wants == odd_cases.REFUSED:
        if run.code == 0:
            return f"not refused: {run.out.strip()}"
        return "" if (case.told or case.name) in run.err else "does not say which file"
    if run.code != 0:
        return "refused"
    if case.wants == odd_cases.WARNED:
        return "" if spoken else f"no warning: {run.out.strip()}"
    score = run.score()
    return "" if score is not None and (score >= LEAST_SCORE or case.alone) else f"score {run.out.strip()}"


def run_case(program, case, folder):
    make(case, folder)
    name = case.name
    words = [program, "score", "-q", "-r", name if case.alone else case.reference, "-d", name, *case.options.split()]
    probed = Run([program, "probe", "--", name], folder, case.as_user)
    return probed, Run(words, folder, case.as_user)


def cell(text, folder):
    """Text for a table."""
    text = text.strip().replace(str(folder), "").replace("isovmaf: ", "")
    text = re.sub(r"n{200,}", "nnn...nnn", text)
    text = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text.replace("\n", " / "))
    return text.replace("|", "\\|").replace("<", "&lt;").replace("_", "\\_").replace("*", "\\*")


def row(case, probed, run, wrong, folder):
    said = " ".join(filter(None, [f"score {run.score():.2f}." if run.score() is not None else "", run.err]))
    listed = "; ".join(line.strip() for line in probed.out.splitlines()[1:]) or probed.err or probed.out
    what = case.what + (f" (`{case.options}`)" if case.options else "")
    code = "-" if run.code is None else run.code
    return f"| {cell(what, folder)} | {probed.code}: {cell(listed, folder)} | {code} | {cell(said, folder)} " \
           f"|{' **' + wrong + '** |' if wrong else ''}"


def silent_server():
    """A server that takes connections and says nothing; its port."""
    server = socket.create_server(("127.0.0.1", 0))
    return server, server.getsockname()[1]


def machine():
    version = subprocess.run(["ffmpeg", "-version"], capture_output=True, check=True).stdout.decode().split()[2]
    return f"{platform.machine()}, {os.cpu_count()} cores, {platform.freedesktop_os_release()['PRETTY_NAME']}, ffmpeg {version}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", default="", help="run only cases whose description or file name contains this")
    arguments = parser.parse_args()
    program = str(arguments.program.resolve())
    failures, cases = 0, 0
    server, port = silent_server()
    with server, tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        folder.chmod(0o755)
        ffmpeg("-f lavfi -i testsrc2=s=320x180:r=25:d=1 -pix_fmt yuv420p ref.y4m", folder, "")
        for name, how in REFERENCES.items():
            ffmpeg(f"-i ref.y4m {how} {name}", folder, "")
        print(odd_cases.HEAD.format(machine=machine()))
        for group, entries in odd_cases.GROUPS.items():
            chosen = [case for case in entries if arguments.only in case.what or arguments.only in case.name]
            if not chosen:
                continue
            print(f"\n## {group}\n| input | `probe` | exit | `score` |\n|---|---|---|---|")
            for case in chosen:
                case.name = case.name.replace("SILENT", str(port))
                probed, run = run_case(program, case, folder)
                wrong = judge(case, run)
                cases += 1
                failures += bool(wrong)
                print(row(case, probed, run, wrong, folder).replace(str(port), "PORT"), flush=True)
    print(f"{cases} cases, {failures} not as wanted", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
