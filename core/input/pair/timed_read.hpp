// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "input/source.hpp"

namespace isovmaf {

/// The next frame of a source with its time, or nothing at the end. Exceptions come back as errors: one that leaves a
/// thread would end the process.
[[nodiscard]] Result<std::optional<TimedFrame>> read_timed(FrameSource &source) noexcept;

/// Passes over frames of a source: see FrameSource::skip. Exceptions come back as errors.
[[nodiscard]] Result<std::int64_t> skip_frames(FrameSource &source, std::int64_t count) noexcept;

} // namespace isovmaf
