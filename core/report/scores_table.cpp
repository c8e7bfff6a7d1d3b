// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/scores_table.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "report/escape.hpp"
#include "report/json_text.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"
#include "report/writers.hpp"

namespace isovmaf {

namespace {

std::vector<ScoreSpan> spans_of(const TableVideo &video) {
    return video.spans.empty() ? std::vector<ScoreSpan>{{0, video.report.scores.frames.size()}} : video.spans;
}

/// The columns of models, then those of features.
std::vector<std::size_t> columns_of(const TableVideo &video) {
    const ScoreTable &scores = video.report.scores;
    std::vector<std::size_t> columns;
    for (std::size_t i = video.first_model; i < scores.names.size(); i++)
        if (!is_bootstrap_member(scores, i))
            columns.push_back(i);
    for (std::size_t i = 0; i < std::min(video.first_model, scores.names.size()); i++)
        columns.push_back(i);
    return columns;
}

template <class Number>
std::string text_of(const std::optional<Number> &number) {
    return number ? fmt::format("{}", *number) : "";
}

/// The fields of a span that come before its scores.
std::string csv_start(const Report &report, const ScoreSpan &span) {
    const std::vector<FrameScores> &frames = report.scores.frames;
    const ReportInput &video = report.distorted;
    const std::int64_t first = frames[span.first].frame, last = frames[span.first + span.count - 1].frame;
    const std::optional<double> time = report.frame_time(first);
    return fmt::format("{},{},{},{},{},{},{},{},{},{}", csv_escape(video.path), csv_escape(video.codec),
                       video.format.width, video.format.height, text_of(video.bytes), text_of(video.bit_rate), first,
                       last, time ? fmt::format("{:.3f}", *time) : "", span.count);
}

std::string write_csv_table(std::span<const TableVideo> videos, Precision precision) {
    std::string out = "video,codec,width,height,bytes,bit_rate,first_frame,last_frame,time,frames,score";
    for (const PooledStatistic &statistic : pooled_statistics)
        fmt::format_to(std::back_inserter(out), ",{}", statistic.name);
    out += '\n';
    for (const TableVideo &video : videos)
        for (const ScoreSpan &span : spans_of(video)) {
            const std::string start = csv_start(video.report, span);
            for (const std::size_t column : columns_of(video)) {
                fmt::format_to(std::back_inserter(out), "{},{}", start, csv_escape(video.report.scores.names[column]));
                const PooledScore pooled = pool_span(video.report.scores, column, span);
                for (const PooledStatistic &statistic : pooled_statistics) {
                    out += ',';
                    append_number(out, pooled.*statistic.value, precision);
                }
                out += '\n';
            }
        }
    return out;
}

void write_span(const TableVideo &video, const ScoreSpan &span, JsonText &json) {
    const Report &report = video.report;
    const std::vector<FrameScores> &frames = report.scores.frames;
    json.open_element('{');
    json.integer("first_frame", frames[span.first].frame);
    json.integer("last_frame", frames[span.first + span.count - 1].frame);
    if (const std::optional<double> time = report.frame_time(frames[span.first].frame))
        json.decimal("time", *time);
    json.integer("frames", static_cast<std::int64_t>(span.count));
    json.open_member("scores", '{');
    for (const std::size_t column : columns_of(video)) {
        const PooledScore pooled = pool_span(report.scores, column, span);
        json.open_member(json_escape(report.scores.names[column]), '{');
        for (const PooledStatistic &statistic : pooled_statistics)
            json.score(statistic.name, pooled.*statistic.value);
        json.close('}');
    }
    json.close('}');
    json.close('}');
}

void write_video(const TableVideo &video, JsonText &json) {
    const ReportInput &input = video.report.distorted;
    json.open_element('{');
    json.string("video", input.path);
    json.string("codec", input.codec);
    json.integer("width", input.format.width);
    json.integer("height", input.format.height);
    if (input.bytes)
        json.integer("bytes", *input.bytes);
    if (input.bit_rate)
        json.integer("bit_rate", *input.bit_rate);
    if (video.report.incomplete)
        json.flag("incomplete", true);
    json.open_member("spans", '[');
    for (const ScoreSpan &span : spans_of(video))
        write_span(video, span, json);
    json.close(']');
    json.close('}');
}

std::string write_json_table(std::span<const TableVideo> videos, std::optional<SpanKind> kind, Precision precision) {
    JsonText json(precision);
    json.open('{');
    json.integer("isovmaf_table", 1);
    json.string("version", videos.front().report.version);
    json.string("semantics", videos.front().report.semantics);
    json.string("reference", videos.front().report.reference.path);
    json.string("per", kind ? span_kind_name(*kind) : "video");
    json.open_member("videos", '[');
    for (const TableVideo &video : videos)
        write_video(video, json);
    json.close(']');
    json.close('}');
    return json.take();
}

} // namespace

std::string write_scores_table(std::span<const TableVideo> videos, std::optional<SpanKind> kind, TableFormat format,
                               Precision precision) {
    return format == TableFormat::csv ? write_csv_table(videos, precision) : write_json_table(videos, kind, precision);
}

} // namespace isovmaf
