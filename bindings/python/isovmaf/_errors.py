# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Failures of the library as exceptions."""

from __future__ import annotations

import enum
import errno
import os
from typing import Any, Callable, Optional


class ErrorCode(enum.IntEnum):
    """Kinds of failures, with the numbers of the C++ library."""

    INVALID_ARGUMENT = 1
    NOT_FOUND = 2
    UNSUPPORTED = 3
    MISMATCH = 4
    CORRUPT_DATA = 5
    IO = 6
    OUT_OF_MEMORY = 7
    DEVICE_LOST = 8
    INTERRUPTED = 9
    INTERNAL = 10
    DEVICE_FAILED = 11
    NOT_EXECUTED = 12
    UNAVAILABLE = 13


class Error(Exception):
    """A failure in one sentence: what was attempted, on what, and what came back. `code` is its kind."""

    def __init__(self, message: str, code: ErrorCode = ErrorCode.INTERNAL) -> None:
        super().__init__(message)
        self.code = code

    def __str__(self) -> str:  # OSError's would put errno and file name around the sentence
        return str(self.args[0])

    def __reduce__(self) -> tuple[Callable[..., Error], tuple[Any, ...]]:
        number, filename = getattr(self, "errno", None), getattr(self, "filename", None)
        return _rebuild, (type(self), str(self), self.code, number, filename)


class InvalidArgumentError(Error, ValueError):
    """An option or argument is wrong by itself."""


class NotFoundError(Error, LookupError):
    """A file, model, feature or name does not exist."""


class UnsupportedError(Error):
    """Valid, but not possible with this input."""


class MismatchError(Error, ValueError):
    """Two inputs that have to agree do not agree."""


class CorruptDataError(Error, ValueError):
    """A file's content does not follow its format."""


class IOFailedError(Error, OSError):
    """The operating system refused a read or a write."""


class MissingFileError(NotFoundError, FileNotFoundError):
    """A file or folder that was named is not there. `filename` is its name."""


class UnreadableFileError(IOFailedError, PermissionError):
    """A file must not be read. `filename` is its name."""


class FolderError(Error, IsADirectoryError):
    """What was named as a file is a folder. `filename` is its name."""


class OutOfMemoryError(Error, MemoryError):
    """Host or device memory ran out."""


class DeviceError(Error, RuntimeError):
    """A device stopped working, refused an operation, or ran no kernel."""


class UnavailableError(Error, RuntimeError):
    """This machine lacks what is needed: a plugin, a driver, a device or a decoder."""


class InternalError(Error, RuntimeError):
    """A bug of isovmaf: please report it."""


class ScoreWarning(UserWarning):
    """What a user should know about scores that were computed all the same."""


_CLASSES: dict[ErrorCode, type[Error]] = {
    ErrorCode.INVALID_ARGUMENT: InvalidArgumentError,
    ErrorCode.NOT_FOUND: NotFoundError,
    ErrorCode.UNSUPPORTED: UnsupportedError,
    ErrorCode.MISMATCH: MismatchError,
    ErrorCode.CORRUPT_DATA: CorruptDataError,
    ErrorCode.IO: IOFailedError,
    ErrorCode.OUT_OF_MEMORY: OutOfMemoryError,
    ErrorCode.DEVICE_LOST: DeviceError,
    ErrorCode.INTERRUPTED: Error,
    ErrorCode.INTERNAL: InternalError,
    ErrorCode.DEVICE_FAILED: DeviceError,
    ErrorCode.NOT_EXECUTED: DeviceError,
    ErrorCode.UNAVAILABLE: UnavailableError,
}

_CLASSES_OF_FILES: dict[int, type[Error]] = {
    errno.ENOENT: MissingFileError,
    errno.EACCES: UnreadableFileError,
    errno.EISDIR: FolderError,
}


def _rebuild(kind: type[Error], message: str, code: ErrorCode, number: Optional[int], filename: Any) -> Error:
    error = kind(message, code)
    if number is not None:
        error.errno, error.strerror, error.filename = number, os.strerror(number), filename  # type: ignore[attr-defined]
    return error


def make_error(code: int, message: str, number: Optional[int] = None, filename: Optional[str] = None) -> Error:
    """The exception that the extension module raises. `number` is the errno of a file that could not be read."""
    kind = _CLASSES[ErrorCode(code)] if number is None else _CLASSES_OF_FILES[number]
    return _rebuild(kind, message, ErrorCode(code), number, filename)
