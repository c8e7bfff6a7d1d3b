// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/diff/diff.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/try.hpp"
#include "diff/diff_job.hpp"
#include "diff/reports.hpp"
#include "diff/result.hpp"
#include "report/report.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/interrupt.hpp"
#include "tools/isovmaf/report_paths.hpp"

namespace isovmaf::tool {

namespace {

/// The reports that were asked for. Their files are opened before the comparison, so that a bad path is found early.
class DiffReports {
  public:
    [[nodiscard]] static Result<DiffReports> create(const DiffArguments &arguments);

    /// Writes all, also where one of them cannot be written. Returns what failed.
    std::vector<Error> write(const diff::DiffResult &result);

    [[nodiscard]] bool on_standard_output() const { return on_standard_output_; }

  private:
    using Writer = std::string (*)(const diff::DiffResult &);

    std::vector<std::pair<ReportFile, Writer>> files_;
    bool on_standard_output_ = false;
};

/// The files that the command reads: no report may replace them.
ReportRules report_rules(const DiffArguments &arguments) {
    ReportRules rules{{}, arguments.force};
    for (const std::string &input : {arguments.reference, arguments.distorted, arguments.against})
        if (!input.empty())
            rules.inputs.push_back(input);
    return rules;
}

Result<DiffReports> DiffReports::create(const DiffArguments &arguments) {
    DiffReports reports;
    const std::pair<const std::optional<std::string> &, Writer> wanted[] = {{arguments.json, diff::json},
                                                                            {arguments.junit, diff::junit},
                                                                            {arguments.markdown, diff::markdown},
                                                                            {arguments.html, diff::html}};
    ReportPaths paths;
    for (const auto &[path, writer] : wanted) {
        if (!path)
            continue;
        TRY(paths.add(*path));
        ReportFile file = TRY(ReportFile::create(*path, report_rules(arguments)));
        reports.files_.emplace_back(std::move(file), writer);
        reports.on_standard_output_ = reports.on_standard_output_ || names_standard_output(*path);
    }
    return reports;
}

std::vector<Error> DiffReports::write(const diff::DiffResult &result) {
    std::vector<Error> failures;
    for (auto &[file, writer] : files_)
        if (const Result<void> written = file.commit(writer(result)); !written)
            failures.push_back(written.error());
    return failures;
}

using diff::DiffResult;
using diff::Verdict;
using Clock = std::chrono::steady_clock;

/// A line on standard error with the number of cases so far.
class DiffProgress {
  public:
    explicit DiffProgress(bool wanted) : wanted_(wanted) {}

    void step(const DiffResult &so_far) {
        const auto now = Clock::now();
        if (!wanted_ || now - drawn_ < std::chrono::milliseconds(200))
            return;
        drawn_ = now;
        print_error("{}{} cases, {:.0f} s", erase_line(), so_far.cases,
                    std::chrono::duration<double>(now - start_).count());
    }

    void done() const {
        if (wanted_)
            write_error(erase_line());
    }

  private:
    bool wanted_;
    Clock::time_point start_ = Clock::now(), drawn_ = start_;
};

Result<int> run(const DiffArguments &arguments) {
    diff::OpenedDiff opened = TRY(diff::open_diff(arguments));
    DiffReports reports = TRY(DiffReports::create(arguments));

    const InterruptGuard guard;
    DiffProgress progress(!arguments.quiet && isatty(STDERR_FILENO));
    if (opened.seed && !arguments.quiet)
        print_error("isovmaf: seed {}\n", *opened.seed);
    Result<DiffResult> ran = diff::run_diff(arguments, std::move(opened),
                                            {.stop = [&] { return guard.interrupted(); },
                                             .step = [&](const DiffResult &so_far) { progress.step(so_far); }});
    progress.done();
    if (!ran)
        return tl::unexpected(ran.error());
    DiffResult &result = *ran;
    result.command = arguments.command;
    const std::vector<Error> failures = reports.write(result);
    if (!failures.empty() && reports.on_standard_output())
        write_error(diff::terminal_table(result, takes_escapes(STDERR_FILENO)));
    else if (!failures.empty() || (!arguments.quiet && !reports.on_standard_output()))
        write_output(diff::terminal_table(result, takes_escapes(STDOUT_FILENO)));
    else if (!result.failure.empty())
        print_error("isovmaf: error: {}\n", result.failure);
    for (const Error &failure : failures)
        print_error("isovmaf: error: {}\n", failure.message);
    if (!failures.empty())
        return static_cast<int>(Verdict::could_not_run);
    return guard.interrupted() ? static_cast<int>(exit_interrupted) : static_cast<int>(result.verdict);
}

} // namespace

int run_diff(const DiffArguments &arguments) {
    const Result<int> code = run(arguments);
    if (code)
        return *code == 0 && !output_written() ? static_cast<int>(Verdict::could_not_run) : *code;
    print_error("isovmaf: error: {}\n", code.error().message);
    return static_cast<int>(Verdict::could_not_run);
}

} // namespace isovmaf::tool
