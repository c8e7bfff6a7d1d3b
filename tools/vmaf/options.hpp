// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <vector>

#include "isovmaf/execution.hpp"
#include "isovmaf/request.hpp"
#include "report/report.hpp"
#include "request/scoring_arguments.hpp"
#include "request/video_arguments.hpp"

/// The program `vmaf`: the command line, the reports and the exit codes of libvmaf's program of that name.
namespace isovmaf::vmaf {

/// What a command line asks for.
struct Options {
    VideoArguments videos;
    VideoRequest request;             ///< what `videos` comes to
    std::vector<ModelRequest> models; ///< the default model if none is given
    std::vector<FeatureRequest> features;
    bool no_prediction = false;
    int subsample = 1;
    int threads = 0; ///< 0: one, as in libvmaf's program
    bool use_gpu = true;

    std::string output;
    bool write_output = false;
    ReportFormat report_format = ReportFormat::xml;
    bool quiet = false;
    std::vector<std::string> ignored; ///< arguments that are no options

    bool show_version = false;
    bool show_help = false;
};

/// One option of the command line. The help, the manual page and the completions are made from this table.
struct CommandOption {
    const char *name;    ///< without dashes
    char letter;         ///< its short form, 0 without one
    const char *value;   ///< what its value is called; null for a flag
    const char *choices; ///< values to complete with, separated by spaces
    const char *help;    ///< a sentence without its full stop
    Result<void> (*take)(Options &options, const std::string &value);
};

[[nodiscard]] std::span<const CommandOption> command_options();

/// Parses a command line as getopt_long does: options in any order, unique abbreviations of long names. Fails on what
/// libvmaf's program refuses, and on unknown options. `arguments` are those behind the program's name.
[[nodiscard]] Result<Options> parse_command_line(const std::vector<std::string> &arguments);

inline constexpr const char *path_value = "PATH"; ///< what a value is called that names a file
inline constexpr const char *program_summary =
    "score a distorted video against its reference, as libvmaf's program does";
inline constexpr const char *exit_codes_text =
    "Long options may be shortened as long as they stay unique.\n"
    "Exit codes: 0 done, 1 wrong command line, 255 scoring failed, 130 interrupted.";

/// What is scored: of requests for one feature whose scores have the same names the first one, as in libvmaf's program.
/// Without predictions the features of models, not the models.
[[nodiscard]] Result<ScoringOptions> register_requests(const Options &options);

/// The text of `vmaf --help`.
[[nodiscard]] std::string help_text();

/// The version in reports and behind --version: the release of libvmaf that is reproduced, then isovmaf's.
[[nodiscard]] std::string version_text();

/// Starts to open the GPU, if there may be one that is used.
[[nodiscard]] Result<ExecutionHandle> start_opening(const Options &options);

/// Scores the videos and writes the report. True when the user interrupted. Does not wait for `execution` when it fails
/// before that is needed.
[[nodiscard]] Result<bool> run(const Options &options, const ExecutionHandle &execution);

} // namespace isovmaf::vmaf
