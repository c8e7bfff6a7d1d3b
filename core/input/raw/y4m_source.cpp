// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/y4m_source.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/raw/planar_source.hpp"

namespace isovmaf {

namespace {

/// First word of every frame's header line.
constexpr std::string_view y4m_frame_magic = "FRAME";

/// The header line of a frame without parameters.
constexpr std::string_view y4m_usual_frame_header = "FRAME\n";

/// Longest header line accepted. Real ones have less than 200 bytes.
constexpr std::size_t y4m_line_limit = 4096;

/// Text from a damaged file, shortened and without unprintable characters, for an error sentence.
std::string printable(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string out(text.substr(0, longest));
    for (char &c : out)
        c = c < ' ' || c > '~' ? '?' : c;
    return text.size() > longest ? out + "..." : out;
}

struct ColourSpace {
    std::string_view prefix;
    Chroma chroma;
};

/// Colour spaces without their bit depth. The names of 4:2:0 differ in where chroma is sited, which changes no score.
constexpr ColourSpace colour_spaces[] = {
    {"420", Chroma::k420}, {"422", Chroma::k422}, {"444", Chroma::k444}, {"mono", Chroma::k400}};

/// Names of 8-bit 4:2:0 that say where chroma is sited.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> chroma_locations{
    {{"420jpeg", "center"}, {"420mpeg2", "left"}, {"420paldv", "topleft"}}};

/// The text that stands for a tag's value in a table; empty for a value that says nothing.
template <std::size_t Size>
std::string look_up(const std::array<std::pair<std::string_view, std::string_view>, Size> &table,
                    std::optional<std::string_view> value) {
    for (const auto &[known, meaning] : table)
        if (value == known)
            return std::string(meaning);
    return {};
}

/// "p10" or, after mono, "10".
std::optional<int> parse_depth(std::string_view text, Chroma chroma) {
    if (text.empty())
        return 8;
    if (chroma != Chroma::k400) {
        if (text.front() != 'p')
            return std::nullopt;
        text.remove_prefix(1);
    }
    const auto depth = parse_integer(text);
    return depth && *depth > 8 && *depth <= 16 ? std::optional(static_cast<int>(*depth)) : std::nullopt;
}

/// Sets chroma and bit depth from the text of a C tag; false when there is no such colour space.
bool apply_colour_space(std::string_view text, VideoFormat &format) {
    if (!look_up(chroma_locations, text).empty())
        text = "420";
    for (const ColourSpace &space : colour_spaces) {
        if (!text.starts_with(space.prefix))
            continue;
        const auto depth = parse_depth(text.substr(space.prefix.size()), space.chroma);
        if (!depth)
            return false;
        format.chroma = space.chroma;
        format.bit_depth = *depth;
        return true;
    }
    return false;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char &c : lower)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

struct Tags {
    std::optional<std::string_view> width, height, frame_rate, interlacing, aspect, colour_space, extended_colour_space,
        colour_range;
};

Tags collect_tags(std::string_view line) {
    Tags tags;
    while (!line.empty()) {
        const std::string_view tag = line.substr(0, line.find(' '));
        line.remove_prefix(std::min(tag.size() + 1, line.size()));
        if (tag.starts_with('W'))
            tags.width = tag.substr(1);
        else if (tag.starts_with('H'))
            tags.height = tag.substr(1);
        else if (tag.starts_with('F'))
            tags.frame_rate = tag.substr(1);
        else if (tag.starts_with('C'))
            tags.colour_space = tag.substr(1);
        else if (tag.starts_with('I'))
            tags.interlacing = tag.substr(1);
        else if (tag.starts_with('A'))
            tags.aspect = tag.substr(1);
        else if (constexpr std::string_view old = "XYSCSS="; tag.starts_with(old))
            tags.extended_colour_space = tag.substr(old.size());
        else if (constexpr std::string_view range = "XCOLORRANGE="; tag.starts_with(range))
            tags.colour_range = tag.substr(range.size());
    }
    return tags;
}

/// "30000:1001"; nothing for 0:0, which stands for an unknown ratio, and for a ratio that makes no sense.
std::optional<Rational> parse_ratio(std::optional<std::string_view> text) {
    const std::size_t colon = text ? text->find(':') : std::string_view::npos;
    if (colon == std::string_view::npos)
        return std::nullopt;
    const auto numerator = parse_integer(text->substr(0, colon)), denominator = parse_integer(text->substr(colon + 1));
    constexpr std::int64_t most = 1'000'000'000; // products of two of them fit 64 bits
    if (!numerator || !denominator || *numerator < 1 || *denominator < 1 || *numerator > most || *denominator > most)
        return std::nullopt;
    return Rational{*numerator, *denominator};
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> field_orders{
    {{"p", "progressive"}, {"t", "top field first"}, {"b", "bottom field first"}, {"m", "mixed"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> ranges{
    {{"LIMITED", "limited"}, {"FULL", "full"}}};

ColourDescription describe_colour(const Tags &tags) {
    ColourDescription colour;
    colour.range = look_up(ranges, tags.colour_range);
    colour.chroma_location = look_up(chroma_locations, tags.colour_space);
    colour.sample_aspect_ratio = parse_ratio(tags.aspect);
    colour.field_order = look_up(field_orders, tags.interlacing);
    return colour;
}

Result<int> parse_side(const std::string &name, std::string_view tag, std::optional<std::string_view> text) {
    if (!text)
        return fail(ErrorCode::corrupt_data, fmt::format("{}: the Y4M header has no {}", name, tag));
    const auto side = parse_integer(*text);
    if (!side)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{}: the Y4M header's {} is no integer in range: \"{}\"", name, tag, printable(*text)));
    return validate_side(fmt::format("{}: the Y4M header's {}", name, tag), *side);
}

class Y4mSource final : public PlanarSource {
  public:
    Y4mSource(std::unique_ptr<ByteReader> reader, SourceInfo info, TruncatedEnd truncated)
        : PlanarSource(std::move(reader), std::move(info), truncated, y4m_usual_frame_header), truncated_(truncated) {}

    std::string end_warning() const override {
        return end_warning_.empty() ? PlanarSource::end_warning() : end_warning_;
    }

  private:
    Result<bool> begin_frame() override {
        const auto line = TRY(reader().read_line(y4m_line_limit));
        const std::string_view text = line.text;
        const std::string_view word = text.substr(0, text.find(' '));
        if (line.ended && word == y4m_frame_magic) {
            if (text.size() != word.size())
                found_odd_header();
            return true;
        }
        if (line.ended || text.size() == y4m_line_limit || !may_begin_header(text))
            return fail(ErrorCode::corrupt_data,
                        fmt::format("{}: \"{}\" stands where the header of frame {} should begin with {}",
                                    reader().name(), printable(text), frames_read(), y4m_frame_magic));
        if (!text.empty())
            TRY(end_inside_header());
        return false;
    }

    Result<void> end_inside_header() {
        const std::string where = fmt::format("{} ends inside the header of frame {}", reader().name(), frames_read());
        if (truncated_ == TruncatedEnd::error)
            return fail(ErrorCode::corrupt_data, where + "; check that the file is complete");
        end_warning_ = fmt::format("{}; the {} whole frames before it are used", where, frames_read());
        return {};
    }

    /// Whether `text`, which the end of the file cut short, is the beginning of a frame's header.
    static bool may_begin_header(std::string_view text) {
        const std::string_view word = text.substr(0, text.find(' '));
        return word == y4m_frame_magic || (word.size() == text.size() && y4m_frame_magic.starts_with(word));
    }

    TruncatedEnd truncated_;
    std::string end_warning_; ///< of an end inside a frame's header
};

} // namespace

Result<Y4mHeader> parse_y4m_header(std::string_view line, const std::string &name) {
    if (!line.starts_with(y4m_magic) || line.substr(y4m_magic.size(), 1).find_first_not_of(' ') == 0)
        return fail(ErrorCode::corrupt_data, fmt::format("{} does not start with {}", name, y4m_magic));
    const Tags tags = collect_tags(line.substr(y4m_magic.size()));

    VideoFormat format;
    const auto width = TRY(parse_side(name, "width (W)", tags.width));
    format.width = width;
    const auto height = TRY(parse_side(name, "height (H)", tags.height));
    format.height = height;

    // Without a C tag it is 8-bit 4:2:0, unless the comment that older tools wrote says more.
    const std::string colour_space =
        tags.colour_space ? std::string(*tags.colour_space) : lower_case(tags.extended_colour_space.value_or("420"));
    if (!apply_colour_space(colour_space, format))
        return fail(ErrorCode::unsupported,
                    fmt::format("{}: Y4M colour space \"{}\" is not supported; supported are 420 (also 420jpeg, "
                                "420mpeg2, 420paldv), 422, 444 and mono, with 8 to 16 bit as in 420p10 and mono10",
                                name, printable(colour_space)));
    return Y4mHeader{format, parse_ratio(tags.frame_rate), describe_colour(tags)};
}

Result<bool> looks_like_y4m(ByteReader &reader) {
    const auto head = TRY(reader.peek(y4m_magic.size()));
    return head.size() == y4m_magic.size() && std::memcmp(head.data(), y4m_magic.data(), y4m_magic.size()) == 0;
}

Result<std::unique_ptr<FrameSource>> open_y4m(std::unique_ptr<ByteReader> reader, const SourceOptions &options) {
    const auto line = TRY(reader->read_line(y4m_line_limit));
    if (!line.ended)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{}: the Y4M header does not end within {} bytes", reader->name(), line.text.size()));
    const Y4mHeader header = TRY(parse_y4m_header(line.text, reader->name()));
    const VideoFormat &format = header.format;

    SourceInfo info{format, reader->path(), "y4m", "rawvideo"};
    info.timing.average_rate = header.frame_rate;
    info.colour = header.colour;
    if (const auto bytes = reader->remaining()) {
        // A frame whose header has parameters is longer than this.
        const std::uint64_t frame_bytes = stored_frame_bytes(format) + y4m_frame_magic.size() + 1;
        if (*bytes < frame_bytes)
            return fail(ErrorCode::corrupt_data,
                        fmt::format("{} holds no whole frame: {} bytes follow its header, and a frame of {} takes {}",
                                    reader->name(), *bytes, format_text(format), frame_bytes));
        info.frame_count = static_cast<std::int64_t>(*bytes / frame_bytes);
    }
    return std::make_unique<Y4mSource>(std::move(reader), std::move(info),
                                       options.strict ? TruncatedEnd::error : TruncatedEnd::warning);
}

} // namespace isovmaf
