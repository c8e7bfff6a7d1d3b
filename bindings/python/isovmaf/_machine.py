# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What there is to score with, and what is in a video file."""

from __future__ import annotations

import importlib.util
import json
import os
from typing import Any

from . import _isovmaf
from ._ffmpeg import files_module
from ._options import Path, Paths, as_list


def offer_pip_rocm() -> None:
    """Tells the HIP plugin where the ROCm of pip's package rocm-sdk-core lies, which it then tries after all other places. A
    user's own setting of the variable stays."""
    try:
        package = importlib.util.find_spec("_rocm_sdk_core")
    except (ImportError, ValueError):  # a module of that name that is no package from pip
        return
    for folder in (package.submodule_search_locations or ()) if package else ():
        os.environ.setdefault("ISOVMAF_ROCM_FALLBACK", folder)


def models() -> list[str]:
    """The versions of the models that are built in: `models="version=..."` of isovmaf.score takes them."""
    return _isovmaf.model_versions()


def backends(backend_dir: Paths = ()) -> dict[str, Any]:
    """What `isovmaf backends --json` says: the plugins of this machine, whether each can be used, and its devices, which
    are tested.

    The member "backends" lists the plugins, with "name", "verdict" ("loaded", "unavailable" or "refused"), "reason" and,
    when loaded, "devices", with "index", "name", "usable" and "fault"; "cpu_levels" lists the instruction sets that the
    processor has. backend_dir names folders that are searched in place of the usual ones.
    """
    found: dict[str, Any] = json.loads(_isovmaf.backends_json(as_list(backend_dir)))
    return found


def probe(path: Path) -> dict[str, Any]:
    """What `isovmaf probe --json` says of one file: "path", "container" and "streams". A stream of video has "stream",
    such as "v:0", "width", "height", "pixel_format", its colours, rates, duration and number of frames; what the file
    does not say is None. "chosen" marks the stream that is scored when none is named."""
    found: dict[str, Any] = json.loads(files_module().probe_json(os.fsencode(path)))["files"][0]
    return found
