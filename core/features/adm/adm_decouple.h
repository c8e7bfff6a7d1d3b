// SPDX-License-Identifier: BSD-2-Clause-Patent
// ADM of one subband pixel, for GPUs. `first`, a constant at every call, selects the 16-bit arithmetic of scale 0 in
// adm_math.h; otherwise it is the arithmetic of the other scales.
#ifndef ISOVMAF_ADM_DECOUPLE_H
#define ISOVMAF_ADM_DECOUPLE_H

#include "features/adm/adm_gpu_math.h"
#include "features/adm/adm_params.h"
#if defined(VULKAN)
#define adm_gpu_same_direction adm_integer_same_direction
#define adm_limit_gain adm_integer_limit_gain
#endif

// Coefficients of the reference and of the distorted picture.
struct AdmPair {
    int32_t reference[ADM_BAND_COUNT];
    int32_t distorted[ADM_BAND_COUNT];
};

// Coefficients of the restored and of the added picture (§4.3).
struct AdmPixel {
    int32_t of[2][ADM_BAND_COUNT];
};

// A pixel of a mask (§4.5): `neighbour` is its share in the threshold of each neighbour, and `own` is by how much its
// share in its own threshold is larger. Both wrap around.
struct AdmShares {
    uint32_t neighbour, own;
};

// A gain limit (§4.3): any number, or a whole one.
struct AdmLimit {
    ADM_DOUBLE limit;
};
struct AdmWholeLimit {
    int32_t limit;
};
ISOVMAF_FN AdmLimit adm_limit(ADM_DOUBLE limit) {
    AdmLimit l;
    l.limit = limit;
    return l;
}
ISOVMAF_FN AdmWholeLimit adm_whole_limit(int32_t limit) {
    AdmWholeLimit l;
    l.limit = limit;
    return l;
}

// The restored coefficient after the limit (§4.3). At scale 0, r may also be the reference's coefficient: both are held
// between 0 and t, and as a limit is not below 1, a multiple of either ends at the same place.
ISOVMAF_FN int32_t adm_restored(AdmLimit l, bool first, bool kept, int32_t r, int32_t t) {
    const int32_t held = first ? adm_gpu_between(r, t) : r;
    return kept ? adm_limit_gain(held, t, l.limit) : held;
}
ISOVMAF_FN int32_t adm_restored(AdmWholeLimit l, bool first, bool kept, int32_t r, int32_t t) {
    int32_t restored;
    if (first)
        restored = adm_gpu_between(kept ? multiply_add_24(r, l.limit, 0) : r, t);
    else
        restored = kept ? adm_gpu_limit_gain_whole(r, t, l.limit) : r;
    return restored;
}

// Whether f32 is asked first. It is faster where 64-bit products or f64 are slow.
#if defined(VULKAN) || defined(__CUDACC__)
#define ADM_ESTIMATES(first) false
#elif defined(__GFX9__)
#define ADM_ESTIMATES(first) (!(first))
#else
#define ADM_ESTIMATES(first) true
#endif

// The widest products at scale 0, of the (h, v) vectors, are sums of two squares of at most 27412² each.
ISOVMAF_FN bool adm_direction_kept(bool first, AdmPair pair) {
    const int32_t oh = pair.reference[ADM_BAND_H], ov = pair.reference[ADM_BAND_V];
    const int32_t th = pair.distorted[ADM_BAND_H], tv = pair.distorted[ADM_BAND_V];
#if !defined(VULKAN)
    if (ADM_ESTIMATES(first)) {
        const int32_t estimate = adm_estimate_direction_of(float(oh), float(ov), float(th), float(tv));
        if (estimate != ADM_DIRECTION_UNKNOWN)
            return estimate == ADM_DIRECTION_SAME;
    }
#endif
    bool kept;
    if (first)
        kept = adm_gpu_same_direction(oh * th + ov * tv, oh * oh + ov * ov, th * th + tv * tv);
    else
        kept = adm_gpu_same_direction(multiply_wide(oh, th) + multiply_wide(ov, tv),
                                      multiply_wide(oh, oh) + multiply_wide(ov, ov),
                                      multiply_wide(th, th) + multiply_wide(tv, tv));
    return kept;
}

// A restored coefficient is 0 or has t's sign. After the limit its magnitude is at most the larger of those of t and r,
// so it and the rest of t fit the type of a coefficient.
#if !defined(VULKAN) // where Limit is defined by the kernel
template <class Limit>
#endif
ISOVMAF_FN AdmPixel adm_decouple(bool first, AdmPair pair, Limit limit) {
    const bool kept = adm_direction_kept(first, pair);
    int32_t r[ADM_BAND_COUNT];
    bool exact = first;
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        r[band] = pair.reference[band];
        exact = exact && adm_magnitude(r[band]) <= ADM_LARGEST_EXACT_0;
    }
    if (!exact) {
        ISOVMAF_UNROLL
        for (int32_t band = 0; band < ADM_BAND_COUNT; band++)
            r[band] = adm_gpu_restore(first, pair.reference[band], pair.distorted[band]);
    }
    AdmPixel pixel;
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        const int32_t t = pair.distorted[band];
        pixel.of[ADM_PART_RESTORED][band] = adm_restored(limit, first, kept, r[band], t);
        pixel.of[ADM_PART_ADDED][band] = t - pixel.of[ADM_PART_RESTORED][band];
    }
    return pixel;
}

// The weighted bands of a mask (§4.5).
ISOVMAF_FN int32_t adm_weighted(bool first, uint32_t csf, int32_t x, int32_t band) {
    return first ? int32_t(adm_sensitivity_0(csf, x, band)) : adm_sensitivity(csf, x);
}

// The shares of a pixel of a mask; `seen` is adm_gpu_seen of its bands. `rounding` is that of adm_neighbour_share; it
// only matters after scale 0.
ISOVMAF_FN AdmShares adm_shares(bool first, const int32_t seen[ADM_BAND_COUNT], int64_t rounding) {
    AdmShares shares;
    shares.neighbour = 0u;
    shares.own = 0u;
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        uint32_t neighbour, centre;
        if (first) {
            const int32_t weighted = adm_gpu_sensitivity_0(seen[band], band);
            neighbour = uint32_t(int32_t(adm_neighbour_share_0(weighted)));
            centre = uint32_t(int32_t(adm_centre_share_0(weighted)));
        } else {
            const uint32_t weighted = uint32_t(seen[band]);
            neighbour = uint32_t(multiply_add_wide(weighted, ADM_NEIGHBOUR_FACTOR, uint64_t(rounding)) >> 32);
            centre = uint32_t(multiply_add_wide(weighted, ADM_CENTRE_FACTOR, uint64_t(rounding)) >> 32);
        }
        shares.neighbour += neighbour;
        shares.own += centre - neighbour;
    }
    return shares;
}

// The cube of the visible part of a coefficient of a band (§4.6); `seen` is adm_gpu_seen of it.
ISOVMAF_FN uint64_t adm_visible_cube(bool first, int32_t seen, uint32_t hidden, int32_t band, int32_t cube_shift,
                                     uint32_t cube_half) {
    const int32_t visible = adm_gpu_visible(first, seen, hidden, band);
    return uint64_t(adm_gpu_cube(visible, first ? adm_square_shift_0[band] : ADM_SQUARE_SHIFT, cube_shift, cube_half));
}

// The cube of the reference's coefficient x (§4.7).
ISOVMAF_FN uint64_t adm_unmasked_cube(bool first, int32_t x, int32_t square_shift, int32_t cube_shift) {
    return first ? adm_reference_cube_0(x) : adm_gpu_reference_cube(x, square_shift, cube_shift);
}

#endif
