#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs the commands of docs/hpc.md in their order, on a Slurm cluster of two nodes. Two things are not as on a cluster:
nothing is compiled (the program of this build is installed), and the backend is the CPU.

    hpc_test.py SOURCE_ROOT ISOVMAF [mpi]      # without mpi, which says that its plugin was built, MPI's block is left out
"""

import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import slurm_cluster
from batch_runs import MPI_ENVIRONMENT, BatchRuns
from score_runs import picture, y4m

SOURCE, WITH_MPI = pathlib.Path(), False
MODULES = "/usr/share/modules/init/bash"
AMD_COMPILERS = ("amdclang++", "hipcc", "clang++-19")
INSTEAD = {"--backend hip": "--backend cpu"}

# After each block of commands all jobs end. meson configures the sources, outside of them.
PRELUDE = """
set -eu -o pipefail
source %s
meson() {
    case $1 in
        setup) shift 2; command meson setup "$HOME/build" "$SOURCE" "$@" ;;
        compile) [[ -f $HOME/build/build.ninja ]] ;;
        install) mkdir -p ~/isovmaf/bin ~/isovmaf/share/isovmaf
                 ln -s "$ISOVMAF" ~/isovmaf/bin/isovmaf
                 cp -r "$SOURCE/contrib/slurm" ~/isovmaf/share/isovmaf/
                 install -D -t ~/isovmaf/share/isovmaf/modules/isovmaf "$HOME"/build/contrib/[0-9]* ;;
    esac
}
settle() { until [[ ! $(squeue --noheader) ]]; do sleep 0.1; done; }
"""
MODULE = """#%%Module
setenv LOADED_%s yes
"""


def why_not():
    if not os.path.exists(MODULES):
        return f"there is no {MODULES}: install environment-modules"
    if not any(shutil.which(name, path=f"{os.environ['PATH']}:/opt/rocm/bin") for name in AMD_COMPILERS):
        return "there is no compiler for AMD GPUs: install clang-19"
    return slurm_cluster.missing()


def blocks():
    found = re.findall(r"^```sh\n(.*?)^```", (SOURCE / "docs" / "hpc.md").read_text(), re.M | re.S)
    return [block for block in found if WITH_MPI or "mpi.slurm" not in block]


@unittest.skipIf(why_not(), why_not())
class Page(BatchRuns):
    def setUp(self):
        super().setUp()
        self.cluster = self.enterContext(slurm_cluster.Cluster())
        for name in ("src/isovmaf", "encodes", "modules"):
            (self.folder / name).mkdir(parents=True)
        for name in ("rocm", "openmpi"):
            self.write(f"modules/{name}", MODULE % name)
        source = [picture(n) for n in range(2)]
        (self.folder / "encodes" / "park.y4m").write_bytes(y4m(source))
        for rate, low_bits in (8000, 1), (4000, 3), (2000, 7), (1000, 15):
            for codec, step in ("x264", 2), ("x265", 3): # every 2nd or 3rd sample is another
                frames = [bytes(b ^ (low_bits if i % step == 0 else 0) for i, b in enumerate(frame)) for frame in source]
                (self.folder / "encodes" / f"park-{codec}-{rate}.mp4").write_bytes(y4m(frames))

    def script(self):
        text = PRELUDE % MODULES
        for block in blocks():
            text += f"set -x\n{block}{{ set +x; }} 2>/dev/null\nsettle\n"
        for theirs, ours in INSTEAD.items():
            self.assertIn(theirs, text)
            text = text.replace(theirs, ours)
        return text

    def test_commands_lead_to_the_page_of_results(self):
        self.assertGreaterEqual(len(blocks()), 9)
        environment = {**self.cluster.environment, "HOME": str(self.folder), "SOURCE": str(SOURCE), "ISOVMAF": self.ISOVMAF,
                       "MODULEPATH": str(self.folder / "modules"), **MPI_ENVIRONMENT}
        result = subprocess.run(["bash", "-c", self.script()], cwd=self.folder, env=environment, text=True, check=False,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        encodes = self.folder / "encodes"
        logs = "".join(path.read_text() for path in sorted(encodes.glob("*.log")))
        self.assertEqual(result.returncode, 0, result.stdout + logs)
        self.assertIn("8 pairs", result.stdout)
        self.assertRegex(result.stdout, r"hip +: \S+ for gfx90a gfx942\n")
        self.assert_results(encodes)
        jobs = re.findall(r"JobState=(\w+)", self.cluster.run("scontrol", "show", "job"))
        self.assertEqual(set(jobs), {"COMPLETED"}, logs)

    def assert_results(self, encodes):
        expected = self.results(self.run_folder("one", manifest=encodes / "pairs.csv"))
        for run in ("results", "results-node", "results-parts"):
            self.assertEqual(self.results(encodes / run), expected, run)
        if WITH_MPI:
            self.assertEqual(self.results(encodes / "results-mpi"), expected)
        lines = [path.read_text().count('"unit"') for path in (encodes / "results" / "stores").glob("*.jsonl")]
        self.assertEqual(lines, [1] * 8) # each task has work
        self.assertIn("BD-rate", (encodes / "results" / "report.html").read_text())
        with open(encodes / "results-4k" / "results.csv", encoding="utf-8") as table:
            self.assertEqual(len(list(csv.DictReader(table))), 8)


if __name__ == "__main__":
    SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
    BatchRuns.ISOVMAF = os.path.abspath(sys.argv.pop(1))
    WITH_MPI = sys.argv[1:2] == ["mpi"]
    unittest.main(argv=sys.argv[:1] + sys.argv[1 + WITH_MPI:])
