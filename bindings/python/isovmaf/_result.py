# SPDX-License-Identifier: BSD-2-Clause-Patent
"""What scoring gives."""

from __future__ import annotations

import dataclasses
import html
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import numpy.typing as npt

from . import _isovmaf
from ._options import Path

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
    percentile_25: float
    percentile_50: float
    percentile_75: float
    percentile_95: float
    percentile_99: float


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
class PairWarning:
    """What may make the scores of two files other than a user expects."""

    kind: str  #: "alignment", "colours", "timing", ...: docs/batch.md lists them
    text: str  #: a sentence


@dataclass(frozen=True)
class FrameScores:
    """All scores of one frame."""

    frame: int  #: counted from 0 over all pairs, those that subsampling skips included
    scores: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Result:
    """The scores of a pair of videos.

    Two results are equal when frames, scores and aggregates have the same names and bits, wherever they were computed.
    Results can be pickled, and are a table in a notebook.

    frames      Numbers of the scored frames, counted from 0: int64, shape (frames,).
    scores      Per-frame values by name, features first, then models: float64, shape (frames,) each. VMAF and the
                scores of models have the range 0 to 100 (two models of VMAF v1: 0 to 110), PSNR is in dB, other features
                have no unit.
    pooled      Statistics of each of these scores.
    aggregates  Scores of the whole video that are not statistics of its frames' scores, by name.
    execution   Where it was computed.
    notes       What a report would say about the two videos, a sentence each.
    warnings    What is wrong with two files, which were scored nevertheless; each was a ScoreWarning too.
    """

    frames: npt.NDArray[np.int64]
    scores: Mapping[str, npt.NDArray[np.float64]]
    pooled: Mapping[str, Pooled]
    aggregates: Mapping[str, float]
    execution: Execution
    notes: tuple[str, ...]
    warnings: tuple[PairWarning, ...]
    _run: Mapping[str, Any] = dataclasses.field(repr=False)  # what reports say besides

    def __eq__(self, other: object) -> bool:
        return self._bits() == other._bits() if isinstance(other, Result) else NotImplemented

    @property
    def models(self) -> Mapping[str, str]:
        """The model of each score that is a model's: a version such as "vmaf_v0.6.1", or the path of a file."""
        return {name: origin.partition("=")[2] for name, origin in self._run["report"]["models"]}

    def __repr__(self) -> str:
        name, pooled = list(self.pooled.items())[-1]
        model = f" (model {self.models[name]})" if name in self.models else ""
        return f"<isovmaf.Result: {len(self.frames)} frames on {self.execution.backend}, mean {name} {pooled.mean:.6g}{model}>"

    def _repr_html_(self) -> str:
        statistics = [field.name for field in dataclasses.fields(Pooled)]
        head = "".join(f"<th>{name.replace('_', ' ')}</th>" for name in statistics)
        rows = "".join(
            f"<tr><th>{html.escape(name)}</th>"
            + "".join(f"<td>{getattr(pooled, statistic):.6g}</td>" for statistic in statistics)
            + "</tr>\n"
            for name, pooled in reversed(list(self.pooled.items()))
        )
        models = "".join(f"; {name}: model {model}" for name, model in self.models.items())
        where = html.escape(f"{len(self.frames)} frames on {self.execution.backend}{models}")
        return f"<table>\n<caption>{where}</caption>\n<tr><th></th>{head}</tr>\n{rows}</table>"

    def to_json(self, path: Optional[Path] = None, *, precision: str = "max", force: bool = False) -> str:
        """The JSON report that `isovmaf score --json` writes, as text. See to_csv for the arguments."""
        return self._report("json", path, precision, force)

    def to_csv(self, path: Optional[Path] = None, *, precision: str = "max", force: bool = False) -> str:
        """The CSV report that `isovmaf score --csv` writes, as text: a row for each frame.

        path       A file that gets the text, too. It appears complete or not at all, and replaces only a report.
        precision  "max": scores read back to the same bits; "legacy": as libvmaf prints them; "hex".
        force      `path` may replace any file but the videos.
        """
        return self._report("csv", path, precision, force)

    def to_html(self, path: Optional[Path] = None, *, force: bool = False) -> str:
        """The page that `isovmaf score --html` writes, as text, without pictures of the worst frames. See to_csv for
        the arguments."""
        return self._report("html", path, "max", force)

    def _report(self, kind: str, path: Optional[Path], precision: str, force: bool) -> str:
        values = {"frames": self.frames, "scores": self.scores, "aggregates": self.aggregates, **self._run}
        text = _isovmaf.report_text(values, kind, precision)
        if path is not None:
            _isovmaf.write_report_file(values, os.fsencode(path), text, force)
        return text

    def _bits(self) -> tuple[object, ...]:
        scores = {name: column.tobytes() for name, column in self.scores.items()}
        return self.frames.tobytes(), scores, {name: struct.pack("d", value) for name, value in self.aggregates.items()}

    def to_pandas(self) -> pandas.DataFrame:
        """The per-frame values as a pandas.DataFrame: one column for each score, the index is the frame's number."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("Result.to_pandas needs pandas, which is not installed: run pip install pandas") from error
        return pandas.DataFrame(dict(self.scores), index=pandas.Index(self.frames, name="frame"))


def make_execution(values: dict[str, Any]) -> Execution:
    """From what the extension module gives."""
    fields = {field.name: values[field.name] for field in dataclasses.fields(Execution) if field.name in values}
    fields["placement"] = tuple(Placement(**place) for place in values["placement"])
    fields["launches"] = {work["feature"]: work["launches"] for work in values["work"]}
    fields["notices"] = tuple(values["notices"])
    return Execution(**fields)


def make_result(values: dict[str, Any]) -> Result:
    """From what the extension module gives."""
    return Result(
        frames=values["frames"],
        scores=values["scores"],
        pooled={name: Pooled(**pooled) for name, pooled in values["pooled"].items()},
        aggregates=values["aggregates"],
        execution=make_execution(values["report"]["execution"]),
        notes=tuple(values["notes"]),
        warnings=tuple(PairWarning(**warning) for warning in values["report"]["warnings"]),
        _run={name: values[name] for name in ("report", "first_model")},
    )
