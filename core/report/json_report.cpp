// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/writers.hpp"

#include <cmath>

#include <fmt/format.h>

#include "report/escape.hpp"
#include "report/number_text.hpp"

namespace isovmaf {

namespace {

/// JSON written front to back: a long video's report would be many times its text as a tree of values.
class JsonText {
  public:
    explicit JsonText(Precision precision) : precision_(precision) {}

    /// Starts a member of the open object, whose value is appended to the result. `key` is escaped already.
    std::string &member(std::string_view key) {
        std::string &out = element();
        out += '"';
        out += key;
        out += "\": ";
        return out;
    }

    /// Starts an element of the open array.
    std::string &element() {
        out_ += empty_ ? "\n" : ",\n";
        out_.append(2 * depth_, ' ');
        empty_ = false;
        return out_;
    }

    void open(char bracket) {
        out_ += bracket;
        depth_++;
        empty_ = true;
    }

    void close(char bracket) {
        depth_--;
        if (!empty_) {
            out_ += '\n';
            out_.append(2 * depth_, ' ');
        }
        out_ += bracket;
        empty_ = false;
    }

    void string(std::string_view key, std::string_view value) { member(key) += '"' + json_escape(value) + '"'; }

    void string_or_null(std::string_view key, std::string_view value) {
        if (value.empty())
            member(key) += "null";
        else
            string(key, value);
    }

    void integer(std::string_view key, std::int64_t value) { member(key) += fmt::format_int(value).c_str(); }
    void flag(std::string_view key, bool value) { member(key) += value ? "true" : "false"; }
    void decimal(std::string_view key, double value) { member(key) += fmt::format("{:.3f}", value); }
    void score(std::string_view key, double value) { append_json_number(member(key), value, precision_); }

    void open_member(std::string_view key, char bracket) {
        member(key);
        open(bracket);
    }

    std::string take() { return std::move(out_) + '\n'; }

  private:
    Precision precision_;
    std::string out_;
    std::size_t depth_ = 0;
    bool empty_ = true; ///< nothing stands in the innermost open object or array
};

std::string_view pixel_format_text(Chroma chroma) {
    switch (chroma) {
    case Chroma::k400:
        return "400";
    case Chroma::k420:
        return "420";
    case Chroma::k422:
        return "422";
    case Chroma::k444:
        return "444";
    }
    return {};
}

std::string_view precision_text(Precision precision) {
    switch (precision) {
    case Precision::legacy:
        return "legacy";
    case Precision::max:
        return "max";
    case Precision::hex:
        return "hex";
    }
    return {};
}

void write_input(std::string_view key, const ReportInput &input, JsonText &json) {
    json.open_member(key, '{');
    json.string("path", input.path);
    json.string("container", input.container);
    json.string("codec", input.codec);
    json.integer("width", input.format.width);
    json.integer("height", input.format.height);
    json.string("pixel_format", pixel_format_text(input.format.chroma));
    json.integer("bitdepth", input.format.bit_depth);
    json.close('}');
}

void write_strings(std::string_view key, const std::vector<std::pair<std::string, std::string>> &pairs,
                   JsonText &json) {
    json.open_member(key, '{');
    for (const auto &[name, value] : pairs)
        json.string(json_escape(name), value);
    json.close('}');
}

void write_work(const Report &report, JsonText &json) {
    json.open_member("features", '{');
    for (const FeatureWork &work : report.execution.work) {
        json.open_member(json_escape(work.feature), '{');
        json.integer("kernel_launches", work.launches);
        if (report.timing)
            json.decimal("device_milliseconds", work.milliseconds);
        json.close('}');
    }
    json.close('}');
}

void write_memory(const DeviceMemory &memory, JsonText &json) {
    json.open_member("memory_bytes", '{');
    json.integer("allocated", static_cast<std::int64_t>(memory.allocated));
    json.integer("allocated_peak", static_cast<std::int64_t>(memory.allocated_peak));
    json.integer("reserved", static_cast<std::int64_t>(memory.reserved));
    json.integer("reserved_peak", static_cast<std::int64_t>(memory.reserved_peak));
    json.integer("pinned", static_cast<std::int64_t>(memory.pinned));
    json.close('}');
}

/// Where the scores come from. A plugin's launches prove that its device computed them.
void write_execution(const Report &report, JsonText &json) {
    const Execution &execution = report.execution;
    json.string("backend", execution.backend);
    json.string_or_null("plugin", execution.plugin);
    json.string("device", execution.plugin.empty() ? "host CPU" : execution.device);
    if (execution.plugin.empty())
        return;
    json.open_member("execution", '{');
    json.string("build_id", execution.build_id);
    json.string("arch", execution.arch);
    json.string_or_null("pci_id", execution.pci_id);
    json.string("runtime", execution.runtime);
    json.string("driver", execution.driver);
    json.integer("frames_in_flight", execution.frames_in_flight);
    write_work(report, json);
    write_memory(execution.memory, json);
    json.close('}');
}

void write_provenance(const Report &report, Precision precision, JsonText &json) {
    json.open_member("isovmaf", '{');
    json.string("version", report.version);
    json.string("semantics", report.semantics);
    write_execution(report, json);
    write_input("reference", report.reference, json);
    write_input("distorted", report.distorted, json);
    json.string_or_null("resize", report.resize);
    write_strings("options", report.options, json);
    write_strings("models", report.models, json);
    json.string("precision", precision_text(precision));
    json.flag("incomplete", report.incomplete);
    json.close('}');
}

void write_frames(const ScoreTable &scores, const std::vector<std::string> &keys, JsonText &json) {
    json.open_member("frames", '[');
    for (const FrameScores &frame : scores.frames) {
        json.element();
        json.open('{');
        json.integer("frameNum", frame.frame);
        json.open_member("metrics", '{');
        for (std::size_t i = 0; i < keys.size(); i++)
            json.score(keys[i], frame.scores[i]);
        json.close('}');
        json.close('}');
    }
    json.close(']');
}

void write_pooled(const ScoreTable &scores, const std::vector<std::string> &keys, JsonText &json) {
    json.open_member("pooled_metrics", '{');
    for (std::size_t i = 0; i < keys.size(); i++) {
        const PooledScore pooled = pool_column(scores, i);
        json.open_member(keys[i], '{');
        for (const PooledStatistic &statistic : pooled_statistics)
            json.score(statistic.name, pooled.*statistic.value);
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

    JsonText json(precision);
    json.open('{');
    json.string("version", report.version);
    json.member("fps") += std::isfinite(report.fps) ? fmt::format("{:.2f}", report.fps) : "null";
    write_provenance(report, precision, json);
    write_frames(report.scores, keys, json);
    write_pooled(report.scores, keys, json);
    write_aggregates(report.scores, json);
    json.close('}');
    return json.take();
}

} // namespace isovmaf
