# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Runs the commands of a build and of its tools."""

import subprocess


def output(*command, **options):
    """What a command prints. A command that fails shows it in the test."""
    result = subprocess.run([str(part) for part in command], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, check=False, **options)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\nended with code {result.returncode}:\n{result.stdout}")
    return result.stdout
