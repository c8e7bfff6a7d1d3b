// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/align_hint.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/plan/map_request.hpp"
#include "tools/isovmaf/interrupt.hpp"

namespace isovmaf::tool {

namespace {

constexpr std::int64_t sampled_frames = 40;

struct Mean {
    double sum = 0;
    std::int64_t frames = 0;

    [[nodiscard]] double value() const { return frames > 0 ? sum / static_cast<double>(frames) : 0; }

    /// Adds the score if the frame is one of the samples, which are `step` frames apart.
    void sample(const FrameScores &scores, std::int64_t step, std::size_t column) {
        if (scores.frame % step != 0 || frames == sampled_frames)
            return;
        sum += scores.scores[column];
        frames++;
    }
};

/// Frames between two samples; a multiple of the run's own subsampling.
std::int64_t sample_step(const ScoreRequest &job, const ScoreTable &table) {
    const std::int64_t last = table.frames.empty() ? 0 : table.frames.back().frame;
    return job.scoring.subsample * std::max<std::int64_t>(1, (last + 1) / sampled_frames / job.scoring.subsample);
}

/// Scores every `step`-th frame of the videos, paired as `pair` says.
Result<Mean> score_samples(const ScoreRequest &job, const ExecutionHandle &execution, const PairOptions &pair,
                           std::int64_t step, std::size_t column) {
    VideoRequest request = job.videos;
    request.pair = pair;
    const std::int64_t needed = step * (sampled_frames - 1) + 1;
    request.pair.frame_count = std::min(request.pair.frame_count.value_or(needed), needed);
    request.pair.strict = false;
    OpenedVideos videos = TRY(open_videos(request, {}));
    ScoringOptions scoring = without_maps(job.scoring);
    scoring.subsample = static_cast<int>(step);
    Session session = TRY(Session::create(videos.pairs->format(), scoring, execution));
    Mean mean;
    const InterruptGuard guard;
    const VideoEnd end =
        TRY(score_opened_videos(videos, session,
                                {.scored = [&](const FrameScores &scores) { mean.sample(scores, step, column); },
                                 .stop = [&] { return guard.interrupted(); }}));
    if (end == VideoEnd::stopped)
        return fail(ErrorCode::interrupted, "scoring of sampled frames was interrupted");
    return mean;
}

/// The mean score of sampled frames before and after; nothing where the videos cannot be read again.
std::optional<SampledMeans> measure(const ScoreRequest &job, const ExecutionHandle &execution, const ScoreTable &table,
                                    std::size_t column, const PairOptions &pair) {
    if (job.videos.reference.path == "-" || job.videos.distorted.path == "-")
        return std::nullopt;
    const std::int64_t step = sample_step(job, table);
    Mean before;
    for (const FrameScores &scores : table.frames)
        before.sample(scores, step, column);
    const Result<Mean> after = score_samples(job, execution, pair, step, column);
    if (!after)
        return std::nullopt;
    return SampledMeans{table.names[column], std::min(before.frames, after->frames), before.value(), after->value()};
}

/// Frames of the reference for one of the distorted video; 1 where a rate is not known.
double rate_ratio(const OpenedVideos &videos) {
    const auto &reference = videos.reference.timing.average_rate, &distorted = videos.distorted.timing.average_rate;
    return reference && distorted ? reference->value() / distorted->value() : 1;
}

} // namespace

AlignmentDoctor::AlignmentDoctor(int range, OpenedVideos &videos)
    : mode_(videos.pairs->sync().mode), costs_(range + 1) {
    if (mode_ == SyncMode::index)
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

/// Looks near the pairs first. Frames that were paired by time have no offset in frames.
std::vector<AlignedPart> AlignmentDoctor::find_parts() const {
    std::vector<AlignedPart> parts = find_alignment(costs_, side_);
    if (!is_aligned(parts) || mode_ != SyncMode::index)
        return parts;
    const std::optional<AlignedPart> far = wide_.find_offset();
    return far ? std::vector{*far} : parts;
}

AlignmentHint AlignmentDoctor::hint(const ScoreArguments &arguments, const ScoreRequest &job,
                                    const ExecutionHandle &execution, const ScoreTable &table,
                                    std::size_t column) const {
    const std::vector<AlignedPart> parts = find_parts();
    if (is_aligned(parts) && !wide_.look_alike())
        return {.fits = false,
                .aligned = false,
                .text = "these videos do not look alike: check that both show the same, from the same frame on"};
    if (is_aligned(parts))
        return {.fits = wide_.fit_as_paired(),
                .text = arguments.align
                            ? fmt::format("no offset within +-{} frames fits clearly better than the one of this run",
                                          arguments.align_range)
                            : ""};
    const bool by_time = mode_ != SyncMode::index;
    const PairOptions &pair = job.videos.pair;
    const TimePairs pairs{.skipped = {pair.skip_reference, pair.skip_distorted},
                          .reference_moves = side_.reference,
                          .moving_per_fixed = rates_,
                          .absolute = mode_ == SyncMode::pts_absolute};
    std::optional<SampledMeans> means;
    if (const int offset = parts.front().offset; arguments.align && offset != 0) {
        PairOptions shifted = pair;
        if (by_time) {
            const FrameSkips skips = skips_for(offset, pairs);
            shifted.skip_reference = skips.reference;
            shifted.skip_distorted = skips.distorted;
            shifted.sync.mode = SyncMode::pts;
        } else {
            add_offset(offset, shifted);
        }
        means = measure(job, execution, table, column, shifted);
    }
    return {.fits = false,
            .aligned = false,
            .text = by_time
                        ? time_hint(parts, pairs, means)
                        : alignment_hint(parts, {arguments.offset, pair.skip_reference, pair.skip_distorted}, means)};
}

} // namespace isovmaf::tool
