// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "align/alignment.hpp"
#include "align/alignment_hint.hpp"
#include "align/offset_costs.hpp"
#include "align/wide_search.hpp"
#include "input/pair/pair_warning.hpp"
#include "isovmaf/frame.hpp"
#include "run/videos.hpp"

namespace isovmaf {

/// What small pictures say about how frames were paired.
struct AlignmentFinding {
    std::vector<AlignedPart> parts = {{}};
    bool alike = true; ///< false: the videos seem to show different things
    bool fits = true;  ///< the pictures fit as they were paired

    [[nodiscard]] bool aligned() const { return alike && is_aligned(parts); }
};

/// Compares small pictures of both videos while they are read.
class AlignmentDoctor {
  public:
    /// The largest offset that is looked for, in frames of the faster video, unless somebody asks for another one. Far
    /// larger ones are looked for where the videos fit badly as a whole.
    static constexpr int usual_range = 10;

    /// For videos that were seen in parts: see append. They were paired by number.
    AlignmentDoctor() : AlignmentDoctor(usual_range, 0) {}

    /// Has to live while `videos` are read: it sees frames without a partner. `first_pair` is the number of the pair
    /// that is seen first.
    AlignmentDoctor(int range, OpenedVideos &videos, std::size_t first_pair = 0);
    AlignmentDoctor(const AlignmentDoctor &) = delete;
    AlignmentDoctor &operator=(const AlignmentDoctor &) = delete;

    /// Sees the next pair, in frame order.
    void see(const PairThumbnails &pair);

    /// What was seen of a part of videos that are paired by number, and its addition to the parts before: see
    /// append_part.
    [[nodiscard]] std::vector<std::byte> encode() const;
    Result<void> append(std::span<const std::byte> part);

    /// To be called once: it takes a while.
    [[nodiscard]] AlignmentFinding find() const;

    /// What to do about a finding that is not aligned, in a sentence. The frames were paired as `pair` says. `means`:
    /// see alignment_hint.
    [[nodiscard]] std::string hint(const AlignmentFinding &finding, const PairOptions &pair,
                                   const std::optional<SampledMeans> &means = {}) const;

    /// The options that pair the frames with the first offset of a finding.
    [[nodiscard]] PairOptions shifted(const AlignmentFinding &finding, PairOptions pair) const;

    /// Whether the offset of a finding is one of the reference, whose frames follow faster.
    [[nodiscard]] bool moves_reference() const { return side_.reference; }

    /// The warnings of a report. Empty where the pictures fit. `start_difference`: see OpenedVideos.
    [[nodiscard]] std::vector<PairWarning> warnings(const PairOptions &pair, const std::string &start_difference) const;

  private:
    AlignmentDoctor(int range, std::size_t first_pair)
        : first_pair_(first_pair), costs_(range + 1), wide_(first_pair) {}
    void see_unpaired(bool of_reference, const Frame &frame);
    [[nodiscard]] bool by_time() const { return mode_ != SyncMode::index; }
    [[nodiscard]] TimePairs time_pairs(const PairOptions &pair) const;

    std::size_t first_pair_;
    SyncMode mode_ = SyncMode::index;
    double rates_ = 1; ///< of the faster video / of the other
    MovingSide side_;
    OffsetCosts costs_; ///< a neighbour more than the range: to judge an offset, those beside it are needed
    WideSearch wide_;
};

/// The warnings about a finding whose hint is `hint`. Empty where the pictures fit.
[[nodiscard]] std::vector<PairWarning> alignment_warnings(const AlignmentFinding &finding, const std::string &hint,
                                                          const std::string &start_difference);

} // namespace isovmaf
