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
#include "model/model_choice.hpp"
#include "stored/stored_golden.hpp"

namespace isovmaf::diff {

namespace {

using Clock = std::chrono::steady_clock;

/// One of this many random cases is scored as another release than the default does.
constexpr int cases_per_other_release = 8;

class DiffRun {
  public:
    DiffRun(const DiffArguments &arguments, const DiffJob &job, bool on_gpu, Harness &harness)
        : arguments_(arguments), job_(job), on_gpu_(on_gpu), harness_(harness) {}

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
    Result<SessionOptions> session_of(const Pictures &pictures, Semantics semantics) const {
        const VideoFormat &format = pictures.format;
        ScoringOptions scoring = job_.scoring ? *job_.scoring : TRY(score_everything(format, semantics, on_gpu_));
        if (job_.videos)
            scoring.chroma_edge = ChromaEdge::present;
        return SessionOptions{format, TRY(state_facts(scoring, pictures.facts, format.height)).scoring,
                              common_execution(arguments_)};
    }

    /// Returns false when the run has ended.
    bool compare(const Pictures &whole, Semantics semantics) {
        const Result<Pictures> pictures = reduce(whole, job_.reduction);
        if (!pictures)
            return failed(pictures.error());
        const Result<SessionOptions> options = session_of(*pictures, semantics);
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

    /// The smallest pictures that need a sweep of their own, the largest first: one that all chosen features take, else
    /// that of every feature.
    [[nodiscard]] std::vector<SmallestPicture> smallest_pictures() const {
        std::set<SmallestPicture> pictures;
        if (!job_.scoring) {
            for (const FeatureDescriptor *feature : all_features())
                if (!on_gpu_ || has_kernels(*feature))
                    pictures.insert(smallest_picture(*feature, OptionSet(feature->options)));
            return {pictures.rbegin(), pictures.rend()};
        }
        SmallestPicture largest;
        const auto requested = load_requested(*job_.scoring, most_rows_of_hd); // an error shows when sides open
        if (requested)
            for (const FeatureSet::Entry &entry : requested->features.entries())
                for (const OptionSet &options : entry.option_sets) {
                    const SmallestPicture own = smallest_picture(*entry.feature, options);
                    largest = {std::max(largest.side, own.side), std::max(largest.longer_side, own.longer_side)};
                }
        return {largest};
    }

    /// Whether all chosen features take pictures of this shape. Where nobody chose, those that do not are left out.
    [[nodiscard]] bool takes_shape(const VideoFormat &format) const {
        const auto requested = job_.scoring ? load_requested(*job_.scoring, format.height) : RequestedScores();
        return !requested || std::ranges::all_of(requested->features.entries(), [&](const auto &entry) {
            return std::ranges::all_of(entry.option_sets, [&](const OptionSet &options) {
                return has_needed_shape(*entry.feature, format, options);
            });
        });
    }

    /// The choice for features whose smallest pictures are `smallest`.
    [[nodiscard]] ContentChoice choice_for(const SmallestPicture &smallest) const {
        ContentChoice choice = job_.choice;
        choice.smallest_side = smallest.side;
        choice.longer_side = smallest.longer_side;
        return choice;
    }

    /// Every combination when fills, sizes, chroma and depths were all chosen. Otherwise a sweep, and pictures of the
    /// smallest size of each feature.
    [[nodiscard]] std::vector<Content> contents() const {
        const ContentChoice &choice = job_.choice;
        std::vector<Content> list;
        if (!choice.fills.empty() && !choice.sizes.empty() && !choice.chroma.empty() && !choice.bit_depths.empty()) {
            for (const std::string &fill : choice.fills)
                for (const VideoFormat &size : choice.sizes)
                    for (const Chroma chroma : choice.chroma)
                        for (const int depth : choice.bit_depths)
                            list.push_back({fill, {size.width, size.height, chroma, depth}, job_.seed, choice.frames});
            return list;
        }
        const std::vector<SmallestPicture> pictures = smallest_pictures();
        list = short_sweep(choice_for(pictures.front()), job_.seed);
        if (!choice.sizes.empty())
            return list;
        for (auto picture = pictures.begin() + 1; picture != pictures.end(); ++picture) {
            const auto [side, square] = std::pair{picture->side, picture->square()};
            ContentChoice smallest = choice_for(*picture);
            smallest.fills = {choice.fills.empty() ? "noise" : choice.fills.front()};
            smallest.sizes = {{.width = square, .height = side}, {.width = side + 1, .height = square + 2}};
            const std::vector<Content> more = short_sweep(smallest, job_.seed);
            list.insert(list.end(), more.begin(), more.end());
        }
        std::erase_if(list, [&](const Content &content) { return !takes_shape(content.format); });
        return list;
    }

    Result<void> fuzz() {
        const auto end = Clock::now() + std::chrono::duration<double>(*arguments_.fuzz_seconds);
        std::vector<RandomContents> sequences;
        for (const SmallestPicture &smallest : smallest_pictures())
            sequences.emplace_back(choice_for(smallest), job_.seed);
        for (int n = 0; Clock::now() < end; n++) {
            const auto others = all_semantics().subspan(1);
            const auto turn = static_cast<std::size_t>(n / cases_per_other_release);
            const bool other = !job_.scoring && n % cases_per_other_release == cases_per_other_release - 1;
            const Content content = sequences[static_cast<std::size_t>(n) % sequences.size()].next();
            if (job_.choice.sizes.empty() && !takes_shape(content.format))
                continue;
            if (!compare(content_pictures(content), other ? others[turn % others.size()] : job_.semantics))
                break;
        }
        return {};
    }

    const DiffArguments &arguments_;
    const DiffJob &job_;
    bool on_gpu_; ///< a GPU takes part
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
    ScoringOptions scoring = job.scoring ? *job.scoring : TRY(parse_scoring(arguments));
    scoring.chroma_edge = ChromaEdge::present;
    const StatedScoring stated = TRY(state_facts(scoring, pictures->facts, pictures->format.height));
    harness.compare(*pictures, {pictures->format, stated.scoring, common_execution(arguments)}, stored);
    return {};
}

/// Leaves out what has no kernels.
Result<void> keep_kernels(GoldenClip &clip, SessionOptions &options) {
    options.scoring = with_kernels(std::move(options.scoring), clip.format);
    if (options.scoring.features.empty() && options.scoring.models.empty()) {
        clip.columns.clear();
        return {};
    }
    const RequestedScores requested = TRY(load_requested(options.scoring, clip.format.height));
    const EnginePlan plan = TRY(make_plan(requested.features, {clip.format, clip.semantics}));
    std::set<std::string> names;
    for (const std::string &column : plan.columns)
        names.insert(report_name(column));
    for (const auto &model : requested.models)
        names.insert(std::string(model->name()));
    std::erase_if(clip.columns, [&](const GoldenColumn &column) { return !names.contains(column.name); });
    std::erase_if(clip.means, [&](const GoldenTotal &mean) { return !names.contains(mean.name); });
    return {};
}

Result<void> compare_with_golden(const DiffArguments &arguments, const DiffJob &job, bool on_gpu, Harness &harness) {
    if (job.reduction != Reduction{})
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("{} has scores of whole pictures: leave out --skip, --frame_cnt, --crop and --keep_bits",
                        arguments.against));
    const std::filesystem::path file = arguments.against;
    const std::filesystem::path clips = arguments.clips_folder.empty()
                                            ? std::filesystem::absolute(file).parent_path().parent_path() / "clips"
                                            : std::filesystem::path(arguments.clips_folder);
    std::vector<GoldenClip> golden_clips = TRY(read_golden_file(file, clips));
    for (GoldenClip &clip : golden_clips) {
        if (clip.columns.empty())
            continue;
        const Result<Pictures> pictures = golden_pictures(clip);
        Result<SessionOptions> options = golden_options(clip);
        if (!pictures || !options)
            return tl::unexpected(pictures ? options.error() : pictures.error());
        options->execution = common_execution(arguments);
        if (on_gpu)
            TRY(keep_kernels(clip, *options));
        if (clip.columns.empty())
            continue;
        if (!harness.compare(*pictures, *options, stored_report(clip)) || harness.stopped())
            break;
    }
    return {};
}

Result<void> compare_with_stored(const DiffArguments &arguments, const DiffJob &job, bool on_gpu, Harness &harness) {
    return is_golden_file(arguments.against) ? compare_with_golden(arguments, job, on_gpu, harness)
                                             : compare_with_report(arguments, job, harness);
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
    const bool on_gpu = std::ranges::any_of(opened.sides.sides, [](const Side &side) { return !side.on_cpu(); });
    Harness harness(std::move(opened.sides), {.stored = arguments.against,
                                              .repeat = arguments.repeat,
                                              .locate = !arguments.no_locate,
                                              .stop = observer.stop,
                                              .step = observer.step});
    TRY(arguments.against.empty() ? DiffRun(arguments, opened.job, on_gpu, harness).run()
                                  : compare_with_stored(arguments, opened.job, on_gpu, harness));
    DiffResult result = std::move(harness).finish();
    result.seed = opened.seed;
    if (observer.stop())
        result.failure = "interrupted: the results cover only what was compared before";
    return result;
}

} // namespace isovmaf::diff
