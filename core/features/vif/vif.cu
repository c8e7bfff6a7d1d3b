// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of VIF: one for each scale, which adds the scale's pixels to its sums and makes the next scale's pictures.
//
//! f32 estimates: vif_scale0_8 vif_scale0_16 vif_scale1 vif_scale2 vif_scale3

#define KERNEL vif_scale0_8
#define SCALE 0
#define SAMPLE_BITS 8
#define VIF_MATRIX 0
#include "features/vif/vif_kernel.h"

#define KERNEL vif_scale0_16
#define SCALE 0
#define SAMPLE_BITS 16
#define VIF_MATRIX 0
#include "features/vif/vif_kernel.h"

#define KERNEL vif_scale1
#define SCALE 1
#define SAMPLE_BITS 16
#define VIF_MATRIX 0
#include "features/vif/vif_kernel.h"

#define KERNEL vif_scale2
#define SCALE 2
#define SAMPLE_BITS 16
#define VIF_MATRIX 0
#include "features/vif/vif_kernel.h"

#define KERNEL vif_scale3
#define SCALE 3
#define SAMPLE_BITS 16
#define VIF_MATRIX 0
#include "features/vif/vif_kernel.h"
