// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of motion with taps.
#include "features/motion/motion_tile.h"

ISOVMAF_KERNEL(MOTION_THREADS)
motion_sad_8_taps(const uint8_t *earlier, const uint8_t *current, int64_t *sums, int64_t *taps, MotionParams p) {
    motion_tile<DifferenceFirst>(earlier, current, sums, p, Taps{taps});
}
ISOVMAF_KERNEL(MOTION_THREADS)
motion_sad_16_taps(const uint16_t *earlier, const uint16_t *current, int64_t *sums, int64_t *taps, MotionParams p) {
    motion_tile<DifferenceFirst>(earlier, current, sums, p, Taps{taps});
}
ISOVMAF_KERNEL(MOTION_THREADS)
motion_legacy_sad_8_taps(const uint8_t *earlier, const uint8_t *current, int64_t *sums, int64_t *taps, MotionParams p) {
    motion_tile<BlurFirst>(earlier, current, sums, p, Taps{taps});
}
ISOVMAF_KERNEL(MOTION_THREADS)
motion_legacy_sad_16_taps(const uint16_t *earlier, const uint16_t *current, int64_t *sums, int64_t *taps,
                          MotionParams p) {
    motion_tile<BlurFirst>(earlier, current, sums, p, Taps{taps});
}
