// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "batch/work/unit.hpp"

namespace isovmaf::batch {

/// The first frame that has to be read for some frames: extractors may read earlier ones.
[[nodiscard]] std::int64_t first_opened_frame(const FrameRange &frames);

/// What to open for the frames of a job from `first` on.
[[nodiscard]] VideoRequest videos_from(const PairJob &job, std::int64_t first);

} // namespace isovmaf::batch
