# SPDX-License-Identifier: BSD-2-Clause-Patent
"""VMAF and the features it is made of: the same numbers on every backend, to the last bit.

Two video files, anything that FFmpeg reads:

    import isovmaf
    result = isovmaf.score("ref.mkv", "dis.mkv")
    print(result.pooled["vmaf"].mean)     # one number for the video
    print(result.scores["vmaf"])          # one number for each frame, a NumPy array

Whole videos in arrays of the shape (frames, rows, columns), or frames from a generator:

    result = isovmaf.score(reference, distorted)
    result = isovmaf.score_pairs(pairs)

Frames that a program has in NumPy arrays, or on a GPU in tensors of PyTorch or CuPy:

    with isovmaf.Session(1920, 1080) as session:
        for reference, distorted in pairs:          # each a tuple (Y, Cb, Cr) of arrays
            session.push(reference, distorted)
        result = session.finish()

A failure is an isovmaf.Error whose text says what was attempted, on what, and what came back.
"""

import numpy as _numpy

from ._arrays import score_pairs
from ._diff import Comparison, diff
from ._errors import (
    CorruptDataError,
    DeviceError,
    Error,
    ErrorCode,
    FolderError,
    InternalError,
    InvalidArgumentError,
    IOFailedError,
    MismatchError,
    MissingFileError,
    NotFoundError,
    OutOfMemoryError,
    ScoreWarning,
    UnavailableError,
    UnreadableFileError,
    UnsupportedError,
)
from ._isovmaf import pybind11_version as _pybind11_version
from ._isovmaf import version as __version__
from ._machine import backends, models, offer_pip_rocm, probe
from ._result import Execution, FrameScores, PairWarning, Placement, Pooled, Result
from ._score import score
from ._session import Session

offer_pip_rocm()

__all__ = [
    "Comparison",
    "CorruptDataError",
    "DeviceError",
    "Error",
    "ErrorCode",
    "Execution",
    "FolderError",
    "FrameScores",
    "IOFailedError",
    "InternalError",
    "InvalidArgumentError",
    "MismatchError",
    "MissingFileError",
    "NotFoundError",
    "OutOfMemoryError",
    "PairWarning",
    "Placement",
    "Pooled",
    "Result",
    "ScoreWarning",
    "Session",
    "UnavailableError",
    "UnreadableFileError",
    "UnsupportedError",
    "__version__",
    "backends",
    "diff",
    "models",
    "probe",
    "score",
    "score_pairs",
]


def _check_numpy(numpy_version: str, pybind11_version: str) -> None:
    """Refuses arrays whose layout the compiled package would read wrongly: pybind11 knows that of NumPy 2 since 2.12."""
    major, minor = map(int, pybind11_version.split(".")[:2])
    if int(numpy_version.split(".")[0]) >= 2 and (major, minor) < (2, 12):
        raise ImportError(
            f"isovmaf cannot use NumPy {numpy_version}: it was compiled with pybind11 {pybind11_version}, which reads "
            "arrays of NumPy 2 wrongly; install NumPy 1 (pip install 'numpy<2'), or compile isovmaf with pybind11 2.12 "
            "or newer (pip install . fetches it)"
        )


_check_numpy(_numpy.__version__, _pybind11_version)

for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__  # tracebacks and help name what people import
