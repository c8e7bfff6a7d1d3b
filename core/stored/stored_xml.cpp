// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "base/failure.hpp"
#include "base/text.hpp"
#include "report/escape.hpp"
#include "stored/stored_builder.hpp"

namespace isovmaf {

namespace {

constexpr std::array<std::string_view, 1> frame_attributes{"frameNum"};

std::string_view name_of(const pugi::xml_node &element) { return element.name(); }

std::string_view attribute(const pugi::xml_node &element, const char *name) {
    const pugi::xml_attribute found = element.attribute(name);
    if (!found)
        refuse(fmt::format("<{}> has no {}", element.name(), name));
    return found.value();
}

/// The sentence for a parse that stopped at `offset` of the text.
std::string syntax_problem(std::string_view text, pugi::xml_parse_status status, std::size_t offset) {
    if (status == pugi::status_no_document_element)
        return "it has no element: this is no report of scores";
    const std::size_t end = text.find_last_not_of(" \t\r\n") + 1;
    if (offset >= end || text[end - 1] != '>')
        return "the XML ends in the middle";
    switch (status) {
    case pugi::status_end_element_mismatch: {
        const std::size_t name = text.rfind("</", offset) + 2;
        return fmt::format("</{}> ends what did not begin",
                           text.substr(name, text.find_first_of(" \t\r\n>", name) - name));
    }
    case pugi::status_bad_attribute:
        return "an attribute must have a value in quotation marks";
    default:
        return fmt::format("no XML at {}", quote(text.substr(offset, 1)));
    }
}

/// Reads the elements VMAF > frames > frame, VMAF > pooled_metrics > metric and VMAF > aggregate_metrics. Everything
/// else is passed over.
class XmlReport {
  public:
    XmlReport(std::string_view text, StoredBuilder &builder) : text_(text), builder_(builder) {}

    void read() {
        parse();
        const pugi::xml_node root = find_root();
        read_root(root);
        bool frames = false;
        for (const pugi::xml_node part : root.children()) {
            enter(part);
            frames = frames || name_of(part) == "frames";
            read_part(part);
        }
        if (!frames)
            refuse("it has no <frames>: this is no report of scores");
    }

    /// The line of the current element or syntax error.
    [[nodiscard]] std::string place() const { return line_of(text_, std::min(position_, text_.size())); }

  private:
    /// The text is taken for UTF-8 whatever its declaration says: a conversion would shift positions.
    void parse() {
        if (position_ = text_.find('\0'); position_ != std::string_view::npos)
            refuse("no XML at a byte that is 0");
        const pugi::xml_parse_result result =
            document_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
        position_ = static_cast<std::size_t>(result.offset);
        if (!result)
            refuse(syntax_problem(text_, result.status, position_));
    }

    void enter(const pugi::xml_node &element) { position_ = static_cast<std::size_t>(element.offset_debug()); }

    pugi::xml_node find_root() {
        pugi::xml_node root;
        for (const pugi::xml_node node : document_.children()) {
            if (node.type() != pugi::node_element)
                continue;
            enter(node);
            if (root)
                refuse("a second document begins");
            root = node;
        }
        enter(root);
        return root;
    }

    void read_root(const pugi::xml_node &root) {
        if (name_of(root) != "VMAF")
            refuse(fmt::format("the outermost element must be VMAF, but is {}", quote(root.name())));
        builder_.report.writer = fmt::format("libvmaf {}", attribute(root, "version"));
        builder_.report.incomplete = std::string_view(root.attribute("incomplete").value()) == "true";
    }

    void read_part(const pugi::xml_node &part) {
        if (name_of(part) == "frames")
            for (const pugi::xml_node frame : part.children("frame"))
                read_frame(frame);
        else if (name_of(part) == "pooled_metrics")
            for (const pugi::xml_node metric : part.children("metric"))
                read_metric(metric);
        else if (name_of(part) == "aggregate_metrics")
            for (const pugi::xml_attribute aggregate : part.attributes())
                builder_.aggregate(aggregate.name(), aggregate.value());
    }

    void read_frame(const pugi::xml_node &frame) {
        enter(frame);
        const std::optional<std::int64_t> number = parse_integer(attribute(frame, frame_attributes[0].data()));
        if (!number)
            refuse("frameNum must be the number of a frame");
        builder_.frame(*number);
        const pugi::xml_attribute numbering = frame.attribute(frame_attributes[0].data());
        for (const pugi::xml_attribute score : frame.attributes())
            if (score != numbering)
                builder_.score(score.name(), score.value());
    }

    /// Reports of isovmaf are recognised by their percentiles, which libvmaf does not write.
    void read_metric(const pugi::xml_node &metric) {
        enter(metric);
        const std::string_view name = attribute(metric, "name");
        for (const pugi::xml_attribute statistic : metric.attributes()) {
            const std::string_view statistic_name = statistic.name();
            if (statistic_name == "name")
                continue;
            builder_.pooled(name, statistic_name, statistic.value());
            std::string &writer = builder_.report.writer;
            if (statistic_name.starts_with("percentile_") && writer.starts_with("libvmaf"))
                writer.replace(0, 3, "iso");
        }
    }

    std::string_view text_;
    StoredBuilder &builder_;
    pugi::xml_document document_;
    std::size_t position_ = 0; ///< in the text
};

/// A name of a score may be no name of an attribute; the names in pooled metrics are the true ones.
void restore_names(StoredReport &report) {
    std::vector<std::string> names;
    for (const StoredTotal &total : report.pooled)
        if (names.empty() || names.back() != total.name)
            names.push_back(total.name);
    if (xml_attribute_names(names, frame_attributes) == report.names)
        report.names = std::move(names);
}

} // namespace

void read_xml(std::string_view text, StoredBuilder &builder) {
    XmlReport xml(text, builder);
    try {
        xml.read();
    } catch (const Failure &failure) {
        refuse(fmt::format("{}: {}", xml.place(), failure.what()));
    }
    restore_names(builder.report);
}

} // namespace isovmaf
