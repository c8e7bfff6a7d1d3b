// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/range_check.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "frame/thumbnail.hpp"

namespace isovmaf {

namespace {

constexpr double full_per_limited = 255.0 / 219, black = 16; ///< ITU-T H.273, 8.3, in 8-bit levels

// ADR 70 has the clips behind these numbers.
constexpr int lowest_level = 4, highest_level = 251; ///< of rectangles that count: conversions clip at the ends
constexpr int lowest_limited = 12, highest_limited = 239;
constexpr double most_outside = 0.005;     ///< of all rectangles, in limited video
constexpr double least_count = 576;        ///< rectangles: one picture
constexpr double least_contrast = 12;      ///< levels, the standard deviation
constexpr double least_correlation = 0.97; ///< squared
constexpr double factor_tolerance = 0.04;
constexpr double level_tolerance = 3; ///< levels, at the mean of the pictures

} // namespace

void RangeFit::add(const Frame &full, const Frame &unspecified) {
    constexpr int lowest = lowest_level * Thumbnail::levels, highest = highest_level * Thumbnail::levels;
    const Thumbnail f = make_thumbnail(full), u = make_thumbnail(unspecified);
    for (std::size_t i = 0; i < f.samples.size(); i++) {
        const std::int64_t x = u.samples[i] + u.mean, y = f.samples[i] + f.mean;
        all_++;
        outside_ += x < lowest_limited * Thumbnail::levels || x > highest_limited * Thumbnail::levels;
        if (x < lowest || x > highest || y < lowest || y > highest)
            continue;
        count_++;
        sum_other_ += x;
        sum_full_ += y;
        square_other_ += x * x;
        square_full_ += y * y;
        product_ += x * y;
    }
}

RangeFit::Finding RangeFit::judge() const {
    if (static_cast<double>(count_) < least_count)
        return {};
    const auto mean = [this](std::int64_t sum) { return static_cast<double>(sum) / static_cast<double>(count_); };
    const double other = mean(sum_other_), full = mean(sum_full_);
    const double other_variance = mean(square_other_) - other * other, full_variance = mean(square_full_) - full * full;
    const double covariance = mean(product_) - other * full;
    const double least_variance = least_contrast * least_contrast * Thumbnail::levels * Thumbnail::levels;
    if (other_variance < least_variance || full_variance < least_variance)
        return {};
    const double factor = std::sqrt(full_variance / other_variance); // errors of both sides weigh the same
    if (covariance <= 0 || covariance * covariance < least_correlation * other_variance * full_variance)
        return {Verdict::undecided, factor};
    const auto fits = [&](double expected_factor, double expected_full) {
        return std::abs(factor - expected_factor) <= factor_tolerance &&
               std::abs(full - expected_full) <= level_tolerance * Thumbnail::levels;
    };
    if (fits(1, other))
        return {Verdict::full, factor};
    const bool may_be_limited = static_cast<double>(outside_) <= most_outside * static_cast<double>(all_);
    if (may_be_limited && fits(full_per_limited, (other - black * Thumbnail::levels) * full_per_limited))
        return {Verdict::limited, factor};
    return {Verdict::undecided, factor};
}

namespace {

constexpr std::int64_t first_pairs = 24; ///< all of them are looked at
constexpr std::int64_t step = 8;         ///< pairs, after them
constexpr std::int64_t most_pairs = 1500;

} // namespace

std::optional<RangeCheck::Outcome> RangeCheck::see(const FramePair &pair) {
    const std::int64_t number = pairs_++;
    if (number < first_pairs || number % step == 0) {
        const bool reference_is_full = doubt_.reference_is_full;
        fit_.add(reference_is_full ? pair.reference : pair.distorted,
                 reference_is_full ? pair.distorted : pair.reference);
    }
    if (pairs_ < first_pairs || number % step != step - 1)
        return std::nullopt;
    if (pairs_ < most_pairs && fit_.judge().verdict == RangeFit::Verdict::undecided)
        return std::nullopt;
    return end();
}

RangeCheck::Outcome RangeCheck::end() {
    decided_ = true;
    return outcome(fit_.judge());
}

RangeCheck::Outcome RangeCheck::outcome(const RangeFit::Finding &finding) const {
    const std::string &full = doubt_.reference_is_full ? reference_ : distorted_;
    const std::string &other = doubt_.reference_is_full ? distorted_ : reference_;
    switch (finding.verdict) {
    case RangeFit::Verdict::full:
        return {FindingKind::note, fmt::format("{} says full range and {} says nothing; their pictures have the same "
                                               "luma (factor {:.3f}), so both seem to be full range",
                                               full, other, finding.factor)};
    case RangeFit::Verdict::limited:
        return {doubt_.refuse ? FindingKind::error : FindingKind::warning,
                fmt::format("{}; the pictures tell that {} is limited range: the luma of {} is {:.3f} times as large, "
                            "and 255/219 is 1.164",
                            doubt_.sentence, other, full, finding.factor)};
    case RangeFit::Verdict::undecided:
        break;
    }
    return {FindingKind::warning, doubt_.sentence};
}

} // namespace isovmaf
