// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/alignment_gain.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "engine/plan/map_request.hpp"
#include "run/settle_videos.hpp"
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
Result<Mean> score_samples(const ScoreRequest &job, ScoringOptions scoring, const ExecutionHandle &execution,
                           const PairOptions &pair, std::int64_t step, std::size_t column) {
    VideoRequest request = job.videos;
    request.pair = pair;
    const std::int64_t needed = step * (sampled_frames - 1) + 1;
    request.pair.frame_count = std::min(request.pair.frame_count.value_or(needed), needed);
    request.pair.strict = false;
    OpenedVideos videos = TRY(open_videos(request, {}));
    scoring = without_maps(std::move(scoring));
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

} // namespace

std::optional<SampledMeans> measure_gain(const ScoreRequest &job, const ScoringOptions &scoring,
                                         const ExecutionHandle &execution, const ScoreTable &table, std::size_t column,
                                         const PairOptions &pair) {
    if (is_read_once(job.videos.reference.path) || is_read_once(job.videos.distorted.path))
        return std::nullopt;
    const std::int64_t step = sample_step(job, table);
    Mean before;
    for (const FrameScores &scores : table.frames)
        before.sample(scores, step, column);
    const Result<Mean> after = score_samples(job, scoring, execution, pair, step, column);
    if (!after)
        return std::nullopt;
    return SampledMeans{table.names[column], std::min(before.frames, after->frames), before.value(), after->value()};
}

} // namespace isovmaf::tool
