#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Scores through the C interface with command lines for which the output of libvmaf's program was recorded, and compares.

    recorded_test.py TOOLS_TESTS CLIENT LIBRARY RECORDING CLIPS MODEL

The client takes the options of that program, and calls LIBRARY. Command lines that are wrong, or give no report, are left out:
they are the program's business. Exits with 77 (skipped) where RECORDING is absent: it is no part of the project.
"""

import os
import pathlib
import sys

sys.path.insert(0, sys.argv.pop(1))
import vmaf_recorded_test as recorded


def gives_a_report(command):
    return command["exit"] == 0 and command["report"]


if __name__ == "__main__":
    os.environ.setdefault("ISOVMAF_BACKEND", "cpu")
    client, library = map(os.path.abspath, sys.argv[1:3])
    sys.exit(recorded.main([client, library, "score"], *map(pathlib.Path, sys.argv[3:6]), is_wanted=gives_a_report))
