// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/workspace.hpp"
#include "engine/plan/feature_set.hpp"
#include "engine/schedule/scheduler.hpp"

namespace isovmaf {

/// Turns the words that extractors wrote into the words that are kept. The definition does each feature whose kernels
/// flagged the frame; then the completions run. Used by one thread.
class FrameWords {
  public:
    /// `plan` outlives this.
    explicit FrameWords(const EnginePlan &plan) : plan_(plan), flagged_(plan.features.size()) {}

    /// Once for each frame that a scheduler hands out. The frame's pictures lie in host memory when a feature may flag
    /// it. Throws what a definition throws.
    void finish(FrameInFlight &frame);

    /// Per feature: frames that kernels flagged.
    [[nodiscard]] const std::vector<std::int64_t> &flagged() const { return flagged_; }

    /// Adds the number of flagged frames to each feature of an execution, with a notice where it is not 0.
    void describe(Execution &execution) const;

  private:
    const EnginePlan &plan_;
    Workspace workspace_;
    std::vector<std::int64_t> flagged_;
    std::int64_t frames_ = 0;
};

/// The first feature that has a flag word, or an empty name.
[[nodiscard]] std::string_view feature_with_flag(const EnginePlan &plan);

} // namespace isovmaf
