# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Backends side by side."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from ._ffmpeg import files_module
from ._options import Path, Paths, Texts, for_module, names_options

Integers = Union[int, Sequence[int]]


@dataclass(frozen=True)
class Comparison:
    """What a comparison of backends found."""

    verdict: str  #: "equal", "differ", "could_not_run" or "not_executed"
    failure: Optional[str]  #: why it could not run, or what did not execute
    values: int  #: how many scores were compared
    different: int  #: how many scores, and words that scores are made of, differ
    report: Mapping[str, Any]  #: everything: docs/diff-report.md describes it

    @property
    def equal(self) -> bool:
        """Whether everything that was compared has the same bits, and every side did its work."""
        return self.verdict == "equal"


def _integers(value: Integers) -> list[int]:
    return [value] if isinstance(value, int) else list(value)


@names_options
def diff(
    backends: Texts = ("cpu-ref", "available"),
    reference: Optional[Path] = None,
    distorted: Optional[Path] = None,
    *,
    models: Optional[Texts] = None,
    features: Texts = (),
    model_dir: Paths = (),
    compat: str = "libvmaf-3.2",
    backend_dir: Paths = (),
    devices: str = "first",
    frames_in_flight: Integers = (),
    threads: int = 0,
    repeat: int = 1,
    locate: bool = True,
    against: Optional[Path] = None,
    ref_format: str = "",
    dis_format: str = "",
    frame_cnt: Optional[int] = None,
    generate: Texts = (),
    size: Texts = (),
    chroma: Texts = (),
    bit_depth: Integers = (),
    frames: int = 3,
    seed: Optional[int] = None,
    fuzz: Optional[float] = None,
) -> Comparison:
    """Compares backends to the last bit, as `isovmaf diff` does, where more is said about each option.

    backends           The first is compared with all others: "cpu-ref", "cpu", "cpu:avx2", "cpu:all", "cuda:0",
                       "available" for every plugin that has a device.
    reference, distorted                Two files; without them pictures are generated. ref_format and dis_format are of
                       raw video, frame_cnt limits the frames.
    against            A report of isovmaf or libvmaf about the two files: all backends are compared with it.
    models, features   What is compared; all features, several options and two models if not given. model_dir, compat,
                       backend_dir and threads: as in isovmaf.score.
    devices            "first" or "all" of a backend that is named without a number.
    frames_in_flight   Each number is a side of its own.
    repeat             Compare everything this number of times.
    locate             Search for the stage and the sample that differ.
    generate, size, chroma, bit_depth   Only these fills, such as "noise", sizes, such as "64x48", and formats. With at
                       most `frames` frames each.
    seed               Of generated pictures. fuzz: compare random pictures for this number of seconds.

    Ctrl-C ends the comparison with KeyboardInterrupt. Raises isovmaf.Error when it cannot begin; later failures are in
    the result.
    """
    options = dict(locals())
    for name in ("reference", "distorted", "against"):
        options[name] = None if options[name] is None else os.fsencode(options[name])
    for name in ("frames_in_flight", "bit_depth"):
        options[name] = _integers(options[name])
    options["backends"] = backends if isinstance(backends, str) else ",".join(backends)
    for name in ("generate", "size", "chroma"):
        options[name] = [options[name]] if isinstance(options[name], str) else list(options[name])
    report: dict[str, Any] = json.loads(files_module().diff_json(for_module(options)))
    return Comparison(*(report[name] for name in ("verdict", "failure", "values", "different")), report)
