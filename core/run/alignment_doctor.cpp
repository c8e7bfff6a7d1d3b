// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/alignment_doctor.hpp"

#include <algorithm>

#include "align/part_pictures.hpp"

namespace isovmaf {

namespace {

/// Frames of the reference for one of the distorted video; 1 where a rate is not known.
double rate_ratio(const OpenedVideos &videos) {
    const auto &reference = videos.reference.timing.average_rate, &distorted = videos.distorted.timing.average_rate;
    return reference && distorted ? reference->value() / distorted->value() : 1;
}

} // namespace

AlignmentDoctor::AlignmentDoctor(int range, OpenedVideos &videos, std::size_t first_pair)
    : AlignmentDoctor(range, first_pair) {
    mode_ = videos.pairs->sync().mode;
    if (!by_time())
        return;
    const double ratio = rate_ratio(videos);
    rates_ = std::max(ratio, 1 / ratio);
    side_ = {.reference = ratio > 1, .distorted_frame = std::max(ratio, 1.0)};
    videos.pairs->watch_unpaired([this](bool of_reference, const Frame &frame) { see_unpaired(of_reference, frame); });
}

void AlignmentDoctor::see(const PairThumbnails &pair) {
    const auto &[reference, distorted] = pair;
    costs_.add(side_.reference ? distorted : reference, side_.reference ? reference : distorted);
    wide_.add(reference, distorted);
}

void AlignmentDoctor::see_unpaired(bool of_reference, const Frame &frame) {
    if (of_reference == side_.reference)
        costs_.add_unpaired(make_thumbnail(frame));
}

std::vector<std::byte> AlignmentDoctor::encode() const { return encode_part(first_pair_, costs_, wide_); }

Result<void> AlignmentDoctor::append(std::span<const std::byte> part) { return append_part(part, costs_, wide_); }

/// Looks near the pairs first. Frames that were paired by time have no offset in frames.
AlignmentFinding AlignmentDoctor::find() const {
    AlignmentFinding finding{.parts = find_alignment(costs_, side_)};
    if (is_aligned(finding.parts) && !by_time())
        if (const std::optional<AlignedPart> far = wide_.find_offset())
            finding.parts = {*far};
    if (is_aligned(finding.parts))
        finding.alike = wide_.look_alike();
    finding.fits = finding.aligned() && wide_.fit_as_paired();
    return finding;
}

TimePairs AlignmentDoctor::time_pairs(const PairOptions &pair) const {
    return {.skipped = {pair.skip_reference, pair.skip_distorted},
            .reference_moves = side_.reference,
            .moving_per_fixed = rates_,
            .absolute = mode_ == SyncMode::pts_absolute};
}

std::string AlignmentDoctor::hint(const AlignmentFinding &finding, const PairOptions &pair,
                                  const std::optional<SampledMeans> &means) const {
    if (!finding.alike)
        return "these videos do not look alike: check that both show the same, from the same frame on";
    return by_time() ? time_hint(finding.parts, time_pairs(pair), means)
                     : alignment_hint(finding.parts, {pair.offset, pair.skip_reference, pair.skip_distorted}, means);
}

PairOptions AlignmentDoctor::shifted(const AlignmentFinding &finding, PairOptions pair) const {
    const int offset = finding.parts.front().offset;
    if (!by_time()) {
        pair.add_offset(offset);
        return pair;
    }
    const FrameSkips skips = skips_for(offset, time_pairs(pair));
    pair.skip_reference = skips.reference;
    pair.skip_distorted = skips.distorted;
    pair.sync.mode = SyncMode::pts;
    return pair;
}

std::vector<PairWarning> AlignmentDoctor::warnings(const PairOptions &pair, const std::string &start_difference) const {
    const AlignmentFinding finding = find();
    return alignment_warnings(finding, finding.aligned() ? "" : hint(finding, pair), start_difference);
}

std::vector<PairWarning> alignment_warnings(const AlignmentFinding &finding, const std::string &hint,
                                            const std::string &start_difference) {
    std::vector<PairWarning> warnings;
    if (!finding.fits && !start_difference.empty())
        warnings.push_back({PairWarning::timing, start_difference + "; the pictures do not fit as they are paired"});
    if (!finding.aligned())
        warnings.push_back({PairWarning::alignment, hint});
    return warnings;
}

} // namespace isovmaf
