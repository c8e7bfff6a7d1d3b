# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What the options of score and Session have in common."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from typing import Any, Callable, TypeVar, Union

Texts = Union[str, Sequence[str]]
Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]
Devices = Union[int, Sequence[int], str]  # of one backend; a text as on the command line: "0,1" or "all"

# Options that take one text or several.
_LISTS = ("models", "features", "model_dir", "backend_dir", "crop", "convert")

# Options whose name on the command line is another one.
_NAMES_HERE = {"model": "models", "feature": "features", "pixel_format": "chroma", "bitdepth": "bit_depth"}

Function = TypeVar("Function", bound=Callable[..., Any])


def names_options(function: Function) -> Function:
    """Decorates a function with options: who gives one by its name on the command line is told the name it has here."""

    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        for name in options:
            if name in _NAMES_HERE:
                raise TypeError(f"there is no option {name!r}: it is called {_NAMES_HERE[name]!r} in Python")
        return function(*arguments, **options)

    return call  # type: ignore[return-value]


def as_list(value: object) -> list[bytes]:
    """One text or path, or several."""
    values = [value] if isinstance(value, (str, os.PathLike)) else value
    return [os.fsencode(item) for item in values]  # type: ignore[attr-defined]


def for_module(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are given, as the extension module takes them. An empty sequence of models means no model."""
    given = {name: value for name, value in options.items() if value is not None}
    for name in _LISTS:
        if name in given:
            given[name] = as_list(given[name])
    if given.get("models") == []:
        given["no_prediction"] = True
    return given
