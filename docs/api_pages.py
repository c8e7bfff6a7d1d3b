#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Makes the pages of the public headers, C++ and C, with Doxygen. Fails when Doxygen warns of anything.

    api_pages.py SOURCE_ROOT OUTPUT_FOLDER
"""

import pathlib
import shutil
import subprocess
import sys

SOURCE_ROOT, OUTPUT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()

if not shutil.which("doxygen"):
    print("doxygen is missing")
    sys.exit(77)
OUTPUT.mkdir(parents=True, exist_ok=True)
settings = (SOURCE_ROOT / "docs/Doxyfile").read_text() + f'OUTPUT_DIRECTORY = "{OUTPUT}"\n'
if subprocess.run(["doxygen", "-"], input=settings, text=True, cwd=SOURCE_ROOT, check=False).returncode != 0:
    sys.exit("api_pages.py: document what the lines above name")
if not (OUTPUT / "html/classisovmaf_1_1Session.html").exists():
    sys.exit("api_pages.py: Doxygen made no page for isovmaf::Session")
print(f"see {OUTPUT / 'html/index.html'}")
