// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/validate.hpp"

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf {

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

std::string_view chroma_text(Chroma chroma) {
    switch (chroma) {
    case Chroma::k400:
        return "4:0:0";
    case Chroma::k420:
        return "4:2:0";
    case Chroma::k422:
        return "4:2:2";
    case Chroma::k444:
        break;
    }
    return "4:4:4";
}

std::string_view chroma_code(Chroma chroma) {
    switch (chroma) {
    case Chroma::k400:
        return "400";
    case Chroma::k420:
        return "420";
    case Chroma::k422:
        return "422";
    case Chroma::k444:
        break;
    }
    return "444";
}

std::optional<Chroma> find_chroma(std::string_view code) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        if (chroma_code(chroma) == code)
            return chroma;
    return std::nullopt;
}

std::string format_text(const VideoFormat &format) {
    return fmt::format("{}x{} {} {}-bit", format.width, format.height, chroma_text(format.chroma), format.bit_depth);
}

} // namespace isovmaf
