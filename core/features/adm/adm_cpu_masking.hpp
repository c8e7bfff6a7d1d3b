// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>

#include "base/workspace.hpp"
#include "features/adm/adm_cpu_work.hpp"
#include "features/adm/adm_functions.hpp"
#include "features/adm/adm_stages.hpp"

namespace isovmaf {

/// What all scales of one band of a frame share.
struct AdmJob {
    const AdmFunctions &functions;
    const AdmDemand &demand;
    const AdmGeometry &geometry;
    const AdmStages &stages;
    const AdmWork &work;
    Workspace &workspace;
    Words words;
    Taps taps;

    void add(std::size_t word, std::uint64_t value) const {
        words[word] = static_cast<std::int64_t>(static_cast<std::uint64_t>(words[word]) + value);
    }
};

/// A row of 0, with a column in front of the first one and room for whole vectors behind the last.
template <class T>
T *adm_take_row(int width, Workspace &workspace) {
    const std::span<T> row = workspace.take<T>(static_cast<std::size_t>(width + 2 * adm_row_padding));
    std::ranges::fill(row, T{0});
    return row.data() + adm_row_padding / 2;
}

inline AdmRows adm_take_rows(int width, Workspace &workspace) {
    AdmRows rows;
    for (std::int32_t *&row : rows.of)
        row = adm_take_row<std::int32_t>(width, workspace);
    return rows;
}

/// Contrast masking of one part of one masking at one scale, row by row: the shares of a mask's rows, and one row later
/// the visible cubes of the signal.
struct AdmMaskedPart {
    static constexpr int ring_rows = 3;

    int part;                ///< ADM_PART_RESTORED or ADM_PART_ADDED
    std::size_t gain;        ///< index of the gain limit
    AdmMaskingStages stages; ///< of the masking
    std::size_t first_word;  ///< of the band h
    std::uint32_t csf[ADM_BAND_COUNT];
    std::int32_t *neighbour[ring_rows], *own[ring_rows];

    AdmShareRows share_rows(int y) const { return {neighbour[y % ring_rows], own[y % ring_rows]}; }
};

/// The masked parts of one scale.
class AdmMaskedParts {
  public:
    AdmMaskedParts(const AdmJob &job, int scale);

    /// Takes in row y of the restored and added pictures, `here`, and adds the sums of row y - 1, `before`. The last
    /// row of the subband adds its own sums too. Both have an element for each gain limit.
    void add_row(int y, const AdmGainRows *before, const AdmGainRows *here);

  private:
    void add_mask(const AdmMaskedPart &part, int y, const AdmRows &mask);
    void add_signal(const AdmMaskedPart &part, int y, const AdmRows &signal);
    void put_mask(const AdmMaskedPart &part, int y) const;
    void put_signal(const AdmMaskedPart &part, int y, const std::uint64_t *sums) const;
    bool is_summed(int y) const { return y >= work_.sums.top && y < work_.sums.bottom; }

    const AdmJob &job_;
    const AdmScale &size_;
    const AdmScaleWork &work_;
    const AdmRowFunctions &functions_;
    std::span<AdmMaskedPart> parts_;
    AdmRows weighted_{}; ///< this and record_ only have memory while stages are recorded
    AdmMaskedRecord record_{};
};

} // namespace isovmaf
