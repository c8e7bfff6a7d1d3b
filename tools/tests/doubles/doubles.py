# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Copies of the program, for tests, in which single features are another: without kernels, with another CPU path, or
with a mistake in their vector code.

double.py writes the sources in which they differ. A double of a CPU path is a copy of the feature's definition.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class PathFault:
    """One mistake in the copy of a definition, or in vector code, and where `isovmaf diff` has to find it in noise of 150x40."""

    feature: str
    summary: str # one sentence
    find: str    # text of the file, which occurs once
    replace: str # what stands there instead
    stage: str   # the first one that differs
    column: int  # the first value that differs
    row: int


# One feature is enough: vector code shows the same of the others.
PATH_FAULTS = (
    PathFault(
        feature="psnr",
        summary="The last row of 16 is compared with the row above it.",
        find="*const d = distorted.row<Sample>(y);",
        replace="*const d = distorted.row<Sample>(y % 16 == 15 ? y - 1 : y);",
        stage="squared errors of Y",
        column=0,
        row=15,
    ),
)

# In the level that has vectors of 128 bits.
VECTOR_FAULTS = (
    PathFault(
        feature="motion",
        summary="The second vector of a row reads its last taps' samples one column too early.",
        find="hn::LoadU(di16, row + x + 2)};",
        replace="hn::LoadU(di16, row + x + (x == lanes_16 ? 1 : 2))};",
        stage="difference to the frame before: blurred",
        column=8,
        row=0,
    ),
    PathFault(
        feature="vif",
        summary="Every fourth column lacks the low half of its moments.",
        find="hn::Add(high[i], hn::ShiftRight<16>(low[i]));",
        replace="i == 3 ? high[i] : hn::Add(high[i], hn::ShiftRight<16>(low[i]));",
        stage="scale 0: variance of the reference",
        column=3,
        row=0,
    ),
    PathFault(
        feature="adm",
        summary="The diagonal band of the mask is one larger, but for the first vector of a row.",
        find="sensitivity<first, ADM_BAND_D>(factor_d, load(ADM_BAND_D));",
        replace="sensitivity<first, ADM_BAND_D>(factor_d, hn::Add(load(ADM_BAND_D), hn::Set(di32, x > columns.begin)));",
        stage="scale 0: contrast-weighted added d band",
        column=20,
        row=1,
    ),
)
PATHS = tuple(fault.feature for fault in PATH_FAULTS)

# Functions of a definition that other files call: in its copy they have other names.
SHARED_FUNCTIONS = {"psnr": ("make_psnr_reference",)}


@dataclasses.dataclass(frozen=True)
class Double:
    """One copy of the program."""

    name: str
    paths: tuple = ()      # features with a CPU path
    faults: tuple = ()     # in those
    no_kernels: tuple = () # features without kernels
    vector_faults: tuple = ()


DOUBLES = (
    Double(name="no_kernels", no_kernels=("psnr",)),
    Double(name="sound_paths", paths=PATHS),
    Double(name="faulty_paths", paths=PATHS, faults=PATH_FAULTS),
    Double(name="faulty_vectors", vector_faults=VECTOR_FAULTS),
)
