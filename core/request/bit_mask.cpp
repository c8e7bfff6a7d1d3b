// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/bit_mask.hpp"

#include <charconv>

#include <fmt/format.h>

#include "base/text.hpp"

namespace isovmaf {

Result<std::uint64_t> parse_bit_mask(std::string_view option, std::string_view text) {
    const bool negative = text.starts_with('-');
    std::string_view digits = text.substr(negative ? 1 : 0);
    const bool hexadecimal = digits.starts_with("0x");
    digits.remove_prefix(hexadecimal ? 2 : 0);
    std::uint64_t value = 0;
    const char *const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, hexadecimal ? 16 : 10);
    if (error != std::errc() || stop != end)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} takes a bit mask such as 63, 0x3f or -1, not {}", option, quote(text)));
    return negative ? 0 - value : value;
}

} // namespace isovmaf
