// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/heat_scale.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "diff/report_text.hpp"

namespace isovmaf::diff {

namespace {

/// The first bucket of each level: fine where differences are small, as most are.
constexpr std::array<std::size_t, heat_levels> first_bucket{0, 1, 2, 3, 4, 5, 7, 9, 13, 17, 21, 25, 33, 41, 53, 65};
static_assert(first_bucket.back() == std::tuple_size_v<UlpHistogram> - 1);

} // namespace

std::size_t heat_level(std::size_t bucket) {
    return static_cast<std::size_t>(std::ranges::upper_bound(first_bucket, bucket) - first_bucket.begin()) - 1;
}

std::string heat_colour(std::size_t level) { return fmt::format("#{:06x}", heat_colours[level]); }

std::string heat_label(std::size_t level) { return bucket_text(first_bucket[level]); }

} // namespace isovmaf::diff
