// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_folders.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/results/metrics_file.hpp"
#include "batch/store/files.hpp"
#include "engine/plan/bind_models.hpp"
#include "report/number_text.hpp"
#include "request/pair_job.hpp"
#include "run/video_facts.hpp"
#include "run_report/run_report.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/request_options.hpp"

namespace isovmaf::tool {

namespace {

using Lookup = batch::RunResults::Lookup;

const std::map<std::string, ReportFormat> report_formats{
    {"json", ReportFormat::json}, {"xml", ReportFormat::xml}, {"csv", ReportFormat::csv}, {"sub", ReportFormat::sub}};
constexpr const char *metrics_format = "openmetrics";

/// The name of a row's report. Lines tell rows apart; the rest of the name is for people.
std::string report_name(const batch::Row &row, const std::string &format) {
    constexpr std::size_t longest = 100;
    std::string stem = std::filesystem::path(row.distorted).stem().string().substr(0, longest);
    for (char &c : stem)
        if (std::string_view("/\\:*?\"<>| '$&;").find(c) != std::string_view::npos ||
            static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
            c = '_';
    return fmt::format("{:06}-{}.{}", row.line, stem, format);
}

/// Frames without a partner are known only after the videos were read: words do not record them.
Result<SyncResult> pairing_of(PairSource &pairs) {
    if (pairs.sync().mode != SyncMode::index)
        while (TRY(pairs.read()))
            ;
    return pairs.sync();
}

/// Writes the report of each row as `isovmaf score` does. The videos are opened for what reports say about them.
class PairReports {
  public:
    PairReports(const batch::RunFolder &folder, const ExportArguments &arguments, std::filesystem::path out)
        : folder_(folder), arguments_(arguments), out_(std::move(out)) {}

    Result<void> add(const batch::Row &row, const WordScores &scores, const batch::RowFacts &facts) {
        const Result<void> written = write(row, scores, facts);
        written_ += written.has_value();
        return written ? written : add_failure(row, batch::FailureKind::transient, written.error().message);
    }

    Result<void> add_failure(const batch::Row &row, batch::FailureKind kind, const std::string &message) {
        print_error("isovmaf: warning: line {}: {} has no report: {}\n", row.line, escape_controls(row.distorted),
                    message);
        failures_.add(kind);
        return {};
    }

    [[nodiscard]] std::int64_t written() const { return written_; }
    [[nodiscard]] const batch::RowFailures &failures() const { return failures_; }

  private:
    Result<void> write(const batch::Row &row, const WordScores &scores, const batch::RowFacts &facts) {
        const std::string reference = folder_.resolve(row.reference), distorted = folder_.resolve(row.distorted);
        batch::Row opened_row = row;
        opened_row.reference = reference;
        opened_row.distorted = distorted;
        RequestArguments asked = TRY(read_request_options(row.options));
        asked.reference = reference;
        asked.distorted = distorted;
        PairJob job = TRY(parse_request(asked));
        job.videos.readers = readers_of(job.scoring);
        TRY(settle_job(job));
        const OpenedVideos videos = TRY(open_videos(job.videos, {}));
        const StatedScoring stated = TRY(state_facts(job.scoring, facts_of(videos), videos.pairs->format().height));
        Report report = describe_run(asked, job, videos, stated.use);
        describe_sync(TRY(pairing_of(*videos.pairs)), report);
        report.execution.backend = "batch";
        report.execution.reason = "scored from the words of a run folder";
        report.scores = scores.table;
        report.warnings = facts.warnings;
        for (PairWarning &warning : report.warnings) // as `isovmaf score` names the files
            warning.sentence = batch::show_names(
                batch::hide_names(std::move(warning.sentence), row.reference, row.distorted), opened_row);
        const auto hint = std::ranges::find(report.warnings, std::string(PairWarning::alignment), &PairWarning::kind);
        if (hint != report.warnings.end())
            report.sync.hint = hint->sentence;
        const ReportRules rules{{reference, distorted}};
        ReportFile file = TRY(ReportFile::create(out_ / report_name(row, arguments_.format), rules));
        return file.commit(
            write_report(report, report_formats.at(arguments_.format), precision_of(arguments_.precision)));
    }

    const batch::RunFolder &folder_;
    const ExportArguments &arguments_;
    const std::filesystem::path out_;
    std::int64_t written_ = 0;
    batch::RowFailures failures_;
};

Result<ExitCode> export_reports(const ExportArguments &arguments) {
    const auto read = TRY(ReadFolder::open(TRY(batch::RunFolder::open(arguments.folder)), Lookup::either));
    const std::filesystem::path out =
        arguments.out.empty() ? read->folder().path() / "reports" : std::filesystem::path(arguments.out);
    std::error_code error;
    if (std::filesystem::create_directories(out, error); error)
        return batch::file_failed("make", out, error.value());
    PairReports reports(read->folder(), arguments, out);
    TRY(read->results().visit({[&](const batch::Row &row, const WordScores &scores, const batch::RowFacts &facts) {
                                   return reports.add(row, scores, facts);
                               },
                               [&](const batch::Row &row, batch::FailureKind kind, const std::string &message) {
                                   return reports.add_failure(row, kind, message);
                               }}));
    print_output("{} in {}\n", counted(reports.written(), "report"), out.string());
    return exit_code_of(reports.failures(), 0);
}

/// Can run beside workers. Rows without scores appear only in the counts of units.
Result<ExitCode> export_metrics(const ExportArguments &arguments) {
    const auto read = TRY(ReadFolder::open(TRY(batch::RunFolder::open(arguments.folder)), Lookup::names));
    const std::filesystem::path out =
        arguments.out.empty() ? read->folder().path() / "metrics.prom" : std::filesystem::path(arguments.out);
    const batch::RunState state = TRY(read->results().state());
    batch::MetricsFile metrics = TRY(batch::MetricsFile::create(out, state, TRY(read->in_work())));
    TRY(read->results().visit(
        {[&](const batch::Row &row, const WordScores &scores, const batch::RowFacts &facts) {
             return metrics.add(row, scores.table, facts.warnings);
         },
         [](const batch::Row &, batch::FailureKind, const std::string &) { return Result<void>(); }}));
    TRY(metrics.commit());
    print_output("metrics in {}\n", out.string());
    return exit_ok;
}

} // namespace

std::vector<std::string> export_formats() {
    std::vector<std::string> names{metrics_format};
    for (const auto &[name, format] : report_formats)
        names.push_back(name);
    return names;
}

int run_batch_export(const ExportArguments &arguments) {
    return print_failure(arguments.format == metrics_format ? export_metrics(arguments) : export_reports(arguments));
}

} // namespace isovmaf::tool
