// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>

#include "base/workspace.hpp"
#include "features/adm/adm_functions.hpp"
#include "features/adm/adm_geometry.hpp"
#include "features/adm/adm_stages.hpp"
#include "features/feature.hpp"

namespace isovmaf {

/// A multiple of the columns in a vector of any level: rows start at an aligned address.
constexpr int adm_column_step = 32;

/// What a band of a frame computes of one scale.
struct AdmScaleWork {
    AdmRegion sums;          ///< of the core region: every row belongs to one band
    AdmRegion details;       ///< detail bands, for the thresholds one sample more on every side; empty without sums
    AdmRegion approximation; ///< what the next scale needs, or all of the band's rows if they are recorded
    int left = 0, right = 0; ///< columns of both; starts at a multiple of adm_column_step

    /// Where vectors of detail bands start.
    [[nodiscard]] int details_begin() const { return details.left / adm_column_step * adm_column_step; }

    /// The rows to go through.
    [[nodiscard]] int top() const { return details.height() > 0 ? std::min(details.top, wanted_top()) : wanted_top(); }
    [[nodiscard]] int bottom() const { return std::max(details.bottom, approximation.bottom); }

  private:
    [[nodiscard]] int wanted_top() const { return approximation.height() > 0 ? approximation.top : details.top; }
};

using AdmWork = std::array<AdmScaleWork, ADM_SCALE_COUNT>;

namespace adm_detail {

/// Samples of an approximation of `size` that samples [begin, end) of the next scale are computed from.
constexpr Interval filtered_interval(int begin, int end, int size) {
    return {std::max(2 * begin - 1, 0), std::min(2 * end + 1, size)};
}

/// The smallest interval that has both; an empty one counts for nothing.
constexpr Interval hull(Interval a, Interval b) {
    if (a.begin >= a.end)
        return b;
    if (b.begin >= b.end)
        return a;
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

} // namespace adm_detail

/// `with_scale0`: scale 0 is summed up. `recorded`: so are stages.
[[nodiscard]] constexpr AdmWork adm_work(const AdmGeometry &geometry, Band band, bool with_scale0, bool recorded) {
    using adm_detail::Interval;
    AdmWork work;
    Interval needed_columns{0, 0}, needed_rows{0, 0};
    for (int index = ADM_SCALE_COUNT - 1; index >= 0; index--) {
        const AdmScale &size = geometry[static_cast<std::size_t>(index)];
        AdmScaleWork &scale = work[static_cast<std::size_t>(index)];
        scale.sums = {size.core.left, std::max(size.core.top, band.begin(size.height)), size.core.right,
                      std::min(size.core.bottom, band.end(size.height))};
        if (scale.sums.height() > 0 && (index > 0 || with_scale0)) {
            scale.details = adm_seen(size);
            scale.details.top = std::max(scale.sums.top - 1, 0);
            scale.details.bottom = std::min(scale.sums.bottom + 1, size.height);
        } else {
            scale.sums = {};
        }
        if (index < ADM_SCALE_COUNT - 1) {
            Interval rows = needed_rows, columns = needed_columns;
            if (recorded) {
                rows = adm_detail::hull(rows, {band.begin(size.height), band.end(size.height)});
                columns = {0, size.width};
            }
            scale.approximation = adm_detail::region(columns, rows);
        }
        const Interval columns = adm_detail::hull({scale.details.left, scale.details.right},
                                                  {scale.approximation.left, scale.approximation.right});
        scale.left = columns.begin / adm_column_step * adm_column_step;
        scale.right = columns.end;
        if (index > 0) {
            const AdmScale &finer = geometry[static_cast<std::size_t>(index) - 1];
            needed_columns = adm_detail::filtered_interval(columns.begin, columns.end, finer.width);
            needed_rows = scale.top() < scale.bottom()
                              ? adm_detail::filtered_interval(scale.top(), scale.bottom(), finer.height)
                              : Interval{0, 0};
        }
    }
    return work;
}

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
