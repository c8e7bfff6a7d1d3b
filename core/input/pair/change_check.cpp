// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/change_check.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace isovmaf {

namespace {

constexpr std::array<std::string_view, 2> side_names{"reference", "distorted"};

} // namespace

std::vector<ChangeCheck::Found> ChangeCheck::see(std::int64_t pair, const VideoAtFrame &reference,
                                                 const VideoAtFrame &distorted) {
    std::vector<Found> found;
    const auto add = [&](FindingKind kind, std::string about, std::string sentence) {
        if (known_.insert(about).second)
            found.push_back({settled_kind(kind, videos_.policy, strict_),
                             {PairWarning::colours, std::move(sentence), std::move(about)}});
    };
    if (std::array now{reference.change, distorted.change}; now != last_) {
        for (ChangeFinding &change : compare_changes(reference, distorted, videos_.scaled, videos_.predicts))
            add(change.kind, std::move(change.about), std::move(change.sentence));
        last_ = std::move(now);
    }
    for (std::size_t side = 0; side < side_names.size(); side++) {
        const VideoAtFrame &video = side == 0 ? reference : distorted;
        if (!video.change || !video.change->colour.interlaced() || video.info.colour.interlaced())
            continue;
        count(interlaced_[side], pair, video);
        if (interlaced_kind() == FindingKind::error)
            add(FindingKind::warning, interlaced_about(side), interlaced_sentence(side, interlaced_[side].front()));
    }
    return found;
}

/// A frame behind the last one of a run makes it longer.
void ChangeCheck::count(std::vector<Run> &runs, std::int64_t pair, const VideoAtFrame &video) {
    if (!runs.empty() && runs.back().end == pair)
        runs.back().end++;
    else
        runs.push_back({pair, pair + 1, video.frame, video.change->colour.field_order});
}

std::string ChangeCheck::interlaced_about(std::size_t side) {
    return fmt::format("interlacing of {}", side_names[side]);
}

std::string ChangeCheck::interlaced_sentence(std::size_t side, const Run &first) const {
    return fmt::format(
        "from frame {} on, {}", first.frame,
        interlaced_text(side_names[side], side == 0 ? videos_.reference : videos_.distorted, first.field_order));
}

std::vector<PairWarning> ChangeCheck::interlaced(std::int64_t first, std::optional<std::int64_t> end) const {
    std::vector<PairWarning> warnings;
    for (std::size_t side = 0; side < side_names.size(); side++) {
        std::optional<Run> earliest;
        std::int64_t frames = 0;
        for (Run run : interlaced_[side]) {
            const std::int64_t before = std::max<std::int64_t>(first - run.first, 0);
            run.first += before;
            run.frame += before;
            run.end = std::min(run.end, end.value_or(run.end));
            if (run.first >= run.end)
                continue;
            earliest = earliest.value_or(run);
            frames += run.end - run.first;
        }
        if (earliest)
            add_warnings(warnings,
                         {{PairWarning::colours, in_frames_text(frames) + interlaced_sentence(side, *earliest),
                           interlaced_about(side), frames}});
    }
    return warnings;
}

} // namespace isovmaf
