# SPDX-License-Identifier: BSD-2-Clause-Patent
"""The part of the package that needs FFmpeg."""

from __future__ import annotations

from types import ModuleType


def files_module() -> ModuleType:
    """The extension module that reads video files, loaded when the first of them is read."""
    try:
        from . import _files
    except ImportError as error:
        raise ImportError(
            f"isovmaf reads video files with FFmpeg, whose libraries cannot be loaded: {error}; install libavformat, "
            "libavcodec, libavutil and libswscale of that version (in Debian and Ubuntu: apt install ffmpeg), or score "
            "arrays, which need no FFmpeg"
        ) from error
    return _files
