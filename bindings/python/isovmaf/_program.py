# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The command isovmaf: the program that lies in the package."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the program, with the arguments of this process."""
    os.execv(pathlib.Path(__file__).with_name("isovmaf"), ["isovmaf", *sys.argv[1:]])
