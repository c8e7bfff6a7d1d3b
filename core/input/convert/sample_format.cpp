// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/sample_format.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

std::optional<SampleFormat> parse_sample_format(std::string_view text) {
    const std::size_t separator = text.find('p');
    const auto chroma = find_chroma(text.substr(0, separator));
    const auto depth = separator == std::string_view::npos ? std::optional<std::int64_t>(8)
                                                           : parse_integer(text.substr(separator + 1));
    if (!chroma || !depth || *depth < 8 || *depth > 16)
        return std::nullopt;
    return SampleFormat{*chroma, static_cast<int>(*depth)};
}

std::string sample_format_text(const SampleFormat &format) {
    return fmt::format("{}p{}", chroma_code(format.chroma), format.bit_depth);
}

} // namespace isovmaf
