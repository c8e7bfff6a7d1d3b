// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/alignment_hint.hpp"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace isovmaf {

namespace {

std::string frames_text(std::int64_t frames) { return fmt::format("{} frame{}", frames, frames == 1 ? "" : "s"); }

std::string shift_text(int offset) {
    return offset == 0 ? "in time" : fmt::format("{} {}", frames_text(std::abs(offset)), offset > 0 ? "late" : "early");
}

std::string evidence(const AlignedPart &part, const std::optional<SampledMeans> &means) {
    if (means)
        return fmt::format("mean {} of {} sampled frames {:.1f} -> {:.1f}", means->score_name, means->frames,
                           means->before, means->after);
    return fmt::format("mean difference of small pictures {:.2f} -> {:.2f} of 255", part.difference_before,
                       part.difference);
}

/// One change of the offset, and the options that score the frames after it.
std::string change_text(const AlignedPart &before, const AlignedPart &part, const AlignmentOptions &options) {
    const int step = part.offset - before.offset;
    const auto frame = static_cast<std::int64_t>(part.first_frame) + options.skip_reference;
    const auto distorted = static_cast<std::int64_t>(part.first_frame) + part.offset + options.skip_distorted;
    return fmt::format("; from reference frame {} on it seems {} ({}): {} seem{} to be {} near there; --frame_skip_ref "
                       "{} --frame_skip_dis {} scores the frames after that",
                       frame, shift_text(part.offset), evidence(part, {}), frames_text(std::abs(step)),
                       std::abs(step) == 1 ? "s" : "", step > 0 ? "repeated" : "dropped", frame, distorted);
}

} // namespace

std::string alignment_hint(const std::vector<AlignedPart> &parts, const AlignmentOptions &options,
                           const std::optional<SampledMeans> &means) {
    const AlignedPart &first = parts.front();
    std::string text = fmt::format("distorted seems {}", shift_text(first.offset));
    if (first.offset != 0)
        text += fmt::format(" ({}): try --offset {}", evidence(first, means), options.offset + first.offset);
    else
        text += " at first";
    for (std::size_t i = 1; i < parts.size(); i++)
        text += change_text(parts[i - 1], parts[i], options);
    if (parts.size() > 1)
        text += "; where the files state presentation times, try --sync pts";
    return text;
}

FrameSkips skips_for(int offset, const TimePairs &pairs) {
    std::int64_t moving = offset, fixed = 0;
    if (offset < 0) { // the moving video has no frame before its first: begin some frames later
        fixed = static_cast<std::int64_t>(std::ceil(-offset / pairs.moving_per_fixed));
        moving = std::llround(static_cast<double>(fixed) * pairs.moving_per_fixed) + offset;
    }
    return pairs.reference_moves ? FrameSkips{pairs.skipped.reference + moving, pairs.skipped.distorted + fixed}
                                 : FrameSkips{pairs.skipped.reference + fixed, pairs.skipped.distorted + moving};
}

std::string time_hint(const std::vector<AlignedPart> &parts, const TimePairs &pairs,
                      const std::optional<SampledMeans> &means) {
    const auto shift = [&](const AlignedPart &part) {
        const int late = pairs.reference_moves ? -part.offset : part.offset;
        return late == 0
                   ? std::string("in time")
                   : fmt::format("{} of the {} {}", frames_text(std::abs(late)),
                                 pairs.reference_moves ? "reference" : "distorted video", late > 0 ? "late" : "early");
    };
    const AlignedPart &first = parts.front();
    std::string text = "distorted seems " + shift(first);
    const FrameSkips skips = skips_for(first.offset, pairs);
    if (first.offset != 0)
        text += fmt::format(" ({}): try{} --frame_skip_ref {} --frame_skip_dis {}", evidence(first, means),
                            pairs.absolute ? " --sync pts" : "", skips.reference, skips.distorted);
    else
        text += " at first";
    for (std::size_t i = 1; i < parts.size(); i++)
        text += fmt::format("; from pair {} on it seems {} ({})", parts[i].first_frame, shift(parts[i]),
                            evidence(parts[i], {}));
    return text;
}

} // namespace isovmaf
