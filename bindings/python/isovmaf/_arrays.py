# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Whole videos in arrays, and frames from an iterator, to scores."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, Optional

from ._errors import ErrorCode, InvalidArgumentError, MismatchError
from ._options import Devices, Paths, Texts, names_options
from ._result import Result
from ._session import Frame, Plane, Session

Progress = Callable[[int, Optional[int]], object]

_SECONDS_BETWEEN_REPORTS = 0.05
# Rows and columns of luma for one of chroma.
_CHROMA_STEPS = {"420": (2, 2), "422": (1, 2), "444": (1, 1)}


def is_path(video: object) -> bool:
    """Whether a video is the name of a file, and not an array."""
    return isinstance(video, (str, bytes, os.PathLike))


def _planes(frame: Frame) -> tuple[Plane, ...]:
    planes = tuple(frame) if isinstance(frame, (tuple, list)) else (frame,)
    if not planes:
        raise MismatchError("a tuple of planes is empty: it needs the planes Y, Cb and Cr, or Y", ErrorCode.MISMATCH)
    return planes


def _shape(plane: Plane, dimensions: int, name: str) -> tuple[int, ...]:
    shape = tuple(getattr(plane, "shape", ()))
    if len(shape) != dimensions:
        found = f"an array of the shape {shape}" if hasattr(plane, "shape") else type(plane).__name__
        raise MismatchError(f"{name} needs {dimensions} dimensions, not {found}", ErrorCode.MISMATCH)
    return shape


def _chroma_of(luma: tuple[int, ...], planes: tuple[Plane, ...]) -> str:
    """The format of the planes: sizes that are not even may be rounded either way."""
    if len(planes) != 3:
        return "400"
    chroma = _shape(planes[1], 2, "a plane of chroma")
    for name, steps in _CHROMA_STEPS.items():
        if all(size in (full // step, -(-full // step)) for size, full, step in zip(chroma, luma, steps)):
            return name
    raise MismatchError(
        f"chroma of {chroma} rows and columns fits luma of {luma} in none of the formats 420, 422 and 444",
        ErrorCode.MISMATCH,
    )


def _bit_depth_of(luma: Plane) -> int:
    if str(getattr(luma, "dtype", "")).endswith("uint16"):
        raise InvalidArgumentError(
            "samples are uint16, which may hold 8 to 16 bits: give bit_depth", ErrorCode.INVALID_ARGUMENT
        )
    return 8  # a plane of another type than uint8 is refused when it is pushed


def _make_session(frame: Frame, options: dict[str, Any]) -> Session:
    """A session of the frame's format, as far as the options do not say it."""
    planes = _planes(frame)
    luma = _shape(planes[0], 2, "a plane")
    options["chroma"] = options["chroma"] or _chroma_of(luma, planes)
    options["bit_depth"] = options["bit_depth"] or _bit_depth_of(planes[0])
    return Session(luma[1], luma[0], **options)


class _Reports:
    """Calls of `progress`, about 20 a second and one at the end."""

    def __init__(self, progress: Optional[Progress], total: Optional[int]) -> None:
        self._progress, self._total = progress, total
        self._done, self._last = 0, time.monotonic()

    def look(self, session: Session) -> None:
        if not self._progress:
            return
        while session.next_result() is not None:
            self._done += 1
        if self._done and time.monotonic() - self._last >= _SECONDS_BETWEEN_REPORTS:
            self._last = time.monotonic()
            self._progress(self._done, self._total)

    def end(self, result: Result) -> None:
        if self._progress:
            self._progress(len(result.frames), self._total)


@names_options
def score_pairs(
    pairs: Iterable[tuple[Frame, Frame]],
    *,
    models: Optional[Texts] = None,
    features: Texts = (),
    model_dir: Paths = (),
    subsample: int = 1,
    compat: str = "libvmaf-3.2",
    backend: str = "auto",
    device: Optional[Devices] = None,
    backend_dir: Paths = (),
    frames_in_flight: int = 0,
    threads: int = 0,
    cpu: str = "auto",
    chroma: Optional[str] = None,
    bit_depth: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Result:
    """Scores pairs (reference frame, distorted frame) from any iterable, such as a generator, one after the other.

    A frame is what Session.push takes: a tuple of the planes (Y, Cb, Cr), or the plane Y alone. The first pair says
    size and chroma; bit_depth has to be given when samples are uint16. All other options, and `progress`, are those of
    isovmaf.score.
    """
    options = dict(locals())
    del options["pairs"], options["progress"]
    total = -(-len(pairs) // max(subsample, 1)) if isinstance(pairs, Sized) else None
    reports = _Reports(progress, total)
    session: Optional[Session] = None
    try:
        for reference, distorted in pairs:
            session = session or _make_session(reference, options)
            session.push(reference, distorted)
            reports.look(session)
        if session is None:
            raise InvalidArgumentError("there is no pair to score", ErrorCode.INVALID_ARGUMENT)
        result = session.finish()
    finally:
        if session is not None:
            session.close()
    reports.end(result)
    return result


class ArrayPairs:
    """The pairs of two videos, each an array of the shape (frames, rows, columns), or a tuple of one for each plane."""

    def __init__(self, reference: Any, distorted: Any) -> None:
        self._videos = _planes(reference), _planes(distorted)
        lengths = [
            _shape(plane, 3, f"{name}: a plane of all frames")[0]
            for name, planes in zip(("reference", "distorted"), self._videos)
            for plane in planes
        ]
        if len(set(lengths)) != 1:
            raise MismatchError(
                f"the arrays have different numbers of frames: {', '.join(map(str, lengths))}; give slices of the same "
                "frames",
                ErrorCode.MISMATCH,
            )
        self._frames = lengths[0]

    def __len__(self) -> int:
        return self._frames

    def __iter__(self) -> Iterator[tuple[Frame, Frame]]:
        for n in range(self._frames):
            reference, distorted = (tuple(plane[n] for plane in planes) for planes in self._videos)
            yield reference, distorted
