// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/words/frame_words.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isovmaf {

void FrameWords::finish(FrameInFlight &frame) {
    frames_++;
    for (std::size_t f = 0; f < plan_.features.size(); f++) {
        if (!frame.wanted[f])
            continue;
        const FeaturePlan &plan = plan_.features[f].plan;
        std::vector<std::int64_t> &words = frame.words[f];
        if (plan.is_flagged(words)) {
            workspace_.reset();
            plan.definition->extract(frame.frames.inputs(), workspace_, words);
            flagged_[f]++;
        }
        words = kept_words(plan, std::move(words));
    }
}

void FrameWords::describe(Execution &execution) const {
    for (std::size_t f = 0; f < flagged_.size(); f++) {
        if (flagged_[f] == 0)
            continue;
        const std::string_view name = plan_.features[f].feature->name;
        const auto work = std::ranges::find(execution.work, name, &FeatureWork::feature);
        if (work != execution.work.end())
            work->flagged = flagged_[f];
        execution.notices.push_back(fmt::format("kernels of feature {} left {} of {} frames to its definition on the "
                                                "CPU: these frames took longer, their scores are the same",
                                                name, flagged_[f], frames_));
    }
}

std::string_view feature_with_flag(const EnginePlan &plan) {
    const auto found =
        std::ranges::find_if(plan.features, [](const PlannedFeature &f) { return f.plan.flag_word.has_value(); });
    return found == plan.features.end() ? std::string_view() : found->feature->name;
}

} // namespace isovmaf
