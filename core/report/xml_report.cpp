// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/writers.hpp"

#include <iterator>

#include <fmt/format.h>

#include "report/escape.hpp"
#include "report/number_text.hpp"

namespace isovmaf {

namespace {

/// Size of the frames that were scored: the video that was not scaled has it.
const VideoFormat &scored_format(const Report &report) {
    return report.resize.starts_with("ref") ? report.distorted.format : report.reference.format;
}

class XmlText {
  public:
    explicit XmlText(Precision precision) : precision_(precision) {}

    template <class... Arguments>
    void raw(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }

    void attribute(std::string_view name, double value) {
        out_ += ' ';
        out_ += name;
        out_ += "=\"";
        append_number(out_, value, precision_);
        out_ += '"';
    }

    std::string take() { return std::move(out_); }

  private:
    Precision precision_;
    std::string out_;
};

void write_frames(const ScoreTable &scores, XmlText &xml) {
    constexpr std::array<std::string_view, 1> reserved{"frameNum"};
    const std::vector<std::string> attributes = xml_attribute_names(scores.names, reserved);
    xml.raw("  <frames>\n");
    for (const FrameScores &frame : scores.frames) {
        xml.raw("    <frame frameNum=\"{}\"", frame.frame);
        for (std::size_t i = 0; i < attributes.size(); i++)
            xml.attribute(attributes[i], frame.scores[i]);
        xml.raw(" />\n");
    }
    xml.raw("  </frames>\n");
}

void write_pooled(const ScoreTable &scores, ReportLayout layout, XmlText &xml) {
    xml.raw("  <pooled_metrics>\n");
    for (std::size_t i = 0; i < scores.names.size(); i++) {
        const PooledScore pooled = pool_column(scores, i);
        xml.raw("    <metric name=\"{}\"", xml_escape(scores.names[i]));
        for (const PooledStatistic &statistic : statistics_of(layout))
            xml.attribute(statistic.name, pooled.*statistic.value);
        xml.raw(" />\n");
    }
    xml.raw("  </pooled_metrics>\n");
}

void write_aggregates(const ScoreTable &scores, XmlText &xml) {
    std::vector<std::string> names;
    for (const auto &[name, value] : scores.aggregates)
        names.push_back(name);
    const std::vector<std::string> attributes = xml_attribute_names(names);
    xml.raw("  <aggregate_metrics");
    for (std::size_t i = 0; i < attributes.size(); i++)
        xml.attribute(attributes[i], scores.aggregates[i].second);
    xml.raw(" />\n");
}

} // namespace

std::string write_xml(const Report &report, Precision precision) {
    const VideoFormat &format = scored_format(report);
    XmlText xml(precision);
    xml.raw("<VMAF version=\"{}\"{}>\n", xml_escape(report.version), report.incomplete ? " incomplete=\"true\"" : "");
    xml.raw("  <params qualityWidth=\"{}\" qualityHeight=\"{}\" />\n", format.width, format.height);
    xml.raw("  <fyi fps=\"{:.2f}\" />\n", report.fps);
    write_frames(report.scores, xml);
    write_pooled(report.scores, report.layout, xml);
    write_aggregates(report.scores, xml);
    xml.raw("</VMAF>\n");
    return xml.take();
}

} // namespace isovmaf
