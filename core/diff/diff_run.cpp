// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/diff_job.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "diff/scoring.hpp"
#include "engine/plan/bind_models.hpp"
#include "features/registry.hpp"
#include "features/semantics.hpp"
#include "golden/golden_file.hpp"
#include "stored/stored_golden.hpp"

namespace isovmaf::diff {

namespace {

using Clock = std::chrono::steady_clock;

/// One of this many random cases is scored as another release than the default does.
constexpr int cases_per_other_release = 8;

class DiffRun {
  public:
    DiffRun(const DiffArguments &arguments, const DiffJob &job, Harness &harness)
        : arguments_(arguments), job_(job), harness_(harness) {}

    Result<void> run() {
        if (job_.videos)
            return videos();
        if (arguments_.fuzz_seconds)
            return fuzz();
        for (const Content &content : contents())
            if (!compare(content_pictures(content), job_.semantics))
                return {};
        return {};
    }

  private:
    Result<SessionOptions> session_of(const VideoFormat &format, Semantics semantics) const {
        const ScoringOptions scoring = job_.scoring ? *job_.scoring : TRY(score_everything(format, semantics));
        return SessionOptions{format, scoring, common_execution(arguments_)};
    }

    /// Returns false when the run has ended.
    bool compare(const Pictures &whole, Semantics semantics) {
        const Result<Pictures> pictures = reduce(whole, job_.reduction);
        if (!pictures)
            return failed(pictures.error());
        const Result<SessionOptions> options = session_of(pictures->format, semantics);
        if (!options)
            return failed(options.error());
        return harness_.compare(*pictures, *options) && !harness_.stopped();
    }

    bool failed(const Error &error) {
        harness_.fail(error.message);
        return false;
    }

    Result<void> videos() {
        const Pictures pictures = TRY(video_pictures(*job_.videos));
        compare(pictures, job_.semantics);
        return {};
    }

    /// The smallest sides that need a sweep of their own: the largest minimum of the features that were chosen, else
    /// the minimum of every feature.
    [[nodiscard]] std::vector<int> smallest_sides() const {
        std::set<int> sides;
        if (!job_.scoring) {
            for (const FeatureDescriptor *feature : all_features())
                sides.insert(feature->smallest_side);
            return {sides.rbegin(), sides.rend()};
        }
        int largest = 1;
        if (const Result<RequestedScores> requested = load_requested(*job_.scoring)) // an error shows when sides open
            for (const FeatureSet::Entry &entry : requested->features.entries())
                largest = std::max(largest, entry.feature->smallest_side);
        return {largest};
    }

    /// Every combination when fills, sizes, chroma and depths were all chosen. Otherwise a sweep, and pictures of the
    /// smallest size of each feature.
    [[nodiscard]] std::vector<Content> contents() const {
        ContentChoice choice = job_.choice;
        std::vector<Content> list;
        if (!choice.fills.empty() && !choice.sizes.empty() && !choice.chroma.empty() && !choice.bit_depths.empty()) {
            for (const std::string &fill : choice.fills)
                for (const VideoFormat &size : choice.sizes)
                    for (const Chroma chroma : choice.chroma)
                        for (const int depth : choice.bit_depths)
                            list.push_back({fill, {size.width, size.height, chroma, depth}, job_.seed, choice.frames});
            return list;
        }
        const std::vector<int> sides = smallest_sides();
        choice.smallest_side = sides.front();
        list = short_sweep(choice, job_.seed);
        if (!choice.sizes.empty())
            return list;
        for (auto side = sides.begin() + 1; side != sides.end(); ++side) {
            ContentChoice smallest = choice;
            smallest.smallest_side = *side;
            smallest.fills = {choice.fills.empty() ? "noise" : choice.fills.front()};
            smallest.sizes = {{.width = *side, .height = *side}, {.width = *side + 1, .height = *side + 2}};
            const std::vector<Content> more = short_sweep(smallest, job_.seed);
            list.insert(list.end(), more.begin(), more.end());
        }
        return list;
    }

    Result<void> fuzz() {
        const auto end = Clock::now() + std::chrono::duration<double>(*arguments_.fuzz_seconds);
        std::vector<RandomContents> sequences;
        for (const int side : smallest_sides()) {
            ContentChoice choice = job_.choice;
            choice.smallest_side = side;
            sequences.emplace_back(choice, job_.seed);
        }
        for (int n = 0; Clock::now() < end; n++) {
            const auto others = all_semantics().subspan(1);
            const auto turn = static_cast<std::size_t>(n / cases_per_other_release);
            const bool other = !job_.scoring && n % cases_per_other_release == cases_per_other_release - 1;
            const Content content = sequences[static_cast<std::size_t>(n) % sequences.size()].next();
            if (!compare(content_pictures(content), other ? others[turn % others.size()] : job_.semantics))
                break;
        }
        return {};
    }

    const DiffArguments &arguments_;
    const DiffJob &job_;
    Harness &harness_;
};

Result<Pictures> golden_pictures(const GoldenClip &clip) {
    if (clip.reference.empty())
        return content_pictures({.fill = "clip", .format = clip.format, .seed = 0, .frames = clip.frames});
    return video_pictures(
        {.reference = {clip.reference.string(), clip.format}, .distorted = {clip.distorted.string(), clip.format}});
}

Result<void> compare_with_report(const DiffArguments &arguments, const DiffJob &job, Harness &harness) {
    if (!job.videos)
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("{} is a report about videos: name them with --reference and --distorted", arguments.against));
    const StoredReport stored = TRY(read_stored_report(arguments.against));
    Result<Pictures> pictures = video_pictures(*job.videos);
    if (pictures)
        pictures = reduce(*std::move(pictures), job.reduction);
    if (!pictures)
        return tl::unexpected(pictures.error());
    const ScoringOptions scoring = job.scoring ? *job.scoring : TRY(parse_scoring(arguments));
    harness.compare(*pictures, {pictures->format, scoring, common_execution(arguments)}, stored);
    return {};
}

Result<void> compare_with_golden(const DiffArguments &arguments, const DiffJob &job, Harness &harness) {
    if (job.reduction != Reduction{})
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("{} has scores of whole pictures: leave out --skip, --frame_cnt, --crop and --keep_bits",
                        arguments.against));
    const std::filesystem::path file = arguments.against;
    const std::filesystem::path clips = arguments.clips_folder.empty()
                                            ? std::filesystem::absolute(file).parent_path().parent_path() / "clips"
                                            : std::filesystem::path(arguments.clips_folder);
    const std::vector<GoldenClip> golden_clips = TRY(read_golden_file(file, clips));
    for (const GoldenClip &clip : golden_clips) {
        if (clip.columns.empty())
            continue;
        const Result<Pictures> pictures = golden_pictures(clip);
        Result<SessionOptions> options = golden_options(clip);
        if (!pictures || !options)
            return tl::unexpected(pictures ? options.error() : pictures.error());
        options->execution = common_execution(arguments);
        if (!harness.compare(*pictures, *options, stored_report(clip)) || harness.stopped())
            break;
    }
    return {};
}

Result<void> compare_with_stored(const DiffArguments &arguments, const DiffJob &job, Harness &harness) {
    const auto compare = is_golden_file(arguments.against) ? compare_with_golden : compare_with_report;
    return compare(arguments, job, harness);
}

} // namespace

Result<OpenedDiff> open_diff(const DiffArguments &arguments) {
    OpenedDiff opened{TRY(parse_arguments(arguments)), {}};
    opened.sides = TRY(find_sides(opened.job.sides));
    if (opened.sides.sides.size() < 2 && arguments.against.empty())
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("there is nothing to compare {} with: name more --backends", opened.sides.sides.front().name));
    if (!opened.job.videos && arguments.against.empty())
        opened.seed = opened.job.seed;
    return opened;
}

Result<DiffResult> run_diff(const DiffArguments &arguments, OpenedDiff opened, const DiffObserver &observer) {
    Harness harness(std::move(opened.sides), {.stored = arguments.against,
                                              .repeat = arguments.repeat,
                                              .locate = !arguments.no_locate,
                                              .stop = observer.stop,
                                              .step = observer.step});
    TRY(arguments.against.empty() ? DiffRun(arguments, opened.job, harness).run()
                                  : compare_with_stored(arguments, opened.job, harness));
    DiffResult result = std::move(harness).finish();
    result.seed = opened.seed;
    if (observer.stop())
        result.failure = "interrupted: the results cover only what was compared before";
    return result;
}

} // namespace isovmaf::diff
