# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Frames of a program to scores."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Optional, Sequence, Union

from . import _isovmaf
from ._options import Devices, Paths, Texts, for_module, names_options
from ._result import Execution, FrameScores, Result, make_execution, make_result

# A plane: a NumPy array, or a tensor on the session's device that has DLPack's methods.
Plane = Any
Frame = Union[Plane, Sequence[Plane]]


class Session:
    """Scores one pair of videos, frame by frame: push pairs in display order, then finish.

    width, height  Size in luma samples, 1 to 32768.
    chroma         "420", "422", "444", or "400": luma only.
    bit_depth      8 to 16.
    models         and the other options: as those of isovmaf.score.

    Sessions are independent of each other. Several threads may use one session: its methods wait for each other, and
    let other threads of Python run while they compute. At the end of a `with` block the session is closed.
    A process that is forked cannot use the sessions of its parent: everything but `close` raises an error there.
    """

    @names_options
    def __init__(
        self,
        width: int,
        height: int,
        chroma: str = "420",
        bit_depth: int = 8,
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
    ) -> None:
        options = dict(locals())
        del options["self"]
        self._session = _isovmaf.Session(for_module(options))

    def push(self, reference: Frame, distorted: Frame) -> None:
        """Starts to score one more pair. Waits first while the session holds as many frames as it may.

        A frame is a tuple of its planes (Y, Cb, Cr), or the plane Y alone with chroma "400". A plane has the shape
        (rows, columns) of the format: chroma of "420" has half the rows and columns of luma, odd sizes rounded either
        way. Samples are uint8 for 8 bit, else uint16 with the value in the low bits. Samples of a row lie side by side;
        rows may be any distance apart, so slices of larger arrays need no copy.

        NumPy arrays are copied before push returns. With the backend cuda or hip, planes may also be tensors on the
        session's GPU: objects of PyTorch, CuPy and others that have the methods of DLPack. Tensors are not copied. What
        was submitted to write them on the producer's current stream is waited for; they must not be changed before
        their frame is ready (next_result) or finish has returned. Both frames of a pair lie in the same place.
        """
        self._session.push(reference, distorted)

    def next_result(self) -> Optional[FrameScores]:
        """Scores of the next frame in frame order, or None when it is not ready yet: features that look at neighbouring
        frames make a frame ready one or two frames later, or at the end."""
        ready = self._session.next_result()
        return None if ready is None else FrameScores(ready[0], dict(zip(self.score_names, ready[1])))

    def finish(self) -> Result:
        """Ends the video: waits for the frames in flight, and returns all scores. Nothing can be pushed after."""
        return make_result(self._session.finish())

    def close(self) -> None:
        """Frees memory and device at once. Nothing can be done with the session after."""
        self._session.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    @property
    def score_names(self) -> list[str]:
        """Names of the per-frame scores: features in the order asked for, then models."""
        return self._session.score_names

    @property
    def execution(self) -> Execution:
        """Where this session runs, and what it has done there so far."""
        return make_execution(self._session.execution)
