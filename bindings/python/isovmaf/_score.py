# SPDX-License-Identifier: BSD-2-Clause-Patent
"""From two videos to scores."""

from __future__ import annotations

import inspect
import os
from typing import Any, Optional, Sequence, Union

from ._arrays import ArrayPairs, Progress, is_path, score_pairs
from ._ffmpeg import files_module
from ._options import Devices, Path, Paths, Texts, for_module, names_options
from ._result import Result, make_result

# A file, an array of the shape (frames, rows, columns), or a tuple of one for each plane.
Video = Union[Path, Any, Sequence[Any]]


@names_options
def score(
    reference: Video,
    distorted: Video,
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
    hwaccel: str = "none",
    width: Optional[int] = None,
    height: Optional[int] = None,
    chroma: Optional[str] = None,
    bit_depth: Optional[int] = None,
    ref_format: str = "",
    dis_format: str = "",
    ref_stream: str = "",
    dis_stream: str = "",
    allow_partial: bool = False,
    crop: Texts = (),
    resize: str = "",
    convert: Texts = (),
    film_grain: str = "on",
    as_is: bool = False,
    fit: bool = False,
    strict: bool = False,
    frame_skip_ref: int = 0,
    frame_skip_dis: int = 0,
    frame_cnt: Optional[int] = None,
    offset: Union[int, str] = 0,
    sync: str = "auto",
    sync_tolerance: Optional[float] = None,
    progress: Optional[Progress] = None,
) -> Result:
    """Scores a distorted video against its reference.

    Both are files that FFmpeg reads, Y4M, or raw planar video; "-" is standard input. Or both are arrays of the shape
    (frames, rows, columns): luma alone, or a tuple of such arrays for the planes Y, Cb and Cr; see score_pairs for
    frames that are made one by one. The options mean what those of `isovmaf score` do, where more is said about each
    (isovmaf score --help, docs/input.md).

    What is scored
      models            Models: "version=vmaf_v0.6.1" (the default), "version=vmaf_4k_v0.6.1", "v1" (VMAF v1 for HD
                        or 4K, by the size of the pictures), "path=my_model.json", with ":name=..." and other options
                        behind; see docs/models.md. Several of them as a sequence; () for none.
      features          Features besides those that the models need: "psnr", "vif:vif_enhn_gain_limit=1.0".
      model_dir         Folders searched for models by version, besides those built in.
      subsample         Score frames 0, n, 2n, ...
      compat            "libvmaf-3.2", or "libvmaf-3.0" for the scores of older releases.

    Where
      backend           "auto": a GPU if there is one, else the CPU. "cpu", "cpu-ref", "cuda", "hip", "vulkan": this
                        one or an error. "cuda,cpu": the CPU computes what the plugin has no kernels for.
      device            Number of the backend's device; the first that works if not given. Several share the frames:
                        [0, 1], "0,1" or "all".
      backend_dir       Folders searched for plugins.
      frames_in_flight  Frames that are computed at a time; 0: as many as are useful and fit.
      threads           Threads of the CPU; 0: one per processor. Never changes a score.
      cpu               Newest instruction set that may be used: "avx2", ... Never changes a score.
      hwaccel           Who decodes files: "none": the CPU; "cuda": the NVIDIA GPU that computes, or an error; "auto":
                        the device that computes if it can, else the CPU. Never changes a score.

    How the videos are read: for files, except for chroma and bit_depth
      width, height     Size in luma samples, chroma ("420", "422", "444", "400") and bit_depth (8 to 16) of raw
                        video; arrays of uint16 need bit_depth, and their shapes say chroma. ref_format and dis_format are for one side: "1920x1080:420p10@24".
      ref_stream, dis_stream          "v:1" is the second video stream.
      allow_partial     A raw file may end inside a frame.
      crop, resize, convert           "WxH+X+Y" or "dis:WxH+X+Y"; "dis:bicubic"; "dis:range", "dis:10", "420p10", "dis:bt709".
      film_grain        "off": the pictures of AV1, H.264 and HEVC are compared without the film grain that decoders
                        apply, or an error where the decoder cannot leave it out.
      as_is             Score the samples as they are, whatever the files say about colours.
      fit               Do what else the two videos need to be compared: chroma, black bars, range, size; notes of the
                        result say each step. Options by hand come first.
      strict            What is a warning becomes an error.
      frame_skip_ref, frame_skip_dis  Leading frames that are left out.
      frame_cnt         Score at most this number of frames.
      offset            Reference frame n is paired with distorted frame n + offset. "auto": what small pictures of
                        the first 1,500 pairs clearly show, or an error.
      sync              "auto", "index", "pts" or "pts-absolute"; sync_tolerance is in seconds.

    progress            Called with (done, total) about 20 times a second while frames become ready, and at the end.
                        Both count frames; total is None when the files do not say it. An exception that it raises ends
                        the scoring.

    Other threads of Python run meanwhile. Ctrl-C ends the scoring with KeyboardInterrupt. What a user should know about
    scores that can be computed is a ScoreWarning (Python's module warnings). Raises isovmaf.Error otherwise.
    """
    options = dict(locals())
    if not (is_path(reference) and is_path(distorted)):
        return _score_arrays(options)
    del options["progress"]
    options["reference"], options["distorted"] = os.fsencode(reference), os.fsencode(distorted)
    return make_result(files_module().score_files(for_module(options), progress))


def _score_arrays(options: dict[str, Any]) -> Result:
    """Scores two videos in arrays. Options that say how files are read are an error."""
    reference, distorted = options.pop("reference"), options.pop("distorted")
    if is_path(reference) or is_path(distorted):
        raise TypeError("one video is a file and the other is none: give two files, or two arrays")
    known = inspect.signature(score_pairs).parameters
    for name, parameter in inspect.signature(score).parameters.items():
        if name in options and name not in known and options.pop(name) != parameter.default:
            raise TypeError(f"{name} says how a file is read, and the videos are arrays: leave it out")
    return score_pairs(ArrayPairs(reference, distorted), **options)
