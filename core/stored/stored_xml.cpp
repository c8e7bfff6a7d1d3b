// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "report/escape.hpp"
#include "stored/stored_builder.hpp"

namespace isovmaf {

namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view space = " \t\r\n";
constexpr std::array<std::string_view, 1> frame_attributes{"frameNum"};

/// An element's start or end.
struct Tag {
    std::string name;
    Attributes attributes;
    bool starts = true, ends = false; ///< both for <name/>
};

/// The part of XML that reports are made of: elements, attributes, comments, a declaration. What stands between tags is
/// passed over.
class XmlText {
  public:
    explicit XmlText(std::string_view text) : text_(text) {}

    [[nodiscard]] std::string place() const { return line_of(text_, start_); }

    /// The next tag, or nothing at the end of the text.
    std::optional<Tag> tag() {
        while (true) {
            start_ = std::min(text_.find('<', position_), text_.size());
            position_ = start_;
            if (start_ == text_.size())
                return std::nullopt;
            if (rest().starts_with("<!--"))
                pass("-->");
            else if (rest().starts_with("<?"))
                pass("?>");
            else
                return read_tag();
        }
    }

  private:
    [[nodiscard]] std::string_view rest() const { return text_.substr(position_); }

    void pass(std::string_view end) {
        const std::size_t found = text_.find(end, position_);
        if (found == std::string_view::npos)
            refuse("the XML ends in the middle");
        position_ = found + end.size();
    }

    bool take(char c) {
        if (!rest().starts_with(c))
            return false;
        position_++;
        return true;
    }

    void skip_space() { position_ = std::min(text_.find_first_not_of(space, position_), text_.size()); }

    std::string word() {
        const std::size_t end = std::min(text_.find_first_of(" \t\r\n=/><\"'", position_), text_.size());
        if (end == text_.size())
            refuse("the XML ends in the middle");
        if (end == position_)
            refuse(fmt::format("a name is missing before {}", quote(text_.substr(end, 1))));
        std::string word(text_.substr(position_, end - position_));
        position_ = end;
        return word;
    }

    Tag read_tag() {
        position_++; // '<'
        Tag tag;
        tag.ends = take('/');
        tag.starts = !tag.ends;
        tag.name = word();
        for (skip_space(); !take('>'); skip_space()) {
            if (take('/')) {
                tag.ends = true;
                continue;
            }
            std::string name = word();
            tag.attributes.emplace_back(std::move(name), attribute_value());
        }
        return tag;
    }

    std::string attribute_value() {
        skip_space();
        const bool equals = take('=');
        skip_space();
        const char mark = rest().empty() ? '\0' : rest().front();
        if (!equals || (mark != '"' && mark != '\''))
            refuse("an attribute must have a value in quotation marks");
        position_++;
        const std::size_t begin = position_;
        pass({&mark, 1});
        return unescape(text_.substr(begin, position_ - 1 - begin));
    }

    static std::string unescape(std::string_view text) {
        std::string plain;
        while (!text.empty()) {
            if (text.front() != '&') {
                plain += text.front();
                text.remove_prefix(1);
                continue;
            }
            const std::size_t end = text.find(';');
            if (end == std::string_view::npos)
                refuse("a character reference has no end");
            plain += character(text.substr(1, end - 1));
            text.remove_prefix(end + 1);
        }
        return plain;
    }

    static char character(std::string_view name) {
        constexpr std::pair<std::string_view, char> known[] = {{"amp", '&'},  {"lt", '<'},    {"gt", '>'},
                                                               {"quot", '"'}, {"apos", '\''}, {"#9", '\t'},
                                                               {"#10", '\n'}, {"#13", '\r'}};
        for (const auto &[text, c] : known)
            if (text == name)
                return c;
        refuse(fmt::format("the character reference {} is not known", quote(name)));
    }

    std::string_view text_;
    std::size_t position_ = 0, start_ = 0;
};

std::string attribute(const Tag &tag, std::string_view name) {
    const auto found = std::ranges::find(tag.attributes, name, &Attributes::value_type::first);
    if (found == tag.attributes.end())
        refuse(fmt::format("<{}> has no {}", tag.name, name));
    return found->second;
}

void read_root(const Tag &tag, StoredBuilder &builder) {
    if (tag.name != "VMAF")
        refuse(fmt::format("the outermost element must be VMAF, but is {}", quote(tag.name)));
    builder.report.writer = fmt::format("libvmaf {}", attribute(tag, "version"));
    for (const auto &[name, value] : tag.attributes)
        if (name == "incomplete")
            builder.report.incomplete = value == "true";
}

void read_frame(const Tag &tag, StoredBuilder &builder) {
    const std::optional<std::int64_t> number = parse_integer(attribute(tag, frame_attributes[0]));
    if (!number)
        refuse("frameNum must be the number of a frame");
    builder.frame(*number);
    bool numbered = false;
    for (const auto &[name, value] : tag.attributes)
        if (name != frame_attributes[0] || numbered)
            builder.score(name, value);
        else
            numbered = true;
}

/// isovmaf's pooled metrics have percentiles; that is how its XML differs from libvmaf's.
void read_metric(const Tag &tag, StoredBuilder &builder) {
    const std::string metric = attribute(tag, "name");
    for (const auto &[name, value] : tag.attributes) {
        if (name == "name")
            continue;
        builder.pooled(metric, name, value);
        std::string &writer = builder.report.writer;
        if (name.starts_with("percentile_") && writer.starts_with("libvmaf"))
            writer.replace(0, 3, "iso");
    }
}

void read_start(const Tag &tag, const std::vector<std::string> &open, StoredBuilder &builder) {
    if (open.empty())
        read_root(tag, builder);
    else if (open.back() == "frames" && tag.name == "frame")
        read_frame(tag, builder);
    else if (open.back() == "pooled_metrics" && tag.name == "metric")
        read_metric(tag, builder);
    else if (open.size() == 1 && tag.name == "aggregate_metrics")
        for (const auto &[name, value] : tag.attributes)
            builder.aggregate(name, value);
}

/// Elements are closed in the order that XML asks for.
void read_tags(XmlText &xml, StoredBuilder &builder) {
    std::vector<std::string> open;
    bool frames = false, root = false;
    while (const std::optional<Tag> tag = xml.tag()) {
        if (tag->starts) {
            if (open.empty() && root)
                refuse("a second document begins");
            root = true;
            read_start(*tag, open, builder);
            open.push_back(tag->name);
            frames = frames || (open.size() == 2 && tag->name == "frames");
        }
        if (tag->ends) {
            if (open.empty() || open.back() != tag->name)
                refuse(fmt::format("</{}> ends what did not begin", tag->name));
            open.pop_back();
        }
    }
    if (!open.empty() || !root)
        refuse("the XML ends in the middle");
    if (!frames)
        refuse("it has no <frames>: this is no report of scores");
}

/// Attributes cannot have every name that a score can; pooled metrics have the true names.
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
    XmlText xml(text);
    try {
        read_tags(xml, builder);
    } catch (const Failure &failure) {
        refuse(fmt::format("{}: {}", xml.place(), failure.what()));
    }
    restore_names(builder.report);
}

} // namespace isovmaf
