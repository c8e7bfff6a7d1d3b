#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs the blocks of commands of the pages that have no test of their own, each block in a new folder with small videos.

    pages_test.py SOURCE_ROOT ISOVMAF HOST_PLUGIN [MPI_PLUGIN]

GPUs are played by the stand-in. What would install or build something is checked in its place: packages are those that
./quickstart installs, options those of Meson or of the sources, targets and tests those of the sources.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from batch_runs import LAUNCHER, MPI_ENVIRONMENT, BatchRuns
from score_runs import picture, y4m

SOURCE, PLUGIN, MPI_PLUGIN = pathlib.Path(), pathlib.Path(), ""
TESTED = {  # pages whose commands another test runs; readme_test.py leaves out those of GPUs and ./quickstart
    "README.md": "tools/tests/readme_test.py",
    "docs/score.md": "tools/tests/readme_test.py",
    "docs/hpc.md": "tools/tests/hpc_test.py",
    "docs/c-api.md": "capi/tests/documents_test.py",
    "docs/ffmpeg.md": "capi/tests/documents_test.py",
}
# Commands that other tests run: golden values on a plugin (golden, golden on AMD code), fuzz targets (the stage fuzz), the
# script for Slurm (ci-gate).
ELSEWHERE = ("core/golden/golden_test", "tools/fuzz/options_fuzz", "ci-gate.slurm")
SIZE = 216, 160  # the smallest pictures that CAMBI takes
INSTEAD = {
    r"build/tools/isovmaf/isovmaf": "isovmaf",
    r"isovmaf/quickstart": "./quickstart",
    r"\$CI_PROJECT_DIR": "$PWD",
    r"build/backends/\w+": '"$PLUGINS"',
    r"\$\{\{.*?\}\}": "",  # of GitHub
    r"(--backends? (cpu-ref,)?)(hip|cuda|vulkan)": r"\1host",
    r"--fuzz \d+": "--fuzz 0.1",
    r"--min-p5 80": "--min-p5 5",
    r"1920x1080": "{}x{}".format(*SIZE),
    r"--shards 400": "--shards 1",
    r"--shard \d+/\d+": "--shard 0/1",
    r"mpirun -n \d+": "mpirun -n 2",
    r"golden/generated": "golden/small_options",
    r"/var/lib/node_exporter": ".",
    r"/usr/share/isovmaf": '"$SOURCE"/tools/batch',
    r" && ": "\n",  # a failure in front of && would not end the script
}
BEFORE = {  # what a user did before, behind `exit 0` also what he may lack
    "--against scores.json": "isovmaf score ref.mkv dis.mkv -o scores.json",
    "--not-below quality/base.json": "mkdir quality; isovmaf score ref.mkv dis.mkv -o quality/base.json -q",
    "isovmaf rescore results": "isovmaf batch pairs.csv --run results/",
    "isovmaf batch export results/ --format json": "isovmaf batch pairs.csv --run results/",
    "results_to_parquet": "test -x \"$SOURCE\"/tools/batch/results_to_parquet.py; python3 -c 'import pyarrow' || exit 0",
}
# `isovmaf diff` compares one feature on a few pictures, as the tests `gate` compare all of them on the whole sweep.
PROGRAM = """#!/bin/bash
if [[ $1 == diff && $* != *--against* ]]; then
    set -- "$@" --feature psnr --no_prediction
    [[ $* == *" -r "* || $* == *--fuzz* ]] || set -- "$@" --generate noise --size 64x48
fi
exec "$ISOVMAF" "$@"
"""
QUICKSTART = """#!/bin/bash
case $1 in
    test) "$SOURCE/quickstart" --help | grep -qE "^\\./quickstart $* " ;;
    *) "$SOURCE/quickstart" --dry-run "$@" >/dev/null ;;
esac
"""
PRELUDE = """
set -eu -o pipefail
options_are_known() {
    local option
    for option; do
        [[ $option != *-D* ]] || { option=${option##*-D}; option=${option%%=*}
            [[ $option == b_* || -n $(grep "^option('$option'" "$SOURCE/meson_options.txt") ]]; }
    done
}
is_in_the_build() { grep -rqE "(test|target)\\('$1'|_lib = .*'$1|^  '$1'" --include=meson.build "$SOURCE"; }
meson() {
    case $1 in
        setup) options_are_known "$@" ;;
        test) is_in_the_build "${@: -1}" ;;
    esac
}
ninja() { [[ $# == 2 ]] || is_in_the_build "$3"; }
pip() { options_are_known "$@"; }
apt-get() { local name; for name in "${@:2}"; do grep -qwF -- "$name" "$SOURCE/quickstart"; done; }
ffplay() { [[ -s ${!#} ]]; }
mpirun() { command $LAUNCHER "$@"; }
"""


def pages():
    return [path.relative_to(SOURCE).as_posix() for path in
            (SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *SOURCE.glob("docs/*.md"), *SOURCE.glob("docs/backends/*.md"))]


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (SOURCE / page).read_text(), re.M | re.S)


def scripts_of_jobs(page):
    """The commands of isovmaf, quickstart and meson in the jobs of a CI system, with the lines that continue them, and the
    packages that a build from a cache needs."""
    for job in blocks(page, "yaml"):
        job = re.sub(r" *\\\n *|\n +(?=--)", " ", job)
        yield "".join(f"{command}\n" for command in re.findall(r"((?:build/tools/isovmaf/isovmaf|isovmaf score|isovmaf/quickstart|meson setup|apt-get install .*ffmpeg) .*)", job))


def commands(page):
    """The blocks of a page without the commands that run elsewhere, or that need an MPI where there is none."""
    for block in [*blocks(page, "sh"), *scripts_of_jobs(page)]:
        lines = block.replace("\\\n", " ").splitlines(keepends=True)
        if page in TESTED:
            lines = [line for line in lines if TESTED[page].endswith("readme_test.py") and re.search(r"hip|\./quickstart", line)]
        left = "".join(line for line in lines if not any(name in line for name in ELSEWHERE))
        if left and (MPI_PLUGIN and shutil.which("mpicxx") or not re.match("mpi", left)):
            yield left


class Pages(BatchRuns):
    def setUp(self):
        super().setUp()
        videos = [y4m([picture(n + shift, *SIZE) for n in range(2)], *SIZE) for shift in (0, 3)]
        table, = blocks("docs/batch.md", "csv")
        for name in ("ref.y4m", "ref.mkv", "ladder/src.y4m", "sources/park.y4m"):
            self.place(name, videos[0])
        for name in ("dis.y4m", "dis.mkv", "ladder/1080p.mp4", "ladder/540p.mp4", "encodes/park_1080p_4500k.mp4"):
            self.place(name, videos[1])
        self.place("pairs.csv", table.encode())
        for name, text in ("bin/isovmaf", PROGRAM), ("quickstart", QUICKSTART):
            self.place(name, text.encode())
            (self.folder / name).chmod(0o755)
        for name in ("core", "engines", "testdata"):
            (self.folder / name).symlink_to(SOURCE / name)
        (self.folder / "reports").mkdir()
        self.environment = {**os.environ, **MPI_ENVIRONMENT, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
                            "SOURCE": str(SOURCE), "ISOVMAF": self.ISOVMAF, "PLUGINS": str(PLUGIN.parent),
                            "ISOVMAF_BACKEND_DIR": str(PLUGIN.parent), "ISOVMAF_HOST_DEVICES": "2",
                            "ISOVMAF_MPI_PLUGIN": MPI_PLUGIN, "LAUNCHER": " ".join(LAUNCHER)}

    def place(self, name, content):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)

    def run_block(self, block):
        for theirs, ours in INSTEAD.items():
            block = re.sub(theirs, ours, block)
        for command, before in BEFORE.items():
            block = re.sub(rf"^.*{command}.*\n", rf"{before}\n\g<0>", block, flags=re.M)
        return subprocess.run(["bash", "-c", PRELUDE + block], cwd=self.folder, env=self.environment, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_every_page_has_a_test(self):
        for page, test in TESTED.items():
            self.assertIn(page.rpartition("/")[2], (SOURCE / test).read_text())
        for page in pages():
            languages = re.findall(r"^```(\w*)\n.*?^```$", (SOURCE / page).read_text(), re.M | re.S)
            self.assertNotIn("", languages, f"{page} has a block of code that does not say its language: sh for commands")

    def test_files_of_the_sources_are_there(self):
        for page in pages():
            for name in re.findall(r"(?<![\w./-])(?:contrib|docs|testdata|tools)/[\w./-]+", "".join(blocks(page, "sh"))):
                self.assertTrue((SOURCE / name).exists(), f"{page} names {name}")


def add_test(page, number, block):
    def test(self):
        result = self.run_block(block)
        self.assertEqual(result.returncode, 0, f"{page}:\n{block}{result.stdout}")
    name = re.sub(r"\W", "_", page.removesuffix(".md"))
    setattr(Pages, f"test_{name}_{number}", test)


if __name__ == "__main__":
    SOURCE, ISOVMAF, PLUGIN = (pathlib.Path(os.path.abspath(argument)) for argument in sys.argv[1:4])
    MPI_PLUGIN = os.path.abspath(sys.argv[4]) if sys.argv[4:] else ""
    BatchRuns.ISOVMAF = str(ISOVMAF)
    for page in sorted(pages()):
        for number, block in enumerate(commands(page), 1):
            add_test(page, number, block)
    unittest.main(argv=sys.argv[:1])
