// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "base/workspace.hpp"
#include "features/adm/adm_csf.hpp"
#include "features/adm/adm_stages.hpp"
#include "features/adm/adm_wavelet.hpp"

namespace isovmaf {

/// Contrast masking of one scale (features.md §4.5 and §4.6): how much of one picture, the signal, shows through
/// another, the mask. Rows come one at a time; the threshold of a row needs the mask rows above and below it, so the
/// mask is one row ahead of the signal. `part` tells which picture the signal is, where taps show it.
template <class Coefficient>
class AdmContrastMasking {
  public:
    AdmContrastMasking(int scale, const AdmScale &size, const AdmBandFactors<std::uint32_t> &csf,
                       std::int64_t share_rounding, Workspace &workspace, Taps taps, const AdmMaskingStages &stages,
                       int part)
        : size_(size), share_rounding_(share_rounding), csf_{csf.of(scale, ADM_BAND_H), csf.of(scale, ADM_BAND_V),
                                                             csf.of(scale, ADM_BAND_D)},
          taps_(taps), stages_(stages), part_(part), column_sum_(take_row(workspace)), threshold_(take_row(workspace)) {
        for (std::size_t i = 0; i < ring_rows; i++) {
            neighbour_share_[i] = take_row(workspace);
            centre_share_[i] = take_row(workspace);
        }
    }

    /// Takes in row y of the mask; rows come in order and fill the wide region.
    void add_mask_row(int y, const AdmBandRows<Coefficient> &mask) {
        std::int32_t *const neighbour = neighbour_share_[ring(y)];
        std::int32_t *const centre = centre_share_[ring(y)];
        const int left = size_.wide.left, right = size_.wide.right;
        std::fill(neighbour + left, neighbour + right, 0);
        std::fill(centre + left, centre + right, 0);
        for (int band = 0; band < ADM_BAND_COUNT; band++) {
            const Coefficient *const m = mask[static_cast<std::size_t>(band)];
            for (int x = left; x < right; x++) {
                const Coefficient seen = sensitivity(band, m[x]);
                if constexpr (first) {
                    neighbour[x] += adm_neighbour_share_0(seen);
                    centre[x] += adm_centre_share_0(seen);
                } else {
                    neighbour[x] += adm_neighbour_share(seen, share_rounding_);
                    centre[x] += adm_centre_share(seen, share_rounding_);
                }
            }
            if (taps_.memory && y >= size_.core.top && y < size_.core.bottom)
                for (int x = size_.core.left; x < size_.core.right; x++)
                    taps_.put(adm_weighted_mask_stage(stages_, part_, band), x, y, sensitivity(band, m[x]));
        }
    }

    /// Adds the visible part of row y of the signal, in the core region, to one sum per band. Mask rows y - 1 to y + 1
    /// are the latest, or at the edges those that there are.
    void add_signal_row(int y, const AdmBandRows<Coefficient> &signal, std::int64_t *sums) {
        find_threshold(y);
        adm_put_row(taps_, adm_threshold_stage(stages_, part_), y, size_.core.left, size_.core.right, threshold_);
        for (int band = 0; band < ADM_BAND_COUNT; band++) {
            const Coefficient *const x = signal[static_cast<std::size_t>(band)];
            const std::int64_t row = visible_cubes(band, x);
            sums[band] += adm_round(row, size_.row_shift);
            if (taps_.memory)
                put_visible(y, band, x, row);
        }
    }

  private:
    static constexpr bool first = std::is_same_v<Coefficient, std::int16_t>;
    static constexpr std::size_t ring_rows = 3;

    static std::size_t ring(int y) { return static_cast<std::size_t>(y) % ring_rows; }

    /// Room for columns -1 to width.
    std::int32_t *take_row(Workspace &workspace) const {
        return workspace.take<std::int32_t>(static_cast<std::size_t>(size_.width) + 2).data() + 1;
    }

    Coefficient sensitivity(int band, Coefficient x) const {
        if constexpr (first)
            return adm_sensitivity_0(csf_[band], x, band);
        else
            return adm_sensitivity(csf_[band], x);
    }

    /// The masking threshold at each pixel of row y: the shares of the eight neighbours and the pixel's own, over the
    /// three bands. Outside the subband, row and column -1 are 1, row h is h - 1 and column w is w - 1.
    void find_threshold(int y) {
        const int w = size_.width, h = size_.height;
        const std::int32_t *const above = neighbour_share_[ring(y == 0 ? 1 : y - 1)];
        const std::int32_t *const here = neighbour_share_[ring(y)];
        const std::int32_t *const below = neighbour_share_[ring(y == h - 1 ? h - 1 : y + 1)];
        const std::int32_t *const centre = centre_share_[ring(y)];
        const int left = size_.core.left, right = size_.core.right;
        for (int x = size_.wide.left; x < size_.wide.right; x++)
            column_sum_[x] = above[x] + here[x] + below[x];
        if (left == 0)
            column_sum_[-1] = column_sum_[1];
        if (right == w)
            column_sum_[w] = column_sum_[w - 1];
        for (int x = left; x < right; x++)
            threshold_[x] = column_sum_[x - 1] + column_sum_[x] + column_sum_[x + 1] - here[x] + centre[x];
    }

    /// Σ over a row, in 64 bits that wrap around.
    std::int64_t visible_cubes(int band, const Coefficient *signal) const {
        std::uint64_t sum = 0;
        for (int x = size_.core.left; x < size_.core.right; x++)
            sum += static_cast<std::uint64_t>(visible_cube(band, signal[x], threshold_[x]));
        return static_cast<std::int64_t>(sum);
    }

    std::int64_t visible_cube(int band, Coefficient x, std::int32_t threshold) const {
        const std::int32_t cube_shift = size_.cube_shift[static_cast<std::size_t>(band)];
        if constexpr (first)
            return adm_cube(adm_visible_0(csf_[band], x, threshold, band), adm_square_shift_0[band], cube_shift);
        else
            return adm_cube(adm_visible(csf_[band], x, threshold), ADM_SQUARE_SHIFT, cube_shift);
    }

    void put_visible(int y, int band, const Coefficient *signal, std::int64_t row_sum) const {
        for (int x = size_.core.left; x < size_.core.right; x++)
            taps_.put(adm_visible_cube_stage(stages_, part_, band), x, y, visible_cube(band, signal[x], threshold_[x]));
        taps_.put(adm_visible_row_sums_stage(stages_, part_), band, y, row_sum);
    }

    const AdmScale &size_;
    std::int64_t share_rounding_;
    std::uint32_t csf_[ADM_BAND_COUNT];
    Taps taps_;
    AdmMaskingStages stages_;
    int part_;

    /// Rows of 32-bit sums over the three bands, each with a column of room on both sides.
    std::array<std::int32_t *, ring_rows> neighbour_share_{}, centre_share_{};
    std::int32_t *column_sum_, *threshold_;
};

} // namespace isovmaf
