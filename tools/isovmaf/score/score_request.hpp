// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "report/score_spans.hpp"
#include "report/scores_table.hpp"
#include "request/pair_job.hpp"
#include "tools/isovmaf/progress.hpp"
#include "tools/isovmaf/score/score_baseline.hpp"
#include "tools/isovmaf/score/score_limits.hpp"

namespace isovmaf::tool {

/// The value of --progress that asks for a line for each frame.
inline constexpr const char *progress_of_frames = "frames";

/// The command line of `isovmaf score`, as typed.
struct ScoreArguments : RequestArguments {
    std::vector<std::string> videos;           ///< given without -r and -d: the reference, then the distorted videos
    std::vector<std::string> distorted_videos; ///< `distorted` is the one that is scored: see parse_tasks
    std::string backend = "auto";
    std::string cpu_mask = "0", gpu_mask = "0";
    std::string device;           ///< "all", or numbers with commas; empty: the first that works
    int decoders = 0;             ///< of each device; 0: chosen
    std::int64_t part_frames = 0; ///< of a part of the videos; 0: chosen
    std::vector<std::string> backend_folders;
    int frames_in_flight = 0;
    std::string hwaccel = "none";
    int threads = 0;
    std::string cpu_level = "auto";

    std::optional<std::string> output;
    std::optional<std::string> html;
    bool force = false;
    bool json = false, xml = false, csv = false, sub = false;
    std::string precision = "legacy";
    bool timing = false;
    bool stats = false;
    bool quiet = false;
    bool verbose = false;
    std::string progress; ///< seconds between two lines, or progress_of_frames; empty: not given
    int worst = 0;
    std::string per; ///< a name of a SpanKind; empty: not given
    std::optional<std::string> table;
    LimitTexts limits;
    std::vector<std::string> not_below; ///< see read_baselines
    std::optional<std::string> junit;

    std::string command; ///< the whole command line, for the HTML report
};

/// A command line of `isovmaf score` after parsing.
struct ScoreRequest : PairJob {
    std::optional<std::string> output; ///< path of the report; none: no report
    ReportFormat report_format = ReportFormat::xml;
    Precision precision = Precision::legacy;
    std::vector<ScoreLimit> limits = {};
    std::vector<Baseline> baselines = {};
    std::optional<SpanKind> per = {}; ///< scores of these pieces of the video are wanted
    TableFormat table_format = TableFormat::csv;
};

/// A distorted video, and what is asked for about it.
struct ScoreTask {
    ScoreArguments arguments; ///< `distorted` is this video, and `output` its report
    ScoreRequest job;
};

/// Parses what CLI11 cannot: combinations of options, and texts with a grammar of their own. A task for each distorted
/// video. Fails on options that have no meaning for several.
[[nodiscard]] Result<std::vector<ScoreTask>> parse_tasks(const ScoreArguments &arguments);

/// What reports of the task may not replace: files that it reads.
[[nodiscard]] std::vector<std::string> input_files(const ScoreTask &task);

/// How progress is shown, of all videos together.
[[nodiscard]] ProgressStyle progress_style(const ScoreArguments &arguments);
[[nodiscard]] std::chrono::seconds progress_interval(const ScoreArguments &arguments);

/// Runs `isovmaf score`; returns an ExitCode. Failures are printed on standard error.
[[nodiscard]] int run_score(const ScoreArguments &arguments);

} // namespace isovmaf::tool
