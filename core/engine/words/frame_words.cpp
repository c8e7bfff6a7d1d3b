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
            fetch(frame.window);
            plan.definition->extract(frame.window.pictures(), workspace_, words);
            flagged_[f]++;
        }
        words = kept_words(plan, std::move(words));
    }
}

void FrameWords::fetch(FrameWindow &window) {
    if (!fetcher_)
        return;
    for (Frame *const frame : {&window.pair.reference, &window.pair.distorted})
        *frame = fetcher_->fetch(*frame);
    for (FrameWindow::Earlier *const side : {&window.earlier_reference, &window.earlier_distorted})
        for (Frame &frame : *side)
            frame = fetcher_->fetch(frame);
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
