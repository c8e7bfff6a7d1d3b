// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/metrics_file.hpp"

#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "isovmaf/isovmaf.hpp"
#include "report/number_text.hpp"

namespace isovmaf::batch {

namespace {

/// The inside of a label's value.
std::string escape_label(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c == '\n')
            out += "\\n";
        else if (c == '\\' || c == '"')
            out += fmt::format("\\{}", c);
        else
            out += c;
    return out;
}

/// "+Inf", "-Inf" and "NaN" where reports have "inf", "-inf" and "nan".
std::string value_text(double value) {
    std::string text;
    append_number(text, value, Precision::max);
    if (text == "nan")
        return "NaN";
    return text == "inf" ? "+Inf" : text == "-inf" ? "-Inf" : text;
}

std::string metric_head(std::string_view name, std::string_view unit, std::string_view help) {
    std::string out = fmt::format("# TYPE {} gauge\n", name);
    if (!unit.empty())
        out += fmt::format("# UNIT {} {}\n", name, unit);
    return out + fmt::format("# HELP {} {}\n", name, help);
}

std::string metric(std::string_view name, std::string_view unit, std::string_view help, const std::string &value) {
    return metric_head(name, unit, help) + fmt::format("{} {}\n", name, value);
}

std::string state_metrics(const RunState &state, std::size_t in_work) {
    std::string text = metric_head("isovmaf_batch_build", "", "The version of isovmaf.");
    text += fmt::format("isovmaf_batch_build{{version=\"{}\"}} 1\n", escape_label(version()));
    text += metric("isovmaf_batch_rows", "", "Rows of the manifest.", std::to_string(state.rows));
    text += metric("isovmaf_batch_rows_invalid", "", "Rows that were left out.", std::to_string(state.invalid));
    text += metric_head("isovmaf_batch_units", "", "Units of work by state.");
    for (const auto &[name, count] : {std::pair{"finished", state.finished},
                                      {"permanent", state.permanent},
                                      {"transient", state.transient},
                                      {"missing", state.missing()}})
        text += fmt::format("isovmaf_batch_units{{state=\"{}\"}} {}\n", name, count);
    text +=
        metric("isovmaf_batch_units_in_work", "", "Missing units that workers compute now.", std::to_string(in_work));
    text += metric("isovmaf_batch_frames", "", "Frames of the finished units.", std::to_string(state.frames));
    text += metric("isovmaf_batch_work_seconds", "seconds", "Time that workers took for the finished units.",
                   value_text(state.seconds));
    text += metric_head("isovmaf_batch_stage_seconds", "seconds", "Parts of the time of the finished units, by stage.");
    for (const auto &[name, seconds] : {std::pair{"decode", state.stages.decode},
                                        {"upload", state.stages.upload},
                                        {"kernels", state.stages.kernels},
                                        {"finish", state.stages.finish}})
        text += fmt::format("isovmaf_batch_stage_seconds{{stage=\"{}\"}} {}\n", name, value_text(seconds));
    return text;
}

} // namespace

Result<MetricsFile> MetricsFile::create(const std::filesystem::path &path, const RunState &state, std::size_t in_work) {
    MetricsFile metrics(TRY(NewFile::create(path)));
    TRY(metrics.file_.write(state_metrics(state, in_work)));
    TRY(metrics.file_.write(metric_head("isovmaf_batch_score", "", "Scores of the rows.")));
    return metrics;
}

Result<void> MetricsFile::add(const Row &row, const ScoreTable &table, std::span<const PairWarning> warnings) {
    const std::string labels =
        fmt::format("line=\"{}\",reference=\"{}\",distorted=\"{}\",label=\"{}\"", row.line, escape_label(row.reference),
                    escape_label(row.distorted), escape_label(row.label));
    std::string text;
    for (std::size_t i = 0; i < table.names.size(); i++) {
        const PooledScore pooled = pool_column(table, i);
        for (const auto &[name, value] :
             {std::pair{"mean", pooled.mean}, {"harmonic_mean", pooled.harmonic_mean}, {"min", pooled.min}})
            fmt::format_to(std::back_inserter(text), "isovmaf_batch_score{{{},score=\"{}\",statistic=\"{}\"}} {}\n",
                           labels, escape_label(table.names[i]), name, value_text(value));
    }
    std::map<std::string_view, int> kinds;
    for (const PairWarning &warning : warnings)
        kinds[warning.kind]++;
    for (const auto &[kind, count] : kinds)
        fmt::format_to(std::back_inserter(warnings_), "isovmaf_batch_warnings{{{},kind=\"{}\"}} {}\n", labels,
                       escape_label(kind), count);
    return file_.write(text);
}

Result<void> MetricsFile::commit() {
    TRY(file_.write(metric_head("isovmaf_batch_warnings", "", "Warnings about the videos of a row.") + warnings_));
    TRY(file_.write("# EOF\n"));
    return file_.commit();
}

} // namespace isovmaf::batch
