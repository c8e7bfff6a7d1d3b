// SPDX-License-Identifier: BSD-2-Clause-Patent
// MS-SSIM's own kernel. The others are those of float_ssim.
//
//! f32 arithmetic: float_ms_ssim_halve

#define KERNEL float_ms_ssim_halve
#include "features/float_ms_ssim/float_ms_ssim_halve_kernel.h"
