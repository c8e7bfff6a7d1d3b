// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <pybind11/numpy.h>

#include "isovmaf/isovmaf.hpp"

/// Frames of Python: one plane, or a tuple or list of the planes of a format.
namespace isovmaf::python {

/// The planes of `frame`. Raises MismatchError when they are fewer or more than the format has. `side` is "reference"
/// or "distorted".
[[nodiscard]] std::array<pybind11::object, 3> planes_of(pybind11::handle frame, const VideoFormat &format,
                                                        const char *side);

/// Whether the columns or rows of an array fit a plane: chroma planes of odd sizes may be rounded up, as in files.
[[nodiscard]] bool fits(const VideoFormat &format, int plane, std::int64_t rows, std::int64_t columns);

/// "reference plane 1 (Cb): 180 rows of 320 samples of type uint8 are expected, not " and then what there is.
[[noreturn]] void raise_misfit(const VideoFormat &format, int plane, const char *side, const std::string &found);

/// The planes as arrays of NumPy, also of tensors on the CPU. Raises MismatchError when they are others than `format`
/// says, and InvalidArgumentError on masked arrays.
[[nodiscard]] std::array<pybind11::array, 3> as_arrays(const std::array<pybind11::object, 3> &planes,
                                                       const VideoFormat &format, const char *side);

/// A frame that points into the arrays, which the caller keeps alive: it has no owner.
[[nodiscard]] Frame frame_of(const std::array<pybind11::array, 3> &arrays, const VideoFormat &format);

} // namespace isovmaf::python
