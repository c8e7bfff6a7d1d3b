// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "base/log.hpp"
#include "engine/plan/state_facts.hpp"
#include "input/pair/pair_warning.hpp"
#include "run/videos.hpp"

namespace isovmaf {

/// What the files state of their videos.
[[nodiscard]] PairFacts facts_of(const OpenedVideos &videos);

/// The warnings about facts for a report, after `log` got them and notes about facts that nobody states. With `strict`
/// a warning is an error.
[[nodiscard]] Result<std::vector<PairWarning>> warn_of_facts(const FactUse &use, bool strict, const LogSink &log);

} // namespace isovmaf
