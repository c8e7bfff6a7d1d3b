// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <optional>

#include "align/alignment_hint.hpp"
#include "engine/score_table.hpp"
#include "run/videos.hpp"
#include "tools/isovmaf/score/score_request.hpp"

namespace isovmaf::tool {

/// The mean of column `column` of some frames, as `table` has them and when frames are paired as `pair` says: these are
/// scored on `execution`, and `scoring` is what the table was scored with. Nothing where the videos cannot be read
/// again.
[[nodiscard]] std::optional<SampledMeans> measure_gain(const ScoreRequest &job, const ScoringOptions &scoring,
                                                       const ExecutionHandle &execution, const ScoreTable &table,
                                                       std::size_t column, const PairOptions &pair);

} // namespace isovmaf::tool
