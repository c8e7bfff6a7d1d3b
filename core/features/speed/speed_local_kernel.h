// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SpEED: a thread takes the local mean from a kept sample (speed.md §3).
#include "features/speed/speed_params.h"
#include "portable/body.h"
#include "portable/f32.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_FN void take_local_mean(ConstF32 kept, ConstF32 gaussian, F32 local, ISOVMAF_IN(SpeedLocalParams) p,
                                KernelTaps taps) {
    const int32_t own = group_x() * SPEED_LOCAL_THREADS + thread_x(), first = group_z() * p.stride;
    if (own >= p.width * p.height)
        return;
    const int32_t x = own % p.width, y = own / p.width, reach = p.taps / 2;
    float across = 0.0f;
    for (int32_t i = 0; i < p.taps; i++) {
        const int32_t column = first + speed_mirror(x - reach + i, p.width);
        float down = 0.0f;
        for (int32_t j = 0; j < p.taps; j++) {
            const float value = kept.at[column + speed_mirror(y - reach + j, p.height) * p.width];
            down = f32_add(down, f32_multiply(gaussian.at[j], value));
        }
        across = f32_add(across, f32_multiply(gaussian.at[i], down));
    }
    const float rest = f32_subtract(kept.at[first + own], across);
    local.at[first + own] = rest;
    tap_put_f32(taps, p.stage[group_z()], x, y, rest);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = SPEED_LOCAL_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstF32 kept;
    ConstF32 gaussian;
    F32 local;
    ISOVMAF_TAPS_MEMBER
    SpeedLocalParams p;
}
arguments;
void main() {
    take_local_mean(arguments.kept, arguments.gaussian, arguments.local, arguments.p, ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(SPEED_LOCAL_THREADS)
ISOVMAF_KERNEL_NAME(const float *kept, const float *gaussian, float *local, ISOVMAF_TAPS_PARAMETER SpeedLocalParams p) {
    KERNEL_BODY::take_local_mean({kept}, {gaussian}, {local}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
