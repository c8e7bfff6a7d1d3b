// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/validate.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf {

namespace {

struct ChromaNames {
    std::string_view text, code;
};
constexpr std::array<ChromaNames, all_chromas.size()> chroma_names{
    {{"4:0:0", "400"}, {"4:2:0", "420"}, {"4:2:2", "422"}, {"4:4:4", "444"}}}; // in the order of the values

/// A number that is no chroma has the names of the last one: only validate_format is asked about it.
const ChromaNames &names_of(Chroma chroma) {
    return chroma_names[std::min(static_cast<std::size_t>(chroma), chroma_names.size() - 1)];
}

} // namespace

Result<int> validate_side(std::string_view what, std::int64_t side) {
    if (side < 1 || side > max_frame_side)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} has to be from 1 to {}, not {}", what, max_frame_side, side));
    return static_cast<int>(side);
}

Result<void> validate_format(const VideoFormat &format) {
    TRY(validate_side("the frame width", format.width));
    TRY(validate_side("the frame height", format.height));
    if (format.chroma > Chroma::k444)
        return fail(ErrorCode::invalid_argument, fmt::format("there is no chroma subsampling number {}; known are "
                                                             "4:0:0, 4:2:0, 4:2:2 and 4:4:4",
                                                             static_cast<int>(format.chroma)));
    if (format.bit_depth < 8 || format.bit_depth > 16)
        return fail(ErrorCode::unsupported,
                    fmt::format("the bit depth has to be from 8 to 16, not {}", format.bit_depth));
    return {};
}

std::string_view chroma_text(Chroma chroma) { return names_of(chroma).text; }
std::string_view chroma_code(Chroma chroma) { return names_of(chroma).code; }

std::optional<Chroma> find_chroma(std::string_view code) {
    for (const Chroma chroma : all_chromas)
        if (chroma_code(chroma) == code)
            return chroma;
    return std::nullopt;
}

std::string format_text(const VideoFormat &format) {
    return fmt::format("{}x{} {} {}-bit", format.width, format.height, chroma_text(format.chroma), format.bit_depth);
}

} // namespace isovmaf
