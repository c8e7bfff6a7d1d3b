// SPDX-License-Identifier: BSD-2-Clause-Patent
// What one pixel of a subband comes to, for GPUs: adm_math.h's functions at scale 0, whose coefficients T are 16 bits
// wide, and at the others.
#ifndef ISOVMAF_ADM_DECOUPLE_H
#define ISOVMAF_ADM_DECOUPLE_H

#include "features/adm/adm_params.h"

// Coefficients of the reference and of the distorted picture.
struct AdmPair {
    int32_t reference[ADM_BAND_COUNT], distorted[ADM_BAND_COUNT];
};

// Coefficients of the restored and of the added picture (§4.3).
struct AdmPixel {
    int32_t of[2][ADM_BAND_COUNT];
};

// What a pixel of a mask hides (§4.5): in each neighbour, and in itself beyond that. Wraps around. Bands h, v and d of
// the mask, weighted by the contrast sensitivity, are what it is made of.
struct AdmShares {
    uint32_t neighbour, own;
    int32_t weighted[ADM_BAND_COUNT];
};

// A gain limit (§4.3), any or a whole number.
struct AdmLimit {
    double limit;
    ISOVMAF_MEMBER int32_t of(int32_t r, int32_t t) const { return adm_limit_gain(r, t, limit); }
};
struct AdmWholeLimit {
    int32_t limit;
    ISOVMAF_MEMBER int32_t of(int32_t r, int32_t t) const { return adm_limit_gain_whole(r, t, limit); }
};

// The widest products at scale 0, of the (h, v) vectors, are sums of two squares of at most 27412² each.
template <class T>
ISOVMAF_FN bool adm_direction_kept(const AdmPair &pair) {
    const int32_t(&o)[ADM_BAND_COUNT] = pair.reference, (&t)[ADM_BAND_COUNT] = pair.distorted;
    if constexpr (sizeof(T) == 2) {
        return adm_same_direction(o[ADM_BAND_H] * t[ADM_BAND_H] + o[ADM_BAND_V] * t[ADM_BAND_V],
                                  o[ADM_BAND_H] * o[ADM_BAND_H] + o[ADM_BAND_V] * o[ADM_BAND_V],
                                  t[ADM_BAND_H] * t[ADM_BAND_H] + t[ADM_BAND_V] * t[ADM_BAND_V]);
    } else {
        const int64_t oh = o[ADM_BAND_H], ov = o[ADM_BAND_V], th = t[ADM_BAND_H], tv = t[ADM_BAND_V];
        return adm_same_direction(oh * th + ov * tv, oh * oh + ov * ov, th * th + tv * tv);
    }
}

// A restored coefficient is 0 or has t's sign and, once limited, no more than the larger of the magnitudes of t and r:
// it and what it leaves of t fit a T.
template <class T, class Limit>
ISOVMAF_FN AdmPixel adm_decouple(const AdmPair &pair, Limit limit) {
    const bool kept = adm_direction_kept<T>(pair);
    AdmPixel pixel;
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        const int32_t o = pair.reference[band], t = pair.distorted[band];
        int32_t r;
        if constexpr (sizeof(T) == 2)
            r = adm_restore_0(o, t);
        else
            r = adm_restore(o, t);
        pixel.of[ADM_PART_RESTORED][band] = kept ? limit.of(r, t) : r;
        pixel.of[ADM_PART_ADDED][band] = t - pixel.of[ADM_PART_RESTORED][band];
    }
    return pixel;
}

template <class T>
ISOVMAF_FN AdmShares adm_shares(const int32_t (&mask)[ADM_BAND_COUNT], const uint32_t (&csf)[ADM_BAND_COUNT]) {
    AdmShares shares{};
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        uint32_t neighbour, centre;
        if constexpr (sizeof(T) == 2) {
            const int16_t seen = adm_sensitivity_0(csf[band], mask[band], band);
            neighbour = uint32_t(adm_neighbour_share_0(seen));
            centre = uint32_t(adm_centre_share_0(seen));
            shares.weighted[band] = seen;
        } else {
            const int32_t seen = adm_sensitivity(csf[band], mask[band]);
            neighbour = uint32_t(adm_neighbour_share(seen));
            centre = uint32_t(adm_centre_share(seen));
            shares.weighted[band] = seen;
        }
        shares.neighbour += neighbour;
        shares.own += centre - neighbour;
    }
    return shares;
}

// The cube of what is visible of coefficient x of a band (§4.6).
template <class T>
ISOVMAF_FN uint64_t adm_visible_cube(int32_t x, uint32_t threshold, int32_t band, uint32_t csf, int32_t cube_shift) {
    const auto hidden = int32_t(threshold);
    if constexpr (sizeof(T) == 2)
        return uint64_t(adm_cube(adm_visible_0(csf, x, hidden, band), adm_square_shift_0[band], cube_shift));
    else
        return uint64_t(adm_cube(adm_visible(csf, x, hidden), ADM_SQUARE_SHIFT, cube_shift));
}

// The cube of the reference's coefficient x (§4.7).
template <class T>
ISOVMAF_FN uint64_t adm_unmasked_cube(int32_t x, int32_t square_shift, int32_t cube_shift) {
    if constexpr (sizeof(T) == 2)
        return adm_reference_cube_0(x);
    else
        return adm_reference_cube(x, square_shift, cube_shift);
}

#endif
