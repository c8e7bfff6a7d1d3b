// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/report.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "features/registry.hpp"
#include "report/escape.hpp"
#include "report/number_text.hpp"
#include "report/writers.hpp"

namespace isovmaf {

namespace {

std::string write_csv(const Report &report, Precision precision) {
    const ScoreTable &scores = report.scores;
    const std::string_view line_end = report.layout == ReportLayout::libvmaf ? ",\n" : "\n";
    std::string out = "Frame";
    for (const std::string &name : scores.names)
        out += ',' + csv_escape(name);
    if (report.video_rate > 0)
        fmt::format_to(std::back_inserter(out), ",{}", csv_time_column);
    out += line_end;
    for (std::size_t row = 0; row < scores.frames.size(); row++) {
        const FrameScores &frame = scores.frames[row];
        out += std::to_string(frame.frame);
        for (std::size_t i = 0; i < frame.scores.size(); i++) {
            out += ',';
            if (report.has_score(row, i))
                append_number(out, frame.scores[i], precision);
        }
        if (const std::optional<double> time = report.frame_time(frame.frame))
            fmt::format_to(std::back_inserter(out), ",{:.3f}", *time);
        out += line_end;
    }
    if (report.incomplete)
        fmt::format_to(std::back_inserter(out), "# {}\n", incomplete_mark);
    return out;
}

std::string write_sub(const Report &report, Precision precision) {
    const ScoreTable &scores = report.scores;
    std::vector<std::string> labels;
    for (const std::string &name : scores.names)
        labels.push_back(sub_escape(name) + ": ");

    std::string out;
    for (std::size_t row = 0; row < scores.frames.size(); row++) {
        const FrameScores &frame = scores.frames[row];
        fmt::format_to(std::back_inserter(out), "{{{0}}}{{{1}}}frame: {0}|", frame.frame, frame.frame + 1);
        for (std::size_t i = 0; i < labels.size(); i++) {
            if (!report.has_score(row, i))
                continue;
            out += labels[i];
            append_number(out, frame.scores[i], precision);
            out += '|';
        }
        out += '\n';
    }
    if (report.incomplete) {
        const std::int64_t end = scores.frames.empty() ? 0 : scores.frames.back().frame + 1;
        fmt::format_to(std::back_inserter(out), "{{{}}}{{{}}}{}|\n", end, end + 1, incomplete_mark);
    }
    return out;
}

constexpr std::array<std::pair<std::string_view, Precision>, 3> precisions{
    {{"legacy", Precision::legacy}, {"max", Precision::max}, {"hex", Precision::hex}}};

} // namespace

std::string_view precision_name(Precision precision) {
    return std::ranges::find(precisions, precision, [](const auto &named) { return named.second; })->first;
}

std::vector<std::string> precision_names() {
    std::vector<std::string> names;
    for (const auto &[name, precision] : precisions)
        names.emplace_back(name);
    return names;
}

Precision precision_of(std::string_view name) {
    return std::ranges::find(precisions, name, [](const auto &named) { return named.first; })->second;
}

std::vector<std::string> flagged_sentences(const Execution &execution) {
    std::vector<std::string> sentences;
    for (const FeatureWork &work : execution.work)
        if (work.flagged > 0)
            sentences.push_back(
                fmt::format("kernels of {} left {} to the CPU", work.feature, counted(work.flagged, "frame")));
    return sentences;
}

std::vector<std::pair<std::string, std::string>> origins_of(const ScoreTable &scores) {
    std::vector<std::pair<std::string, std::string>> origins;
    for (const std::string &source : scores.sources)
        if (const FeatureDescriptor *const feature = find_feature(source); feature && !feature->origin.empty())
            if (std::pair<std::string, std::string> origin{source, feature->origin};
                std::ranges::find(origins, origin) == origins.end())
                origins.push_back(std::move(origin));
    return origins;
}

std::string write_report(const Report &report, ReportFormat format, Precision precision) {
    switch (format) {
    case ReportFormat::json:
        return write_json(report, precision);
    case ReportFormat::xml:
        return write_xml(report, precision);
    case ReportFormat::csv:
        return write_csv(report, precision);
    case ReportFormat::sub:
        return write_sub(report, precision);
    }
    return {};
}

} // namespace isovmaf
