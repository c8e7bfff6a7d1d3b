// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of CAMBI: a thread filters some rows of a column of a scale (cambi.md §5). Masks stay as they are.
#include "features/cambi/cambi_params.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_FN uint32_t pixel_at(ConstU16 in_pixels, ISOVMAF_IN(CambiFilterParams) p, int32_t x, int32_t y) {
    return uint32_t(in_pixels.at[y * p.step * p.in_stride + x * p.step]);
}
ISOVMAF_FN uint32_t sample_at(ConstU16 in_pixels, ISOVMAF_IN(CambiFilterParams) p, int32_t x, int32_t y) {
    return pixel_at(in_pixels, p, x, y) & ~CAMBI_MASKED;
}

// The sample filtered along its row.
ISOVMAF_FN uint32_t mode_along(ConstU16 in_pixels, ISOVMAF_IN(CambiFilterParams) p, int32_t x, int32_t y) {
    const uint32_t own = sample_at(in_pixels, p, x, y);
    if (x == 0 || x + 1 == p.width)
        return own;
    return cambi_mode(sample_at(in_pixels, p, x - 1, y), own, sample_at(in_pixels, p, x + 1, y));
}

ISOVMAF_FN void filter_rows(ConstU16 in_pixels, U16 out_pixels, ISOVMAF_IN(CambiFilterParams) p, KernelTaps taps) {
    const int32_t x = group_x() * CAMBI_FILTER_TILE_WIDTH + thread_x() % CAMBI_FILTER_TILE_WIDTH;
    const int32_t top = group_y() * CAMBI_FILTER_TILE_HEIGHT + thread_x() / CAMBI_FILTER_TILE_WIDTH * CAMBI_FILTER_ROWS;
    if (x >= p.width || top >= p.height)
        return;
    uint32_t above = top > 0 ? mode_along(in_pixels, p, x, top - 1) : 0u, own = mode_along(in_pixels, p, x, top);
    for (int32_t y = top; y < top + CAMBI_FILTER_ROWS && y < p.height; y++) {
        const uint32_t below = y + 1 < p.height ? mode_along(in_pixels, p, x, y + 1) : 0u;
        const uint32_t pixel = pixel_at(in_pixels, p, x, y);
        const bool filtered = y > 0 && y + 1 < p.height;
        const uint32_t value = filtered ? cambi_mode(above, own, below) : pixel & ~CAMBI_MASKED;
        out_pixels.at[y * p.out_stride + x] = uint16_t(value | (pixel & CAMBI_MASKED));
        tap_put(taps, p.stage, x, y, value);
        above = own;
        own = below;
    }
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = CAMBI_FILTER_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstU16 in_pixels;
    U16 out_pixels;
    ISOVMAF_TAPS_MEMBER
    CambiFilterParams p;
}
arguments;
void main() { filter_rows(arguments.in_pixels, arguments.out_pixels, arguments.p, ISOVMAF_TAPS_ARGUMENT); }
#else
ISOVMAF_KERNEL(CAMBI_FILTER_THREADS)
ISOVMAF_KERNEL_NAME(const uint16_t *in_pixels, uint16_t *out_pixels, ISOVMAF_TAPS_PARAMETER CambiFilterParams p) {
    KERNEL_BODY::filter_rows({in_pixels}, {out_pixels}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
