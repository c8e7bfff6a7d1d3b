# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What scoring gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Pooled:
    """Statistics of one score over the scored frames, in the unit of the score."""

    min: float
    max: float
    mean: float
    harmonic_mean: float  #: n / sum(1 / (score + 1)) - 1
    percentile_1: float  #: with linear interpolation between the sorted scores
    percentile_5: float
    percentile_10: float


@dataclass(frozen=True)
class Placement:
    """Where and by which code one feature was computed."""

    feature: str
    backend: str  #: "cpu", "cpu-ref" or the name of a plugin
    code: str  #: "definition", an instruction set such as "avx2", or "kernels"
    reason: str  #: why the session's device does not run it; else empty


@dataclass(frozen=True)
class Execution:
    """Where scores were computed, and the launch counts that prove it."""

    backend: str  #: "cpu", "cpu-ref" or the name of a plugin, such as "cuda"
    reason: str  #: one sentence: why this backend was taken
    plugin: str  #: its file; this and the texts below are empty without a device
    build_id: str
    device: str
    arch: str
    pci_id: str
    runtime: str
    driver: str
    frames_in_flight: int
    placement: tuple[Placement, ...]  #: of every feature
    launches: Mapping[str, int]  #: kernel launches of each feature on the device
    fetched: int  #: copies to the host of frames in device memory, for features on the CPU
    notices: tuple[str, ...]  #: what a user should know, a sentence each


@dataclass(frozen=True)
class FrameScores:
    """All scores of one frame."""

    frame: int  #: counted from 0 over all pairs, those that subsampling skips included
    scores: Mapping[str, float]


@dataclass(frozen=True)
class Result:
    """The scores of a pair of videos.

    frames      Numbers of the scored frames, counted from 0: int64, shape (frames,).
    scores      Per-frame values by name, features first, then models: float64, shape (frames,) each. VMAF and the
                scores of models have the range 0 to 100, PSNR is in dB, other features have no unit.
    pooled      Statistics of each of these scores.
    aggregates  Scores of the whole video that are not statistics of its frames' scores, by name.
    execution   Where it was computed.
    notes       What a report would say about the two videos, a sentence each.
    """

    frames: npt.NDArray[np.int64]
    scores: Mapping[str, npt.NDArray[np.float64]]
    pooled: Mapping[str, Pooled]
    aggregates: Mapping[str, float]
    execution: Execution
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {pooled.mean:.6g}" for name, pooled in list(self.pooled.items())[-1:])
        return f"<isovmaf.Result: {len(self.frames)} frames on {self.execution.backend}, mean {means}>"

    def to_pandas(self) -> pandas.DataFrame:
        """The per-frame values as a pandas.DataFrame: one column for each score, the index is the frame's number."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("Result.to_pandas needs pandas, which is not installed: run pip install pandas") from error
        return pandas.DataFrame(dict(self.scores), index=pandas.Index(self.frames, name="frame"))


def make_execution(values: dict[str, Any]) -> Execution:
    """From what the extension module gives."""
    values["placement"] = tuple(Placement(**place) for place in values["placement"])
    values["notices"] = tuple(values["notices"])
    return Execution(**values)


def make_result(values: dict[str, Any]) -> Result:
    """From what the extension module gives."""
    return Result(
        frames=values["frames"],
        scores=values["scores"],
        pooled={name: Pooled(**pooled) for name, pooled in values["pooled"].items()},
        aggregates=values["aggregates"],
        execution=make_execution(values["execution"]),
        notes=tuple(values["notes"]),
    )
