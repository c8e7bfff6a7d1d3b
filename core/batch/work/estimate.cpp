// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/estimate.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"

namespace isovmaf::batch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_rows = 64;     ///< of a sample
constexpr std::size_t measured_pairs = 4; ///< of a sample
constexpr std::int64_t measured_frames = 32;

Result<OpenedVideos> open_job(const PairJob &job, std::int64_t most_frames) {
    VideoRequest request = job.videos;
    request.chroma_readers = chroma_readers_of(job.scoring);
    request.pair.frame_count = std::min(request.pair.frame_count.value_or(most_frames), most_frames);
    return open_videos(request, {});
}

/// Adds the first frames of a pair; stops reading at `deadline`.
Result<void> measure_pair(const PairJob &job, Clock::time_point deadline, SampleSpeed &speed) {
    OpenedVideos videos = TRY(open_job(job, measured_frames));
    Session session = TRY(Session::create({videos.pairs->format(), job.scoring, job.execution}));
    std::int64_t frames = 0;
    const Clock::time_point start = Clock::now();
    TRY(score_opened_videos(
        videos, session, {.pushed = [&] { frames++; }, .stop = [&] { return frames > 0 && Clock::now() > deadline; }}));
    speed.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    speed.frames += frames;
    speed.pairs++;
    return {};
}

} // namespace

void RowSample::add(const Row &row) {
    if (seen_++ % step_ != 0)
        return;
    rows_.push_back(row);
    if (rows_.size() <= most_rows)
        return;
    std::vector<Row> half;
    for (std::size_t i = 0; i < rows_.size(); i += 2)
        half.push_back(std::move(rows_[i]));
    rows_ = std::move(half);
    step_ *= 2;
}

SampleFrames count_sample(const std::vector<PairJob> &sample) {
    SampleFrames counted;
    for (const PairJob &job : sample) {
        const Result<OpenedVideos> videos = open_job(job, INT64_MAX);
        const auto frames = videos ? videos->pairs->expected_pairs() : std::nullopt;
        counted.pairs += frames.has_value();
        counted.frames += frames.value_or(0);
    }
    return counted;
}

SampleSpeed measure_sample(const std::vector<PairJob> &sample, std::chrono::milliseconds budget) {
    SampleSpeed speed;
    const Clock::time_point deadline = Clock::now() + budget;
    const std::size_t step = (sample.size() + measured_pairs - 1) / measured_pairs;
    for (std::size_t i = 0; i < sample.size() && (speed.frames == 0 || Clock::now() < deadline); i += step)
        if (const Result<void> measured = measure_pair(sample[i], deadline, speed); !measured && !speed.failure)
            speed.failure = measured.error();
    return speed;
}

} // namespace isovmaf::batch
