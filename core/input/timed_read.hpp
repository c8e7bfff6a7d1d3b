// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "input/source.hpp"

namespace isovmaf {

/// The next frame of a source with its time, or nothing at the end. Exceptions come back as errors: one that leaves a
/// thread would end the process.
[[nodiscard]] Result<std::optional<TimedFrame>> read_timed(FrameSource &source) noexcept;

/// Passes over the next frame of a source; false at the end. Exceptions come back as errors.
[[nodiscard]] Result<bool> skip_frame(FrameSource &source) noexcept;

} // namespace isovmaf
