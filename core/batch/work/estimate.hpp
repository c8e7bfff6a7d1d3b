// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "batch/work/unit.hpp"

namespace isovmaf::batch {

/// Some rows of a manifest, evenly spread over it: every n-th one. Their number is bounded, that of the rows is not.
class RowSample {
  public:
    void add(const Row &row);
    [[nodiscard]] const std::vector<Row> &rows() const { return rows_; }

  private:
    std::vector<Row> rows_;
    std::int64_t seen_ = 0, step_ = 1;
};

/// What sampled pairs say about a batch.
struct SampleFrames {
    std::int64_t pairs = 0, frames = 0; ///< of pairs that state how many frames they have
};

/// How fast sampled pairs were scored.
struct SampleSpeed {
    std::int64_t pairs = 0, frames = 0;
    double seconds = 0;
    std::optional<Error> failure = {}; ///< of the first pair that could not be scored
};

/// Opens each pair and adds up the frames that it seems to have. Pairs that cannot be opened are left out.
[[nodiscard]] SampleFrames count_sample(const std::vector<PairJob> &sample);

/// Scores the first frames of some of the pairs, one after the other, until `budget` is spent. Work before the
/// first frame, such as opening a device, is not in the time.
[[nodiscard]] SampleSpeed measure_sample(const std::vector<PairJob> &sample, std::chrono::milliseconds budget);

} // namespace isovmaf::batch
