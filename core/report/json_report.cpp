// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/writers.hpp"

#include <cmath>

#include <fmt/format.h>

#include "frame/validate.hpp"
#include "report/escape.hpp"
#include "report/json_text.hpp"

namespace isovmaf {

namespace {

void write_sentences(std::string_view key, const std::vector<std::string> &sentences, JsonText &json) {
    json.open_member(key, '[');
    for (const std::string &sentence : sentences)
        json.element() += fmt::format("\"{}\"", json_escape(sentence));
    json.close(']');
}

void write_warnings(const std::vector<PairWarning> &warnings, JsonText &json) {
    json.open_member("warnings", '[');
    for (const PairWarning &warning : warnings) {
        json.open_element('{');
        json.string("kind", warning.kind);
        json.string("text", warning.sentence);
        json.close('}');
    }
    json.close(']');
}

void write_input(std::string_view key, const ReportInput &input, JsonText &json) {
    json.open_member(key, '{');
    json.string("path", input.path);
    json.string("container", input.container);
    json.string("codec", input.codec);
    json.integer("width", input.format.width);
    json.integer("height", input.format.height);
    json.string("pixel_format", chroma_code(input.format.chroma));
    json.integer("bitdepth", input.format.bit_depth);
    json.string_or_null("stream", input.stream);
    json.string_or_null("stored_pixel_format", input.pixel_format);
    json.open_member("colour", '{');
    for (const auto &[name, value] : input.colour)
        json.string_or_null(json_escape(name), value);
    json.close('}');
    write_sentences("conversions", input.conversions, json);
    json.string_or_null("ffmpeg_command", input.ffmpeg_command);
    if (!input.decoder.empty())
        json.string("decoder", input.decoder);
    if (!input.film_grain.empty())
        json.string("film_grain", input.film_grain);
    json.close('}');
}

void write_frame_numbers(std::string_view key, const std::vector<std::int64_t> &frames, JsonText &json) {
    json.open_member(key, '[');
    for (const std::int64_t frame : frames)
        json.element() += fmt::format("{}", frame);
    json.close(']');
}

/// Frames without partner are known only where frames are paired by time.
void write_sync(const ReportSync &sync, JsonText &json) {
    json.open_member("sync", '{');
    json.string("mode", sync.mode);
    json.integer("offset", sync.offset);
    if (sync.tolerance_seconds > 0) {
        json.member("tolerance_seconds") += fmt::format("{:.6f}", sync.tolerance_seconds);
        json.integer("dropped", static_cast<std::int64_t>(sync.dropped.size()));
        json.integer("repeated", static_cast<std::int64_t>(sync.repeated.size()));
        write_frame_numbers("dropped_frames", sync.dropped, json);
        write_frame_numbers("repeated_frames", sync.repeated, json);
    }
    json.string_or_null("hint", sync.hint);
    json.close('}');
}

void write_strings(std::string_view key, const std::vector<std::pair<std::string, std::string>> &pairs,
                   JsonText &json) {
    json.open_member(key, '{');
    for (const auto &[name, value] : pairs)
        json.string(json_escape(name), value);
    json.close('}');
}

void write_facts(const std::vector<UsedFact> &facts, JsonText &json) {
    json.open_member("facts", '[');
    for (const UsedFact &fact : facts) {
        json.open_element('{');
        json.string("feature", fact.feature);
        json.string("option", fact.option);
        json.member("value") += fact.value;
        json.string("source", fact.source);
        json.string_or_null("meaning", fact.meaning);
        json.close('}');
    }
    json.close(']');
}

void write_stages(const std::vector<StageStats> &stages, const RunStats &stats, JsonText &json) {
    json.open_member("stages", '{');
    for (const StageStats &stage : stages) {
        json.open_member(stage.name, '{');
        json.member("seconds") += fmt::format("{:.6f}", stage.seconds);
        json.integer("workers", stage.workers);
        json.decimal("busy", busy_part(stage, stats));
        if (!stage.features.empty()) {
            json.open_member("features", '{');
            for (const auto &[feature, seconds] : stage.features)
                json.member(json_escape(feature)) += fmt::format("{:.6f}", seconds);
            json.close('}');
        }
        json.close('}');
    }
    json.close('}');
}

void write_waits(const RunStats &stats, JsonText &json) {
    json.open_member("waits", '{');
    for (const WaitStats &wait : stats.waits) {
        json.open_member(wait.name, '{');
        json.member("seconds") += fmt::format("{:.6f}", wait.seconds);
        json.decimal("part", waited_part(wait, stats));
        json.close('}');
    }
    json.close('}');
}

/// What each of several devices and workers did.
void write_shares(const RunStats &stats, JsonText &json) {
    if (!stats.devices.empty()) {
        json.open_member("devices", '[');
        for (const DeviceStats &device : stats.devices) {
            json.open_element('{');
            json.string("device", device.device);
            write_stages(device.stages, stats, json);
            json.close('}');
        }
        json.close(']');
    }
    if (stats.workers.empty())
        return;
    json.open_member("workers", '[');
    for (const WorkerStats &worker : stats.workers) {
        json.open_element('{');
        json.string("device", worker.device);
        json.integer("frames", worker.frames);
        json.integer("opened", worker.opened);
        json.integer("moved", worker.moved);
        write_stages(worker.stages, stats, json);
        json.close('}');
    }
    json.close(']');
}

void write_stats(const RunStats &stats, JsonText &json) {
    const auto seconds = [&](std::string_view key, double value) { json.member(key) += fmt::format("{:.6f}", value); };
    json.open_member("stats", '{');
    seconds("videos_seconds", stats.videos_seconds);
    seconds("device_seconds", stats.device_seconds);
    seconds("session_seconds", stats.session_seconds);
    seconds("scoring_seconds", stats.scoring_seconds);
    write_stages(stats.stages, stats, json);
    write_waits(stats, json);
    const StageStats *const most = bottleneck(stats).stage;
    json.string_or_null("bottleneck", most ? most->name : "");
    write_shares(stats, json);
    json.close('}');
}

void write_provenance(const Report &report, Precision precision, JsonText &json) {
    json.open_member("isovmaf", '{');
    json.string("version", report.version);
    json.string("semantics", report.semantics);
    if (const auto origins = origins_of(report.scores); !origins.empty())
        write_strings("origins", origins, json);
    write_execution(report.execution, report.devices, report.timing, json);
    write_input("reference", report.reference, json);
    write_input("distorted", report.distorted, json);
    json.string_or_null("resize", report.resize);
    write_sentences("notes", report.notes, json);
    write_warnings(report.warnings, json);
    write_sync(report.sync, json);
    write_strings("options", report.options, json);
    if (!report.facts.empty())
        write_facts(report.facts, json);
    write_strings("models", report.models, json);
    json.string("precision", precision_name(precision));
    json.flag("incomplete", report.incomplete);
    if (report.stats)
        write_stats(*report.stats, json);
    json.close('}');
}

void write_frames(const Report &report, const std::vector<std::string> &keys, JsonText &json) {
    json.open_member("frames", '[');
    for (std::size_t row = 0; row < report.scores.frames.size(); row++) {
        const FrameScores &frame = report.scores.frames[row];
        json.open_element('{');
        json.integer("frameNum", frame.frame);
        if (const std::optional<double> time = report.frame_time(frame.frame))
            json.decimal("time", *time);
        json.open_member("metrics", '{');
        for (std::size_t i = 0; i < keys.size(); i++)
            if (report.has_score(row, i))
                json.score(keys[i], frame.scores[i]);
        json.close('}');
        json.close('}');
    }
    json.close(']');
}

void write_pooled(const Report &report, const std::vector<std::string> &keys, JsonText &json) {
    json.open_member("pooled_metrics", '{');
    for (std::size_t i = 0; i < keys.size(); i++) {
        json.open_member(keys[i], '{');
        if (const std::optional<PooledScore> pooled = report.pooled(i))
            for (const PooledStatistic &statistic : statistics_of(report.layout))
                json.score(statistic.name, (*pooled).*statistic.value);
        json.close('}');
    }
    json.close('}');
}

void write_aggregates(const ScoreTable &scores, JsonText &json) {
    json.open_member("aggregate_metrics", '{');
    for (const auto &[name, value] : scores.aggregates)
        json.score(json_escape(name), value);
    json.close('}');
}

} // namespace

std::string write_json(const Report &report, Precision precision) {
    std::vector<std::string> keys;
    for (const std::string &name : report.scores.names)
        keys.push_back(json_escape(name));

    const bool of_libvmaf = report.layout == ReportLayout::libvmaf;
    JsonText json(precision, of_libvmaf ? JsonText::Empty::two_lines : JsonText::Empty::one_line);
    json.open('{');
    json.string("version", report.version);
    json.member("fps") += std::isfinite(report.fps) ? fmt::format("{:.2f}", report.fps) : "null";
    if (!of_libvmaf)
        write_provenance(report, precision, json);
    else if (report.incomplete)
        json.flag("incomplete", true);
    write_frames(report, keys, json);
    write_pooled(report, keys, json);
    write_aggregates(report.scores, json);
    json.close('}');
    return json.take();
}

} // namespace isovmaf
