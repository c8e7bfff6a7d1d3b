// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "isovmaf/frame.hpp"

namespace isovmaf {

/// Samples in a row of a plane as files and libav store it, with chroma rounded up.
[[nodiscard]] int stored_width(const VideoFormat &format, int plane);
/// Rows of a plane, likewise.
[[nodiscard]] int stored_height(const VideoFormat &format, int plane);

} // namespace isovmaf
