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
            const FrameWindow window = fetched(frame.window, plan);
            plan.definition->extract(window.pictures(), workspace_, words);
            flagged_[f]++;
        }
        words = kept_words(plan, std::move(words));
    }
}

/// The window with what a feature reads of it on the host. The next feature may read more.
FrameWindow FrameWords::fetched(FrameWindow window, const FeaturePlan &plan) {
    if (!fetcher_)
        return window;
    const auto fetch_frame = [&](Frame &frame) {
        frame = fetcher_->fetch(frame, plan.plane_count(plan_.context.format));
    };
    fetch_frame(window.pair.reference);
    fetch_frame(window.pair.distorted);
    for (int back = 0; back < plan.earlier.reference; back++)
        fetch_frame(window.earlier_reference[static_cast<std::size_t>(back)]);
    for (int back = 0; back < plan.earlier.distorted; back++)
        fetch_frame(window.earlier_distorted[static_cast<std::size_t>(back)]);
    return window;
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

} // namespace isovmaf
