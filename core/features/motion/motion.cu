// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of motion.
#include "features/motion/motion_tile.h"

ISOVMAF_KERNEL(MOTION_THREADS)
motion_sad_8(const uint8_t *earlier, const uint8_t *current, int64_t *sums, MotionParams p) {
    motion_tile<DifferenceFirst>(earlier, current, sums, p, NoTaps{});
}
ISOVMAF_KERNEL(MOTION_THREADS)
motion_sad_16(const uint16_t *earlier, const uint16_t *current, int64_t *sums, MotionParams p) {
    motion_tile<DifferenceFirst>(earlier, current, sums, p, NoTaps{});
}
ISOVMAF_KERNEL(MOTION_THREADS)
motion_legacy_sad_8(const uint8_t *earlier, const uint8_t *current, int64_t *sums, MotionParams p) {
    motion_tile<BlurFirst>(earlier, current, sums, p, NoTaps{});
}
ISOVMAF_KERNEL(MOTION_THREADS)
motion_legacy_sad_16(const uint16_t *earlier, const uint16_t *current, int64_t *sums, MotionParams p) {
    motion_tile<BlurFirst>(earlier, current, sums, p, NoTaps{});
}
