#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Makes odd inputs with ffmpeg, runs `isovmaf probe` and `isovmaf score` on each, and prints what came out as Markdown.

    tools/research/odd_inputs.py build/tools/isovmaf/isovmaf > docs/research/odd-inputs.md
    tools/research/odd_inputs.py --check build/tools/isovmaf/isovmaf

The exit code is 1 when a run crashes, hangs, or ends otherwise than its case wants: see odd_cases.py. With --check only
such runs are printed, and the exit code is 77 where ffmpeg is missing. With --client (capi/tests/client) every score has
to be that of libvmaf 3.2.0: see odd_original.py."""

import argparse
import collections
import concurrent.futures
import contextlib
import dataclasses
import itertools
import os
import pathlib
import platform
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

import odd_cases
import odd_original

TIMEOUT_SECONDS = 600
LEAST_SCORE = 90  # of pictures that are the same, or were coded at a high quality
NOBODY = 65534
SKIPPED = 77
TOGETHER = 10  # files that one run of ffmpeg makes
NO_ENCODER = re.compile(r"Unknown encoder|Encoder not found|Automatic encoder selection failed")

REFERENCES = {
    "ref.mkv": "-c:v ffv1",
    "ref444.mkv": "-c:v ffv1 -pix_fmt yuv444p",
    "ref422.mkv": "-c:v ffv1 -pix_fmt yuv422p",
    "ref444p10.mkv": "-c:v ffv1 -pix_fmt yuv444p10",
    "ref422p10.mkv": "-c:v ffv1 -pix_fmt yuv422p10",
    "ref-gray.mkv": "-c:v ffv1 -pix_fmt gray",
    "ref16.mkv": "-c:v ffv1 -pix_fmt yuv420p16",
}


class Skip(Exception):
    """This machine lacks what a case needs."""


def run_ffmpeg(words, folder):
    return subprocess.run(["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", *words], cwd=folder,
                          capture_output=True, check=False)


def ffmpeg(arguments, folder, out=""):
    result = run_ffmpeg([f"file:{out}" if word == "OUT" else word for word in shlex.split(arguments)], folder)
    if missing := NO_ENCODER.search(result.stderr.decode()):
        raise Skip(f"ffmpeg {arguments}: {missing[0]}")
    if result.returncode != 0:
        raise RuntimeError(f"ffmpeg {arguments}: {result.stderr.decode()}")


def make_references(folder):
    ffmpeg("-f lavfi -i testsrc2=s=320x180:r=25:d=1 -pix_fmt yuv420p ref.y4m", folder)
    ffmpeg(" ".join(["-i ref.y4m", *(f"{how} {name}" for name, how in REFERENCES.items())]), folder)


def first_step(case):
    """The first thing that a recipe does, if it makes one file of the reference; what Kitchen knows it by."""
    step = case.make[0] if isinstance(case.make, tuple) else case.make
    arguments = step.split(" && ")[0] if isinstance(step, str) else ""
    words = shlex.split(arguments)
    makes_one = words[:2] == ["-i", "ref.y4m"] and words.count("-i") == 1 and "%" not in case.name
    return (pathlib.Path(case.name).suffix, arguments) if makes_one else None


class Kitchen:
    """Makes the files of cases, with few runs of ffmpeg, which takes longest to start. What several recipes begin with is
    made once."""

    def __init__(self, folder):
        self.folder = folder
        self.folder.mkdir()
        self.lock, self.locks, self.made = threading.Lock(), collections.defaultdict(threading.Lock), {}
        self.numbers = itertools.count()  # of files

    def prepare(self, recipes):
        """Does several first steps in one run. Where it fails, each is done in its turn, and fails again."""
        words, made = ["-i", "ref.y4m"], {}
        for suffix, arguments in recipes:
            *options, last = shlex.split(arguments)[2:]
            file = self.folder / f"{next(self.numbers)}{suffix if last == 'OUT' else pathlib.Path(last).suffix}"
            words += [*options, f"file:{file}"]
            made[suffix, arguments] = file
        if run_ffmpeg(words, self.folder.parent).returncode == 0:
            self.made |= {recipe: file for recipe, file in made.items() if file.exists()}

    def make(self, case, folder):
        recipe = [pathlib.Path(case.name).suffix]  # what has been done, for a file with this suffix
        for step in case.make if isinstance(case.make, tuple) else (case.make,):
            if isinstance(step, str):
                for arguments in step.split(" && "):
                    recipe.append(arguments)
                    self.run(tuple(recipe), folder, case.name)
            elif step:
                recipe.append(step)
                step(folder / case.name)

    def run(self, recipe, folder, out):
        """Does the last of the things that have been done."""
        with self.lock:
            lock = self.locks[recipe]
        with lock:
            last = shlex.split(recipe[-1])[-1]
            made, file = self.made.get(recipe), folder / (out if last == "OUT" else last)
            if made:
                shutil.copyfile(made, file)
                return
            ffmpeg(recipe[-1], folder, out)
            if file.exists():  # else there is a pattern of names
                self.made[recipe] = shutil.copyfile(file, self.folder / str(next(self.numbers)))


@contextlib.contextmanager
def feeding(pipe, source):
    """Writes a file to a FIFO once, as soon as somebody opens it."""
    def feed():
        with contextlib.suppress(BrokenPipeError), open(pipe, "wb") as out:
            out.write(source.read_bytes())

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    yield
    with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb"):  # for a feeder that still waits for a reader
        pass
    feeder.join()


class Run:
    """One run of the program."""

    def __init__(self, words, folder, case):
        user = NOBODY if case.as_user and os.geteuid() == 0 else None
        fed = feeding(folder / case.name, folder / case.fed) if case.fed else contextlib.nullcontext()
        try:
            with fed:
                result = subprocess.run(words, cwd=folder, capture_output=True, check=False, timeout=TIMEOUT_SECONDS,
                                        stdin=subprocess.DEVNULL, user=user)
            self.code, out, err = result.returncode, result.stdout, result.stderr
        except subprocess.TimeoutExpired as expired:
            self.code, out, err = None, expired.stdout or b"", expired.stderr or b""
        except PermissionError as error:
            raise Skip(f"another user cannot run the program: {error}") from error
        self.out, self.err = out.decode(errors="replace"), err.decode(errors="replace")

    def score(self):
        try:
            return float(self.out)
        except ValueError:
            return None

    def stopped(self):
        """Says how the program ended if not by itself."""
        if self.code is None:
            return f"HANG: more than {TIMEOUT_SECONDS} s"
        return f"CRASH: {self.code}" if self.code < 0 or self.code > 2 else ""


def judge(case, run):
    """What is wrong with a run; empty when it did what its case wants."""
    spoken = [line for line in run.err.splitlines() if "warning:" in line or "hint:" in line]
    if case.wants == odd_cases.REFUSED:
        if run.code == 0:
            return f"not refused: {run.out.strip()}"
        return "" if (case.told or case.name) in run.err else f"does not say {case.told or 'which file'}"
    if run.code != 0:
        return "refused"
    if case.told not in run.err:
        return f"does not say {case.told}"
    if case.wants == odd_cases.WARNED:
        return "" if spoken else f"no warning: {run.out.strip()}"
    score = run.score()
    return "" if score is not None and (score >= LEAST_SCORE or case.alone) else f"score {run.out.strip()}"


@dataclasses.dataclass
class Outcome:
    case: odd_cases.Case
    row: str = ""  # of the table
    wrong: str = ""
    skipped: str = ""
    compared: int = 0  # scores that are the original's


def run_case(program, case, folder, kitchen, original):
    """Runs a case in a folder of its own."""
    folder.mkdir()
    for name in ("ref.y4m", *REFERENCES):
        os.link(folder.parent / name, folder / name)
    words = [program, "score", "-q", "-r", case.name if case.alone else case.reference, "-d", case.name,
             *case.options.split()]
    if case.wants != odd_cases.REFUSED:
        words += ["--json", "-o", odd_original.REPORT]
    try:
        kitchen.make(case, folder)
        with concurrent.futures.ThreadPoolExecutor(1) as side_by_side:
            probing = side_by_side.submit(Run, [program, "probe", "--", case.name], folder, case)
            if not case.waits:
                probing.result()
            run = Run(words, folder, case)
            probed = probing.result()
    except Skip as skip:
        return Outcome(case, skipped=str(skip))
    wrong, compared = probed.stopped() or run.stopped() or judge(case, run), 0
    if original and not wrong and case.wants != odd_cases.REFUSED and not case.not_decoded:
        try:
            compared = original.compare(case, folder)
        except odd_original.Different as difference:
            wrong = str(difference)
    return Outcome(case, row(case, probed, run, wrong, folder), wrong, compared=compared)


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


def run_cases(program, only, folder, original):
    """The outcomes of all cases whose description or file name contains a text, by group."""
    chosen = {group: [case for case in cases if only in case.what or only in case.name]
              for group, cases in odd_cases.GROUPS.items()}
    folders = {id(case): folder / str(n) for n, case in enumerate(sum(chosen.values(), []))}
    kitchen, first = Kitchen(folder / "kitchen"), list(dict.fromkeys(map(first_step, sum(chosen.values(), []))))
    server, port = silent_server()
    with server, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)) + 1) as pool:
        for prepared in [pool.submit(kitchen.prepare, filter(None, first[n:n + TOGETHER]))
                         for n in range(0, len(first), TOGETHER)]:
            prepared.result()
        running = {}
        for case in sorted(sum(chosen.values(), []), key=lambda case: not case.waits):
            case.name = case.name.replace("SILENT", str(port))
            running[id(case)] = pool.submit(run_case, program, case, folders[id(case)], kitchen, original)
        outcomes = {group: [running[id(case)].result() for case in cases] for group, cases in chosen.items() if cases}
    for outcome in sum(outcomes.values(), []):
        outcome.row = outcome.row.replace(str(port), "PORT")
    return outcomes


def print_table(outcomes):
    print(odd_cases.HEAD.format(machine=machine()))
    for group, entries in outcomes.items():
        print(f"\n## {group}\n| input | `probe` | exit | `score` |\n|---|---|---|---|")
        for outcome in entries:
            print(outcome.row or f"| {outcome.case.what} | | | skipped: {outcome.skipped} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", default="", help="run only cases whose description or file name contains this")
    parser.add_argument("--check", action="store_true", help="print only what is not as wanted")
    parser.add_argument("--client", type=pathlib.Path, help="compare with the original's scores through this program")
    arguments = parser.parse_args()
    if not shutil.which("ffmpeg"):
        print("ffmpeg is missing, which makes the odd inputs")
        return SKIPPED
    original = None
    if arguments.client and not odd_original.missing():
        original = odd_original.Original(arguments.client.resolve())
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        folder.chmod(0o755)
        make_references(folder)
        outcomes = run_cases(str(arguments.program.resolve()), arguments.only, folder, original)
    if not arguments.check:
        print_table(outcomes)
    cases = sum(outcomes.values(), [])
    summary = sys.stdout if arguments.check else sys.stderr
    for outcome in cases:
        if outcome.skipped:
            print(f"skipped {outcome.case.what}: {outcome.skipped}", file=summary)
        if outcome.wrong and arguments.check:
            print(f"NOT AS WANTED ({outcome.case.wants}): {outcome.wrong}\n    {outcome.row}", file=summary)
        if original and outcome.case.not_decoded:
            print(f"not compared, {outcome.case.what}: {outcome.case.not_decoded}", file=summary)
    if arguments.client and not original:
        print(f"no score was compared with the original's: {odd_original.missing()}", file=summary)
    if original:
        same = [outcome.compared for outcome in cases if outcome.compared]
        print(f"compared {sum(same):,} values of {len(same)} cases with those of libvmaf 3.2.0", file=summary)
    wrong = sum(bool(outcome.wrong) for outcome in cases)
    print(f"{len(cases)} cases, {wrong} not as wanted", file=summary)
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
