// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "input/convert/compare_colours.hpp"
#include "input/pair/pair_source.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// Compares the luma of two videos of the same pictures, of which one says that its range is full and the other says
/// nothing: a line through the means of rectangles tells which range the other has. ADR 70 has the limits.
class RangeFit {
  public:
    enum class Verdict : std::uint8_t {
        undecided, ///< the pictures say too little, or something else: graded pictures, other pictures
        limited,   ///< the luma that says full is 255/219 times the other
        full,      ///< both are the same
    };

    struct Finding {
        Verdict verdict = Verdict::undecided;
        double factor = 0; ///< from the luma of the video that says nothing to the other; 0 when not measured
    };

    /// Adds a pair of frames of one size.
    void add(const Frame &full, const Frame &unspecified);

    [[nodiscard]] Finding judge() const;

  private:
    // Of rectangles away from the ends of the range, in units of thumbnails: sums fit 64 bits for a million of them.
    std::int64_t count_ = 0;
    std::int64_t sum_full_ = 0, sum_other_ = 0;
    std::int64_t square_full_ = 0, square_other_ = 0, product_ = 0;
    std::int64_t all_ = 0;     ///< rectangles
    std::int64_t outside_ = 0; ///< those of the other video that are no limited luma
};

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
