# SPDX-License-Identifier: BSD-2-Clause-Patent
from typing import Any

def score_files(options: dict[str, Any], progress: object) -> dict[str, Any]: ...
