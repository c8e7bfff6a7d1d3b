// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/work/unit.hpp"
#include "engine/plan/bind_models.hpp"
#include "report/number_text.hpp"
#include "tools/isovmaf/batch/batch_folders.hpp"
#include "tools/isovmaf/batch/batch_steps.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

namespace {

/// Some rows of a manifest, evenly spread over it: every n-th one. Their number is bounded, that of the rows is not.
class RowSample {
  public:
    void add(const batch::Row &row);
    [[nodiscard]] const std::vector<batch::Row> &rows() const { return rows_; }

  private:
    std::vector<batch::Row> rows_;
    std::int64_t seen_ = 0, step_ = 1;
};

/// What sampled pairs say about a batch.
struct SampleFrames {
    std::int64_t pairs = 0, frames = 0; ///< of pairs that state how many frames they have
};

/// How fast sampled pairs were scored.
struct SampleSpeed {
    std::int64_t pairs = 0, frames = 0;
    double seconds = 0;
    std::optional<Error> failure = {}; ///< of the first pair that could not be scored
};

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_rows = 64;     ///< of a sample
constexpr std::size_t measured_pairs = 4; ///< of a sample
constexpr std::int64_t measured_frames = 32;

Result<OpenedVideos> open_job(const PairJob &job, std::int64_t most_frames) {
    VideoRequest request = job.videos;
    request.readers = readers_of(job.scoring);
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

void RowSample::add(const batch::Row &row) {
    if (seen_++ % step_ != 0)
        return;
    rows_.push_back(row);
    if (rows_.size() <= most_rows)
        return;
    std::vector<batch::Row> half;
    for (std::size_t i = 0; i < rows_.size(); i += 2)
        half.push_back(std::move(rows_[i]));
    rows_ = std::move(half);
    step_ *= 2;
}

/// Opens each pair and adds up the frames that it seems to have. Pairs that cannot be opened are left out.
SampleFrames count_sample(const std::vector<PairJob> &sample) {
    SampleFrames counted;
    for (PairJob job : sample) {
        const Result<void> settled = settle_job(job, SettledBy::headers);
        const Result<OpenedVideos> videos = settled ? open_job(job, INT64_MAX) : tl::unexpected(settled.error());
        const auto frames = videos ? videos->pairs->expected_pairs() : std::nullopt;
        counted.pairs += frames.has_value();
        counted.frames += frames.value_or(0);
    }
    return counted;
}

/// Scores the first frames of some of the pairs, one after the other, until `budget` is spent. Work before the
/// first frame, such as opening a device, is not in the time.
SampleSpeed measure_sample(const std::vector<PairJob> &sample, std::chrono::milliseconds budget) {
    SampleSpeed speed;
    const Clock::time_point deadline = Clock::now() + budget;
    const std::size_t step = (sample.size() + measured_pairs - 1) / measured_pairs;
    for (std::size_t i = 0; i < sample.size() && (speed.frames == 0 || Clock::now() < deadline); i += step)
        if (const Result<void> measured = measure_pair(sample[i], deadline, speed); !measured && !speed.failure)
            speed.failure = measured.error();
    return speed;
}

using Places = std::vector<batch::WorkerPlace>;

/// What a batch consists of.
struct Plan {
    batch::ManifestSummary summary;
    std::int64_t units = 0, counted_pairs = 0, counted_frames = 0; ///< frames of the pairs that are cut into segments
    RowSample sample = {};
};

/// How many frames a worker scores in a second, and how that is known.
struct Rate {
    double frames_per_second = 0; ///< of all workers
    std::string source;           ///< or why the rate is not known
};

Result<Plan> make_plan(const BatchArguments &arguments) {
    Plan plan;
    batch::RowJobs jobs(base_of(arguments));
    plan.summary = TRY(check_manifest(arguments, jobs, [&](const batch::Row &row, std::uint64_t) -> Result<void> {
        if (!row.problem.empty())
            return {};
        plan.sample.add(row);
        plan.units++;
        if (arguments.segment_frames == 0)
            return {};
        const auto frames = batch::count_frames(TRY(jobs.make(row)));
        plan.units += std::max<std::int64_t>(0, (frames.value_or(0) - 1) / arguments.segment_frames);
        plan.counted_pairs += frames.has_value();
        plan.counted_frames += frames.value_or(0);
        return {};
    }));
    return plan;
}

/// How far an earlier run of the folder has come; nothing where there is none.
Result<std::optional<batch::RunState>> earlier_run(const BatchArguments &arguments) {
    if (arguments.run.empty() || !std::filesystem::exists(std::filesystem::path(arguments.run) / "run.json"))
        return std::nullopt;
    const auto read =
        TRY(ReadFolder::open(TRY(batch::RunFolder::open(arguments.run)), batch::RunResults::Lookup::names));
    return TRY(read->results().state());
}

Result<std::vector<PairJob>> jobs_of(const RowSample &sample, const BatchArguments &arguments,
                                     const ExecutionOptions &execution) {
    batch::RowJobs rows(base_of(arguments));
    std::vector<PairJob> jobs;
    for (const batch::Row &row : sample.rows())
        jobs.emplace_back(TRY(rows.make(row, execution))).videos.hwaccel = hardware_decoding_named(arguments.hwaccel);
    return jobs;
}

/// Each device is measured alone, by its first worker.
Result<Rate> measured_rate(const BatchArguments &arguments, const RowSample &sample, const Places &places) {
    constexpr std::chrono::milliseconds budget{2000};
    std::map<std::string, SampleSpeed> speeds; // by device
    std::int64_t frames = 0, pairs = 0;
    Rate rate;
    for (const batch::WorkerPlace &place : places) {
        const auto [speed, added] = speeds.try_emplace(place.device.label());
        if (added) {
            const auto jobs = TRY(jobs_of(sample, arguments, execution_at(place, arguments)));
            speed->second = measure_sample(jobs, budget);
            frames += speed->second.frames;
            pairs += speed->second.pairs;
        }
        if (speed->second.frames == 0)
            return Rate{0, speed->second.failure ? speed->second.failure->message : "there is no pair to measure"};
        rate.frames_per_second += static_cast<double>(speed->second.frames) / speed->second.seconds;
    }
    rate.source = fmt::format("measured by scoring {} of {}", counted(frames, "frame"), counted(pairs, "pair"));
    return rate;
}

Result<Rate> choose_rate(const BatchArguments &arguments, const std::optional<batch::RunState> &earlier,
                         const RowSample &sample, const Places &places) {
    if (arguments.rate > 0)
        return Rate{arguments.rate, "as given"};
    if (earlier && earlier->frames > 0 && earlier->seconds > 0)
        return Rate{static_cast<double>(places.size()) * static_cast<double>(earlier->frames) / earlier->seconds,
                    fmt::format("as {} of the run folder took", counted(earlier->frames, "frame"))};
    return measured_rate(arguments, sample, places);
}

std::string frames_text(const Plan &plan, const SampleFrames &sampled, std::int64_t frames) {
    const std::string text = counted(frames, "frame");
    return sampled.pairs == plan.summary.pairs
               ? text
               : fmt::format("about {}, as {} have {}", text, counted(sampled.pairs, "pair"),
                             count_text(sampled.frames));
}

/// Estimates the frames of all pairs from the sampled pairs.
std::int64_t all_frames(const Plan &plan, const SampleFrames &sampled) {
    return static_cast<std::int64_t>(static_cast<double>(sampled.frames) / static_cast<double>(sampled.pairs) *
                                     static_cast<double>(plan.summary.pairs));
}

Result<std::string> time_text(const BatchArguments &arguments, const Plan &plan, const Places &places) {
    const SampleFrames sampled = plan.counted_pairs > 0 ? SampleFrames{plan.counted_pairs, plan.counted_frames}
                                                        : count_sample(TRY(jobs_of(plan.sample, arguments, arguments)));
    if (sampled.pairs == 0)
        return "the time is not known: no video states how many frames it has\n";
    const std::int64_t frames = all_frames(plan, sampled);
    std::string text = frames_text(plan, sampled, frames);
    const std::optional<batch::RunState> earlier = TRY(earlier_run(arguments));
    const std::int64_t done = earlier ? std::min(earlier->frames, frames) : 0;
    if (earlier)
        text += fmt::format("; {} of the run folder finished",
                            counted(static_cast<std::int64_t>(earlier->finished), "unit"));
    const Rate rate = TRY(choose_rate(arguments, earlier, plan.sample, places));
    if (rate.frames_per_second == 0)
        return fmt::format("{}\nthe time is not known: {}\n", text, rate.source);
    return fmt::format("{}\nabout {} with {} at {:.1f} frames/s, {}\n", text,
                       duration_text(static_cast<double>(frames - done) / rate.frames_per_second),
                       counted(static_cast<std::int64_t>(places.size()), "worker"), rate.frames_per_second,
                       rate.source);
}

} // namespace

Result<ExitCode> dry_run(const BatchArguments &arguments, const std::vector<batch::WorkerPlace> &places) {
    const Plan plan = TRY(make_plan(arguments));
    print_output("{}, {} to read", counted(plan.summary.pairs, "pair"),
                 counted(static_cast<std::int64_t>(plan.summary.bytes), "byte"));
    if (plan.summary.invalid > 0)
        print_output("; {} cannot be scored", counted(plan.summary.invalid, "row"));
    write_output("\n");
    if (plan.summary.pairs > 0)
        print_output("{}; {}", counted(plan.units, "unit"), TRY(time_text(arguments, plan, places)));
    return plan.summary.invalid > 0 && !arguments.skip_invalid ? exit_failed : exit_ok;
}

} // namespace isovmaf::tool
