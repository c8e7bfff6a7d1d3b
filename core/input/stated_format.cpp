// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/stated_format.hpp"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/convert/sample_format.hpp"
#include "input/source.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view grammar = "[raw:]WIDTHxHEIGHT:CHROMA[pDEPTH][@RATE], such as 1920x1080:420p10@24";
constexpr std::string_view raw_prefix = "raw:";

/// Rates that differ by less count as equal: containers round them.
constexpr double rate_tolerance = 1e-3;

/// Cuts `text` at the first `separator`; the second part is empty when there is none.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char separator) {
    const std::size_t at = text.find(separator);
    if (at == std::string_view::npos)
        return {text, {}};
    return {text.substr(0, at), text.substr(at + 1)};
}

std::optional<Rational> parse_rate(std::string_view text) {
    const auto [over, under] = cut(text, '/');
    if (under.empty() && text.find('/') == std::string_view::npos) {
        const auto rate = parse_double(text);
        if (!rate || *rate <= 0 || *rate > 1e6)
            return std::nullopt;
        // Three decimals are what people write for a rate: 23.976.
        const auto thousandths = static_cast<std::int64_t>(std::llround(*rate * 1000));
        const std::int64_t common = std::gcd(thousandths, std::int64_t{1000});
        return thousandths > 0 ? std::optional(Rational{thousandths / common, 1000 / common}) : std::nullopt;
    }
    const auto numerator = parse_integer(over), denominator = parse_integer(under);
    constexpr std::int64_t most = 1'000'000'000;
    if (!numerator || !denominator || *numerator < 1 || *denominator < 1 || *numerator > most || *denominator > most)
        return std::nullopt;
    return Rational{*numerator, *denominator};
}

/// "420p10"
bool apply_pixels(std::string_view text, StatedFormat &stated) {
    const auto format = parse_sample_format(text);
    if (!format)
        return false;
    stated.chroma = format->chroma;
    stated.bit_depth = format->bit_depth;
    return true;
}

tl::unexpected<Error> differs(const SourceInfo &info, std::string_view what, const std::string &stated,
                              const std::string &found) {
    return fail(ErrorCode::mismatch,
                fmt::format("the command line gives {} the {} {}, but its header ({}) says {}; leave the option out, "
                            "or use --ref-format or --dis-format for the side that is raw video (raw:... reads a file "
                            "as raw video whatever it begins with)",
                            display_name(info.name), what, stated, info.container, found));
}

} // namespace

std::optional<VideoFormat> StatedFormat::raw_format() const {
    if (!width || !height || !chroma || !bit_depth)
        return std::nullopt;
    return VideoFormat{*width, *height, *chroma, *bit_depth};
}

std::string StatedFormat::missing() const {
    std::vector<std::string_view> names;
    if (!width)
        names.emplace_back("width");
    if (!height)
        names.emplace_back("height");
    if (!chroma)
        names.emplace_back("pixel format");
    if (!bit_depth)
        names.emplace_back("bit depth");
    return fmt::format("{}", fmt::join(names, ", "));
}

Result<StatedFormat> parse_stated_format(std::string_view text) {
    const auto wrong = [text] {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("\"{}\" is no video format: it has to be {}", text, grammar));
    };
    StatedFormat stated;
    std::string_view rest = text;
    if (rest.starts_with(raw_prefix)) {
        stated.headerless = true;
        rest.remove_prefix(raw_prefix.size());
    }
    const auto [shape, rate] = cut(rest, '@');
    const auto [size, pixels] = cut(shape, ':');
    const auto [width, height] = cut(size, 'x');
    const auto columns = parse_integer(width), rows = parse_integer(height);
    if (!columns || !rows || !apply_pixels(pixels, stated))
        return wrong();
    stated.width = TRY(validate_side(fmt::format("the width of \"{}\"", text), *columns));
    stated.height = TRY(validate_side(fmt::format("the height of \"{}\"", text), *rows));
    if (shape != rest) {
        stated.frame_rate = parse_rate(rate);
        if (!stated.frame_rate)
            return wrong();
    }
    return stated;
}

std::string stated_format_text(const StatedFormat &stated) {
    return fmt::format("{}{}x{}:{}p{}{}", stated.headerless ? raw_prefix : "", *stated.width, *stated.height,
                       chroma_code(*stated.chroma), *stated.bit_depth,
                       stated.frame_rate ? fmt::format("@{}", rational_text(*stated.frame_rate)) : "");
}

Result<void> check_stated(const StatedFormat &stated, const SourceInfo &info) {
    const VideoFormat &found = info.format;
    const auto number = [&](std::string_view what, std::optional<int> wanted, int value) -> Result<void> {
        if (wanted && *wanted != value)
            return differs(info, what, fmt::format("{}", *wanted), fmt::format("{}", value));
        return {};
    };
    TRY(number("width", stated.width, found.width));
    TRY(number("height", stated.height, found.height));
    if (stated.chroma && *stated.chroma != found.chroma)
        return differs(info, "chroma", std::string(chroma_text(*stated.chroma)),
                       std::string(chroma_text(found.chroma)));
    TRY(number("bit depth", stated.bit_depth, found.bit_depth));
    const auto &rate = info.timing.average_rate;
    if (stated.frame_rate && rate &&
        std::abs(stated.frame_rate->value() - rate->value()) > rate_tolerance * rate->value())
        return differs(info, "frame rate", rational_text(*stated.frame_rate), rational_text(*rate));
    return {};
}

} // namespace isovmaf
