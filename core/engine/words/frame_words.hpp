// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <vector>

#include "base/workspace.hpp"
#include "device/frame_fetcher.hpp"
#include "engine/plan/feature_set.hpp"
#include "engine/schedule/scheduler.hpp"
#include "isovmaf/execution.hpp"

namespace isovmaf {

/// Turns the words that extractors wrote into the words that are kept. The definition does each feature whose kernels
/// flagged the frame; then the completions run. Used by one thread.
class FrameWords {
  public:
    /// `plan` and `fetcher` outlive this. `fetcher` is null where no frame lies in memory of a device.
    explicit FrameWords(const EnginePlan &plan, FrameFetcher *fetcher = nullptr)
        : plan_(plan), fetcher_(fetcher), flagged_(plan.features.size()) {}

    /// Once for each frame that a scheduler hands out. The pictures of a flagged frame are fetched to the host. Throws
    /// what a definition throws.
    void finish(FrameInFlight &frame);

    /// Per feature: frames that kernels flagged.
    [[nodiscard]] const std::vector<std::int64_t> &flagged() const { return flagged_; }

    /// Adds the number of flagged frames to each feature of an execution, with a notice where it is not 0.
    void describe(Execution &execution) const;

  private:
    [[nodiscard]] FrameWindow fetched(FrameWindow window, const FeaturePlan &plan);

    const EnginePlan &plan_;
    FrameFetcher *fetcher_;
    Workspace workspace_;
    std::vector<std::int64_t> flagged_;
    std::int64_t frames_ = 0;
};

} // namespace isovmaf
