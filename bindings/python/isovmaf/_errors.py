# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Failures of the library as exceptions."""

from __future__ import annotations

import enum


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


def make_error(code: int, message: str) -> Error:
    """The exception that the extension module raises."""
    kind = ErrorCode(code)
    return _CLASSES[kind](message, kind)
