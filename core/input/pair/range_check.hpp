// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "input/convert/compare_colours.hpp"
#include "input/pair/pair_source.hpp"
#include "input/pair/range_fit.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// Decides a RangeDoubt by the pictures: those at the beginning, and one in eight of those after them.
class RangeCheck {
  public:
    using Outcome = Finding; ///< an error, a warning or a note

    /// The names are those of sentences.
    RangeCheck(RangeDoubt doubt, std::string reference, std::string distorted)
        : doubt_(std::move(doubt)), reference_(std::move(reference)), distorted_(std::move(distorted)) {}

    /// The outcome, once: when the pictures up to this pair, or all of the first minute, have told enough.
    [[nodiscard]] std::optional<Outcome> see(const FramePair &pair);

    /// The outcome at the end of the videos.
    [[nodiscard]] Outcome end();

    [[nodiscard]] bool decided() const { return decided_; }

  private:
    [[nodiscard]] Outcome outcome(const RangeFit::Finding &finding) const;

    RangeDoubt doubt_;
    std::string reference_, distorted_;
    RangeFit fit_;
    std::int64_t pairs_ = 0; ///< that were seen
    bool decided_ = false;
};

} // namespace isovmaf
