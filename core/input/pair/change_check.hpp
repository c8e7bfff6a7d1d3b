// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "input/convert/compare_colours.hpp"
#include "input/pair/pair_source.hpp"
#include "input/pair/pair_warning.hpp"
#include "input/source_info.hpp"

namespace isovmaf {

/// Finds out whether frames say something else about their colours than their videos began with: see compare_changes.
/// Readers that begin with different pairs of the same videos compare with the same beginning.
class ChangeCheck {
  public:
    ChangeCheck(ColourComparison videos, bool strict) : videos_(std::move(videos)), strict_(strict) {}

    struct Found {
        FindingKind kind; ///< an error, a warning or a note
        PairWarning warning;
    };

    /// What the pair says that no pair before it has said. Interlaced frames are an error or are counted.
    [[nodiscard]] std::vector<Found> see(std::int64_t pair, const VideoAtFrame &reference,
                                         const VideoAtFrame &distorted);

    /// What the videos began with.
    [[nodiscard]] const ColourComparison &videos() const { return videos_; }

    /// What is said of interlaced frames, and how many there are in the pairs from `first` to before `end`.
    [[nodiscard]] std::vector<PairWarning> interlaced(std::int64_t first, std::optional<std::int64_t> end) const;

    /// Whether interlaced frames are a warning or a note.
    [[nodiscard]] FindingKind interlaced_kind() const {
        return settled_kind(FindingKind::warning, videos_.policy, strict_);
    }

  private:
    /// Pairs whose frames of one side are interlaced.
    struct Run {
        std::int64_t first, end;
        std::int64_t frame; ///< of the first pair, in its file
        std::string field_order;
    };

    static void count(std::vector<Run> &runs, std::int64_t pair, const VideoAtFrame &video);
    [[nodiscard]] static std::string interlaced_about(std::size_t side);
    [[nodiscard]] std::string interlaced_sentence(std::size_t side, const Run &first) const;

    ColourComparison videos_;
    bool strict_;
    std::array<ColourChangeHandle, 2> last_;     ///< of the last pair
    std::set<std::string> known_;                ///< see ChangeFinding::about
    std::array<std::vector<Run>, 2> interlaced_; ///< of the reference and of the distorted video
};

} // namespace isovmaf
