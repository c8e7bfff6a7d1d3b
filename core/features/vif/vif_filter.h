// SPDX-License-Identifier: BSD-2-Clause-Patent
// The filters of VIF (features.md §3.1) for kernels: VIF_FILTER_SCALE(values, centre) is the sum of taps times values
// around an element of an array. It is below 2^32 for values of 16 bits. The filters are symmetric: values at equal
// distance are added before they are multiplied.
#ifndef ISOVMAF_VIF_FILTER_H
#define ISOVMAF_VIF_FILTER_H

#include "features/vif/vif_math.h"

// The reach of each scale's filter to either side.
#define VIF_RADIUS_0 8
#define VIF_RADIUS_1 4
#define VIF_RADIUS_2 2
#define VIF_RADIUS_3 1

#if defined(VULKAN) // written out: a function would copy the array, and glslc would take twice as long

// Both values at distance k from the centre.
#define VIF_PAIR(taps, radius, values, centre, k)                                                                      \
    taps[(radius) - (k)] * (values[(centre) - (k)] + values[(centre) + (k)])

// All values at a distance of up to 1, 2, 4 and 8.
#define VIF_SUM_1(taps, radius, values, centre)                                                                        \
    (taps[radius] * values[centre] + VIF_PAIR(taps, radius, values, centre, 1))
#define VIF_SUM_2(taps, radius, values, centre)                                                                        \
    (VIF_SUM_1(taps, radius, values, centre) + VIF_PAIR(taps, radius, values, centre, 2))
#define VIF_SUM_4(taps, radius, values, centre)                                                                        \
    (VIF_SUM_2(taps, radius, values, centre) + VIF_PAIR(taps, radius, values, centre, 3) +                             \
     VIF_PAIR(taps, radius, values, centre, 4))
#define VIF_SUM_8(taps, radius, values, centre)                                                                        \
    (VIF_SUM_4(taps, radius, values, centre) + VIF_PAIR(taps, radius, values, centre, 5) +                             \
     VIF_PAIR(taps, radius, values, centre, 6) + VIF_PAIR(taps, radius, values, centre, 7) +                           \
     VIF_PAIR(taps, radius, values, centre, 8))

#define VIF_FILTER_0(values, centre) VIF_SUM_8(vif_taps_0, VIF_RADIUS_0, values, centre)
#define VIF_FILTER_1(values, centre) VIF_SUM_4(vif_taps_1, VIF_RADIUS_1, values, centre)
#define VIF_FILTER_2(values, centre) VIF_SUM_2(vif_taps_2, VIF_RADIUS_2, values, centre)
#define VIF_FILTER_3(values, centre) VIF_SUM_1(vif_taps_3, VIF_RADIUS_3, values, centre)

#else // a loop: compilers for AMD GPUs make shorter code of it, as they learn the taps late

template <int32_t radius>
ISOVMAF_FN uint32_t vif_filter(const VIF_TAP (&taps)[uint32_t(2 * radius + 1)], const uint32_t *values,
                               int32_t centre) {
    uint32_t sum = taps[radius] * values[centre];
    ISOVMAF_UNROLL
    for (int32_t k = 1; k <= radius; k++)
        sum += taps[radius - k] * (values[centre - k] + values[centre + k]);
    return sum;
}

#define VIF_FILTER_0(values, centre) vif_filter<VIF_RADIUS_0>(vif_taps_0, values, centre)
#define VIF_FILTER_1(values, centre) vif_filter<VIF_RADIUS_1>(vif_taps_1, values, centre)
#define VIF_FILTER_2(values, centre) vif_filter<VIF_RADIUS_2>(vif_taps_2, values, centre)
#define VIF_FILTER_3(values, centre) vif_filter<VIF_RADIUS_3>(vif_taps_3, values, centre)

#endif

#endif
