# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What the options of score and Session have in common."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

Texts = Union[str, Sequence[str]]
Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]

# Options that take one text or several.
_LISTS = ("model", "features", "model_dir", "backend_dir", "crop", "convert")


def _as_list(value: object) -> list[str]:
    values = [value] if isinstance(value, (str, os.PathLike)) else value
    return [os.fspath(item) for item in values]  # type: ignore[attr-defined]


def for_module(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are given, as the extension module takes them. An empty sequence of models means no model."""
    given = {name: value for name, value in options.items() if value is not None}
    for name in _LISTS:
        if name in given:
            given[name] = _as_list(given[name])
    if given.get("model") == []:
        given["no_prediction"] = True
    return given


