// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/diff.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "diff/harness.hpp"
#include "diff/reports.hpp"
#include "diff/scoring.hpp"
#include "diff/stored_golden.hpp"
#include "engine/bind_models.hpp"
#include "features/registry.hpp"
#include "golden/golden_file.hpp"
#include "report/report.hpp"
#include "tools/isovmaf/diff_job.hpp"
#include "tools/isovmaf/exit_code.hpp"
#include "tools/isovmaf/interrupt.hpp"
#include "tools/isovmaf/progress.hpp"

namespace isovmaf::tool {

namespace {

using diff::DiffResult;
using diff::Harness;
using diff::Verdict;
using Clock = std::chrono::steady_clock;

/// One of so many random cases reproduces the older release.
constexpr int cases_per_older_release = 8;

/// Reports that were asked for, as files that are known to be writable before the work.
class DiffReports {
  public:
    static Result<DiffReports> create(const DiffArguments &arguments) {
        DiffReports reports;
        const std::pair<const std::string &, Writer> wanted[] = {{arguments.json, diff::json},
                                                                 {arguments.junit, diff::junit},
                                                                 {arguments.markdown, diff::markdown},
                                                                 {arguments.html, diff::html}};
        for (const auto &[path, writer] : wanted) {
            if (path.empty())
                continue;
            Result<ReportFile> file = ReportFile::create(path);
            if (!file)
                return tl::unexpected(file.error());
            reports.files_.emplace_back(*std::move(file), writer);
            reports.standard_output_ = reports.standard_output_ || path == "-";
        }
        return reports;
    }

    Result<void> write(const DiffResult &result) {
        for (auto &[file, writer] : files_)
            if (Result<void> written = file.commit(writer(result)); !written)
                return written;
        return {};
    }

    [[nodiscard]] bool standard_output() const { return standard_output_; }

  private:
    using Writer = std::string (*)(const DiffResult &);

    std::vector<std::pair<ReportFile, Writer>> files_;
    bool standard_output_ = false;
};

/// A line on standard error that tells how far it has come.
class DiffProgress {
  public:
    explicit DiffProgress(bool wanted) : wanted_(wanted) {}

    void step(const DiffResult &so_far) {
        const auto now = Clock::now();
        if (!wanted_ || now - drawn_ < std::chrono::milliseconds(200))
            return;
        drawn_ = now;
        fmt::print(stderr, "{}{} cases, {:.0f} s", erase_line, so_far.cases,
                   std::chrono::duration<double>(now - start_).count());
    }

    void done() const {
        if (wanted_)
            fmt::print(stderr, "{}", erase_line);
    }

  private:
    bool wanted_;
    Clock::time_point start_ = Clock::now(), drawn_ = start_;
};

class DiffRun {
  public:
    DiffRun(const DiffArguments &arguments, const DiffJob &job, Harness &harness, const InterruptGuard &guard)
        : arguments_(arguments), job_(job), harness_(harness), guard_(guard) {}

    Result<void> run() {
        if (!arguments_.against.empty())
            return against();
        if (job_.videos)
            return videos();
        if (arguments_.fuzz_seconds)
            return fuzz();
        for (const diff::Content &content : contents())
            if (!compare(content_pictures(content), job_.semantics))
                return {};
        return {};
    }

  private:
    Result<SessionOptions> scoring(const VideoFormat &format, Semantics semantics) const {
        Result<SessionOptions> options = job_.scoring ? *job_.scoring : diff::score_everything(format, semantics);
        if (options) {
            options->threads = arguments_.threads;
            options->backend_folders = arguments_.backend_folders;
        }
        return options;
    }

    /// False when there is nothing more to do.
    bool compare(const diff::Pictures &whole, Semantics semantics) {
        const Result<diff::Pictures> pictures = diff::reduce(whole, job_.reduction);
        if (!pictures)
            return failed(pictures.error());
        const Result<SessionOptions> options = scoring(pictures->format, semantics);
        if (!options)
            return failed(options.error());
        return harness_.compare(*pictures, *options) && !guard_.interrupted();
    }

    bool failed(const Error &error) {
        harness_.fail(error.message);
        return false;
    }

    Result<void> videos() {
        const Result<diff::Pictures> pictures = video_pictures(*job_.videos);
        if (!pictures)
            return tl::unexpected(pictures.error());
        compare(*pictures, job_.semantics);
        return {};
    }

    /// Smallest sides worth a sweep of their own: of the features that were chosen all at once, else each feature's.
    [[nodiscard]] std::vector<int> smallest_sides() const {
        std::set<int> sides;
        if (!job_.scoring) {
            for (const FeatureDescriptor *feature : all_features())
                sides.insert(feature->smallest_side);
            return {sides.rbegin(), sides.rend()};
        }
        FeatureSet features;
        (void)load_models(*job_.scoring, features);
        (void)add_requested_features(job_.scoring->features, features);
        int largest = 1;
        for (const FeatureSet::Entry &entry : features.entries())
            largest = std::max(largest, entry.feature->smallest_side);
        return {largest};
    }

    /// All of what was chosen when everything was, else a sweep, with the smallest pictures of each feature.
    [[nodiscard]] std::vector<diff::Content> contents() const {
        diff::ContentChoice choice = job_.choice;
        std::vector<diff::Content> list;
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
        list = diff::short_sweep(choice, job_.seed);
        if (!choice.sizes.empty())
            return list;
        for (auto side = sides.begin() + 1; side != sides.end(); ++side) {
            diff::ContentChoice smallest = choice;
            smallest.smallest_side = *side;
            smallest.fills = {choice.fills.empty() ? "noise" : choice.fills.front()};
            smallest.sizes = {{.width = *side, .height = *side}, {.width = *side + 1, .height = *side + 2}};
            const std::vector<diff::Content> more = diff::short_sweep(smallest, job_.seed);
            list.insert(list.end(), more.begin(), more.end());
        }
        return list;
    }

    Result<void> fuzz() {
        const auto end = Clock::now() + std::chrono::duration<double>(*arguments_.fuzz_seconds);
        std::vector<diff::RandomContents> sequences;
        for (const int side : smallest_sides()) {
            diff::ContentChoice choice = job_.choice;
            choice.smallest_side = side;
            sequences.emplace_back(choice, job_.seed);
        }
        for (int n = 0; Clock::now() < end; n++) {
            const bool older = !job_.scoring && n % cases_per_older_release == cases_per_older_release - 1;
            const diff::Content content = sequences[static_cast<std::size_t>(n) % sequences.size()].next();
            if (!compare(content_pictures(content), older ? Semantics::libvmaf_3_0 : job_.semantics))
                break;
        }
        return {};
    }

    Result<void> against() {
        if (is_golden_file(arguments_.against))
            return golden();
        if (!job_.videos)
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("{} is about videos: name them with --reference and --distorted", arguments_.against));
        const Result<diff::StoredReport> stored = diff::read_stored_report(arguments_.against);
        if (!stored)
            return tl::unexpected(stored.error());
        Result<diff::Pictures> pictures = video_pictures(*job_.videos);
        if (pictures)
            pictures = diff::reduce(*std::move(pictures), job_.reduction);
        if (!pictures)
            return tl::unexpected(pictures.error());
        Result<SessionOptions> options = job_.scoring ? *job_.scoring : understand_scoring(arguments_);
        if (!options)
            return tl::unexpected(options.error());
        options->threads = arguments_.threads;
        options->backend_folders = arguments_.backend_folders;
        harness_.compare(*pictures, *options, *stored);
        return {};
    }

    Result<void> golden() {
        if (job_.reduction != diff::Reduction{})
            return fail(ErrorCode::invalid_argument,
                        fmt::format("{} is about whole pictures: leave out --skip, --frame_cnt, --crop and --keep_bits",
                                    arguments_.against));
        const std::filesystem::path file = arguments_.against;
        const std::filesystem::path clips = arguments_.clips_folder.empty()
                                                ? std::filesystem::absolute(file).parent_path().parent_path() / "clips"
                                                : std::filesystem::path(arguments_.clips_folder);
        const Result<std::vector<GoldenClip>> golden_clips = read_golden_file(file, clips);
        if (!golden_clips)
            return tl::unexpected(golden_clips.error());
        for (const GoldenClip &clip : *golden_clips) {
            if (clip.columns.empty())
                continue;
            const Result<diff::Pictures> pictures = golden_pictures(clip);
            const Result<SessionOptions> options = golden_scoring(clip);
            if (!pictures || !options)
                return tl::unexpected(pictures ? options.error() : pictures.error());
            if (!harness_.compare(*pictures, *options, diff::stored_report(clip)) || guard_.interrupted())
                break;
        }
        return {};
    }

    static Result<diff::Pictures> golden_pictures(const GoldenClip &clip) {
        if (clip.reference.empty())
            return content_pictures({.fill = "clip", .format = clip.format, .seed = 0, .frames = clip.frames});
        return video_pictures({clip.reference.string(), clip.distorted.string(), clip.format, {}, {}});
    }

    Result<SessionOptions> golden_scoring(const GoldenClip &clip) const {
        SessionOptions options{
            .threads = arguments_.threads, .backend_folders = arguments_.backend_folders, .semantics = clip.semantics};
        for (const std::string &text : clip.features) {
            Result<FeatureRequest> request = FeatureRequest::parse(text);
            if (!request)
                return tl::unexpected(request.error());
            options.features.push_back(*std::move(request));
        }
        for (const std::string &model : clip.models)
            options.models.push_back({.version = model, .name = model});
        return options;
    }

    const DiffArguments &arguments_;
    const DiffJob &job_;
    Harness &harness_;
    const InterruptGuard &guard_;
};

Result<int> run(const DiffArguments &arguments) {
    const Result<DiffJob> job = understand(arguments);
    if (!job)
        return tl::unexpected(job.error());
    Result<diff::Sides> sides = diff::find_sides(job->sides);
    if (!sides)
        return tl::unexpected(sides.error());
    if (sides->sides.size() < 2 && arguments.against.empty())
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("there is nothing to compare {} with: name more --backends", sides->sides.front().name));
    Result<DiffReports> reports = DiffReports::create(arguments);
    if (!reports)
        return tl::unexpected(reports.error());

    const InterruptGuard guard;
    DiffProgress progress(!arguments.quiet && isatty(STDERR_FILENO));
    Harness harness(*std::move(sides), {.stored = arguments.against,
                                        .repeat = arguments.repeat,
                                        .locate = !arguments.no_locate,
                                        .stop = [&] { return guard.interrupted(); },
                                        .step = [&](const DiffResult &so_far) { progress.step(so_far); }});
    if (!job->videos && arguments.against.empty() && !arguments.quiet)
        fmt::print(stderr, "isovmaf: seed {}\n", job->seed);
    const Result<void> ran = DiffRun(arguments, *job, harness, guard).run();
    progress.done();
    if (!ran)
        return tl::unexpected(ran.error());

    DiffResult result = std::move(harness).finish();
    result.command = arguments.command;
    if (!job->videos && arguments.against.empty())
        result.seed = job->seed;
    if (guard.interrupted())
        result.failure = "interrupted: this covers what was compared before that";
    if (Result<void> written = reports->write(result); !written)
        return tl::unexpected(written.error());
    if (!arguments.quiet && !reports->standard_output())
        fmt::print("{}", diff::terminal_table(result, isatty(STDOUT_FILENO) != 0));
    else if (!result.failure.empty())
        fmt::print(stderr, "isovmaf: error: {}\n", result.failure);
    return guard.interrupted() ? static_cast<int>(exit_interrupted) : static_cast<int>(result.verdict);
}

} // namespace

int run_diff(const DiffArguments &arguments) {
    const Result<int> code = run(arguments);
    if (code)
        return *code;
    fmt::print(stderr, "isovmaf: error: {}\n", code.error().message);
    return static_cast<int>(Verdict::could_not_run);
}

} // namespace isovmaf::tool
