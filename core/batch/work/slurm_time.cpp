// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/slurm_time.hpp"

#include "base/number.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::int64_t most_days = 1'000'000, seconds_of_day = 86'400;

/// A number from 0 to `most`.
std::optional<std::int64_t> number(std::string_view text, std::int64_t most) {
    const std::optional<std::int64_t> value = parse_integer(text);
    return value && *value >= 0 && *value <= most ? value : std::nullopt;
}

} // namespace

std::optional<std::int64_t> parse_slurm_time(std::string_view text) {
    std::int64_t total = 0;
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
        const auto days = number(text.substr(0, dash), most_days);
        if (!days)
            return std::nullopt;
        total = *days * seconds_of_day;
        text.remove_prefix(dash + 1);
    }
    std::int64_t clock = 0;
    int parts = 0;
    for (bool more = true; more; parts++) {
        const std::size_t colon = text.find(':');
        const auto part = number(text.substr(0, colon), 59);
        if (!part || parts == 3)
            return std::nullopt;
        clock = clock * 60 + *part;
        more = colon != std::string_view::npos;
        text.remove_prefix(more ? colon + 1 : text.size());
    }
    return parts >= 2 ? std::optional(total + clock) : std::nullopt;
}

} // namespace isovmaf::batch
