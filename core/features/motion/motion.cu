// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of motion.

#define KERNEL motion_sad_8
#define SAMPLE_BITS 8
#define BLUR_FIRST 0
#include "features/motion/motion_kernel.h"

#define KERNEL motion_sad_16
#define SAMPLE_BITS 16
#define BLUR_FIRST 0
#include "features/motion/motion_kernel.h"

#define KERNEL motion_legacy_sad_8
#define SAMPLE_BITS 8
#define BLUR_FIRST 1
#include "features/motion/motion_kernel.h"

#define KERNEL motion_legacy_sad_16
#define SAMPLE_BITS 16
#define BLUR_FIRST 1
#include "features/motion/motion_kernel.h"
