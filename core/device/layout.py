#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Prints the fingerprint of the plugin contract: a digest of its declarations, comments and spaces left out.

    layout.py BACKEND_H
"""

import hashlib
import re
import sys

with open(sys.argv[1], encoding="utf-8") as header:
    declarations = header.read().split("/* layout begins */")[1].split("/* layout ends */")[0]
declarations = " ".join(re.sub(r"/\*.*?\*/", " ", declarations, flags=re.DOTALL).split())
print("0x" + hashlib.sha256(declarations.encode()).hexdigest()[:16])
