// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "base/workspace.hpp"
#include "features/adm/adm_geometry.hpp"
#include "frame/frame.hpp"
#include "portable/edges.h"

namespace isovmaf {

/// Rows of the three detail bands, in the order of ADM_BAND_H, _V, _D.
template <class Coefficient>
using AdmBandRows = std::array<Coefficient *, ADM_BAND_COUNT>;

/// One step of the wavelet (features.md §4.1), one output row at a time: `Input` samples to `Coefficient`s of 16 bits
/// at scale 0 and 32 bits later.
template <class Input, class Coefficient>
class AdmWavelet {
  public:
    AdmWavelet(const Plane &input, int scale, int bit_depth, Workspace &workspace)
        : input_(input), scale_(scale), bit_depth_(bit_depth), low_(take_row(workspace)), high_(take_row(workspace)) {}

    /// Row y of the approximation band a: low in both directions. First of the two calls for a row.
    void approximation(int y, Coefficient *a) {
        vertical(y, adm_low_taps, low_);
        if (a)
            horizontal(low_, adm_low_taps, 0, (input_.width + 1) / 2, a);
    }

    /// Columns [left, right) of row y of the detail bands.
    void details(int y, int left, int right, const AdmBandRows<Coefficient> &row) {
        vertical(y, adm_high_taps, high_);
        horizontal(low_, adm_high_taps, left, right, row[ADM_BAND_V]);
        horizontal(high_, adm_low_taps, left, right, row[ADM_BAND_H]);
        horizontal(high_, adm_high_taps, left, right, row[ADM_BAND_D]);
    }

  private:
    static constexpr bool first = std::is_same_v<Coefficient, std::int16_t>;
    using Taps = const std::int32_t (&)[ADM_TAP_COUNT];

    /// Room for columns -1 to width + 1, which the horizontal filter reads.
    Coefficient *take_row(Workspace &workspace) const {
        return workspace.take<Coefficient>(static_cast<std::size_t>(input_.width) + 3).data() + 1;
    }

    void vertical(int y, Taps taps, Coefficient *out) const {
        const Input *in[ADM_TAP_COUNT];
        for (int k = 0; k < ADM_TAP_COUNT; k++)
            in[k] = input_.row<Input>(mirror_asymmetric(2 * y - 1 + k, input_.height));
        for (int x = 0; x < input_.width; x++) {
            if constexpr (first)
                out[x] = adm_round_vertical_0(
                    adm_filter_0(taps, adm_centre(in[0][x], bit_depth_), adm_centre(in[1][x], bit_depth_),
                                 adm_centre(in[2][x], bit_depth_), adm_centre(in[3][x], bit_depth_)),
                    bit_depth_);
            else
                out[x] = adm_round_vertical(adm_filter(taps, in[0][x], in[1][x], in[2][x], in[3][x]), scale_);
        }
        for (const int x : {-1, input_.width, input_.width + 1})
            out[x] = out[mirror_asymmetric(x, input_.width)];
    }

    void horizontal(const Coefficient *in, Taps taps, int left, int right, Coefficient *out) const {
        for (int x = left; x < right; x++) {
            const Coefficient *at = in + 2 * x - 1;
            if constexpr (first)
                out[x] = adm_round_horizontal_0(adm_filter_0(taps, at[0], at[1], at[2], at[3]));
            else
                out[x] = adm_round_horizontal(adm_filter(taps, at[0], at[1], at[2], at[3]), scale_);
        }
    }

    const Plane &input_;
    int scale_;
    int bit_depth_;
    Coefficient *low_, *high_; ///< one row after the vertical filters
};

} // namespace isovmaf
