// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/range_check.hpp"

#include <utility>

#include <fmt/format.h>

namespace isovmaf {

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
