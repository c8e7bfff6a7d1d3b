// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/writers.hpp"

#include <iterator>

#include <fmt/format.h>

#include "frame/validate.hpp"
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

    /// An attribute, unless its text is empty: then nothing is known.
    void text(std::string_view name, std::string_view value) {
        if (!value.empty())
            raw(" {}=\"{}\"", name, xml_escape(value));
    }

    std::string take() { return std::move(out_); }

  private:
    Precision precision_;
    std::string out_;
};

void write_frames(const Report &report, XmlText &xml) {
    const ScoreTable &scores = report.scores;
    constexpr std::array<std::string_view, 1> reserved{"frameNum"};
    const std::vector<std::string> attributes = xml_attribute_names(scores.names, reserved);
    xml.raw("  <frames>\n");
    for (std::size_t row = 0; row < scores.frames.size(); row++) {
        const FrameScores &frame = scores.frames[row];
        xml.raw("    <frame frameNum=\"{}\"", frame.frame);
        for (std::size_t i = 0; i < attributes.size(); i++)
            if (report.has_score(row, i))
                xml.attribute(attributes[i], frame.scores[i]);
        xml.raw(" />\n");
    }
    xml.raw("  </frames>\n");
}

void write_pooled(const Report &report, XmlText &xml) {
    const ScoreTable &scores = report.scores;
    xml.raw("  <pooled_metrics>\n");
    for (std::size_t i = 0; i < scores.names.size(); i++) {
        xml.raw("    <metric name=\"{}\"", xml_escape(scores.names[i]));
        if (const std::optional<PooledScore> pooled = report.pooled(i))
            for (const PooledStatistic &statistic : statistics_of(report.layout))
                xml.attribute(statistic.name, (*pooled).*statistic.value);
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

void write_input(std::string_view element, const ReportInput &input, XmlText &xml) {
    constexpr std::array<std::string_view, 9> reserved{
        "path", "container", "codec", "width", "height", "pixel_format", "bitdepth", "stream", "stored_pixel_format"};
    std::vector<std::string> names;
    for (const auto &[name, value] : input.colour)
        names.push_back(name);
    const std::vector<std::string> attributes = xml_attribute_names(names, reserved);
    xml.raw("    <{} path=\"{}\"", element, xml_escape(input.path));
    xml.text("container", input.container);
    xml.text("codec", input.codec);
    xml.raw(" width=\"{}\" height=\"{}\" pixel_format=\"{}\" bitdepth=\"{}\"", input.format.width, input.format.height,
            chroma_code(input.format.chroma), input.format.bit_depth);
    xml.text("stream", input.stream);
    xml.text("stored_pixel_format", input.pixel_format);
    for (std::size_t i = 0; i < attributes.size(); i++)
        xml.text(attributes[i], input.colour[i].second);
    xml.raw(" />\n");
}

/// What isovmaf adds to libvmaf's elements.
void write_videos(const Report &report, XmlText &xml) {
    xml.raw("  <videos>\n");
    write_input("reference", report.reference, xml);
    write_input("distorted", report.distorted, xml);
    for (const PairWarning &warning : report.warnings)
        xml.raw("    <warning kind=\"{}\" text=\"{}\" />\n", xml_escape(warning.kind), xml_escape(warning.sentence));
    for (const std::string &note : report.notes)
        xml.raw("    <note text=\"{}\" />\n", xml_escape(note));
    for (const std::string &sentence : flagged_sentences(report.execution))
        xml.raw("    <note text=\"{}\" />\n", xml_escape(sentence));
    xml.raw("  </videos>\n");
}

} // namespace

std::string write_xml(const Report &report, Precision precision) {
    const VideoFormat &format = scored_format(report);
    XmlText xml(precision);
    xml.raw("<VMAF version=\"{}\"{}>\n", xml_escape(report.version), report.incomplete ? " incomplete=\"true\"" : "");
    xml.raw("  <params qualityWidth=\"{}\" qualityHeight=\"{}\" />\n", format.width, format.height);
    xml.raw("  <fyi fps=\"{:.2f}\" />\n", report.fps);
    write_frames(report, xml);
    write_pooled(report, xml);
    write_aggregates(report.scores, xml);
    if (report.layout == ReportLayout::isovmaf)
        write_videos(report, xml);
    xml.raw("</VMAF>\n");
    return xml.take();
}

} // namespace isovmaf
