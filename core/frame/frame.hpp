// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "isovmaf/frame.hpp"

namespace isovmaf {

/// Samples in a row of a plane as files and libav store it, with chroma rounded up.
[[nodiscard]] int stored_width(const VideoFormat &format, int plane);
/// Rows of a plane, likewise.
[[nodiscard]] int stored_height(const VideoFormat &format, int plane);

/// Whether chroma is stored with a column or row that is not scored.
[[nodiscard]] bool has_chroma_edge(const VideoFormat &format);

} // namespace isovmaf
