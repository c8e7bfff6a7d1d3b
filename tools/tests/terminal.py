# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Pseudo-terminals for tests of what people see."""

import os


def open_terminal(test):
    """The descriptors of a terminal: the one that a person would sit at, and the one for programs. Skips the test on a
    machine without terminals."""
    try:
        return os.openpty()
    except OSError as error:
        return test.skipTest(f"there are no terminals here: {error} (is devpts mounted on /dev/pts?)")


def read_terminal(here, there):
    """All that programs have written, once they have ended. Closes both descriptors: one read may give a part of it."""
    os.close(there)
    text = b""
    try:
        while part := os.read(here, 1 << 16):
            text += part
    except OSError:  # no program has it open any more
        pass
    os.close(here)
    return text
