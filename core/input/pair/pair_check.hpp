// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "input/pair/pair_source.hpp"
#include "input/pair/sync.hpp"
#include "input/source_info.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Fails unless these options are possible, and both videos have the same size, chroma subsampling and bit depth: the
/// error says what would help. Else the mode and the tolerance with which `options` pair the frames of these videos.
[[nodiscard]] Result<SyncResult> check_pair(const SourceInfo &reference, const SourceInfo &distorted,
                                            const PairOptions &options);

/// Finds out whether frames that are paired by number are shown at the same times, counted from the first pair. Where
/// they are not, frames were dropped or repeated.
class DriftCheck {
  public:
    /// The number of leading frames that are left out is that of each video.
    DriftCheck(const SourceInfo &reference, std::int64_t skip_reference, const SourceInfo &distorted,
               std::int64_t skip_distorted);

    /// The times of the first pair of all, where both are known.
    void start(std::optional<double> reference_seconds, std::optional<double> distorted_seconds);

    /// A sentence about the first pair whose times differ by more than half a frame; nothing for all others, and for
    /// videos of different constant rates. `number` counts the pairs from 0.
    [[nodiscard]] std::optional<std::string> see(std::int64_t number, const Frame &reference, const Frame &distorted);

  private:
    /// What sentences say of one video, and the time of its first frame.
    struct Side {
        std::string name;
        std::int64_t skip;
        double first_seconds = 0;
    };

    Side reference_, distorted_;
    std::optional<double> tolerance_seconds_; ///< none: times are not compared, or a difference was reported
};

} // namespace isovmaf
