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
// share in its own threshold is larger. Both wrap around. `weighted` are its bands, weighted by the contrast
// sensitivity.
struct AdmShares {
    uint32_t neighbour, own;
    int32_t weighted[ADM_BAND_COUNT];
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
ISOVMAF_FN AdmWholeLimit adm_whole_limit(ADM_DOUBLE limit) {
    AdmWholeLimit l;
#if defined(VULKAN)
    l.limit = int32_t(f64_to_i64(limit));
#else
    l.limit = int32_t(limit);
#endif
    return l;
}
ISOVMAF_FN int32_t adm_limited(AdmLimit l, bool, int32_t r, int32_t t) { return adm_limit_gain(r, t, l.limit); }
ISOVMAF_FN int32_t adm_limited(AdmWholeLimit l, bool first, int32_t r, int32_t t) {
    return adm_gpu_limit_gain_whole(first, r, t, l.limit);
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
    AdmPixel pixel;
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        const int32_t o = pair.reference[band], t = pair.distorted[band];
        const int32_t r = adm_gpu_restore(first, o, t);
        pixel.of[ADM_PART_RESTORED][band] = kept ? adm_limited(limit, first, r, t) : r;
        pixel.of[ADM_PART_ADDED][band] = t - pixel.of[ADM_PART_RESTORED][band];
    }
    return pixel;
}

// `rounding` is that of adm_neighbour_share; it only matters after scale 0.
ISOVMAF_FN AdmShares adm_shares(bool first, const int32_t mask[ADM_BAND_COUNT], const uint32_t csf[ADM_BAND_COUNT],
                                int64_t rounding) {
    AdmShares shares;
    shares.neighbour = 0u;
    shares.own = 0u;
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        uint32_t neighbour, centre;
        if (first) {
            const int32_t seen = adm_gpu_sensitivity_0(csf[band], mask[band], band);
            neighbour = uint32_t(int32_t(adm_neighbour_share_0(seen)));
            centre = uint32_t(int32_t(adm_centre_share_0(seen)));
            shares.weighted[band] = seen;
        } else {
            const uint32_t seen = adm_gpu_sensitivity(csf[band], mask[band]);
            neighbour = uint32_t(multiply_add_wide(seen, ADM_NEIGHBOUR_FACTOR, uint64_t(rounding)) >> 32);
            centre = uint32_t(multiply_add_wide(seen, ADM_CENTRE_FACTOR, uint64_t(rounding)) >> 32);
            shares.weighted[band] = adm_sensitivity(csf[band], mask[band]); // for taps
        }
        shares.neighbour += neighbour;
        shares.own += centre - neighbour;
    }
    return shares;
}

// The cube of the visible part of coefficient x of a band (§4.6).
ISOVMAF_FN uint64_t adm_visible_cube(bool first, int32_t x, uint32_t hidden, int32_t band, uint32_t csf,
                                     int32_t cube_shift) {
    const int32_t visible = adm_gpu_visible(first, csf, x, hidden, band);
    return uint64_t(adm_gpu_cube(visible, first ? adm_square_shift_0[band] : ADM_SQUARE_SHIFT, cube_shift));
}

// The cube of the reference's coefficient x (§4.7).
ISOVMAF_FN uint64_t adm_unmasked_cube(bool first, int32_t x, int32_t square_shift, int32_t cube_shift) {
    return first ? adm_reference_cube_0(x) : adm_gpu_reference_cube(x, square_shift, cube_shift);
}

#endif
