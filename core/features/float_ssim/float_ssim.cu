// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of SSIM, which float_ms_ssim uses too: of reduced pictures, of the similarities of pixels, of what groups
// of these add to sums, and of the sums, which are made in the order of the pixels.
//
//! f32 arithmetic: float_ssim_reduce_8 float_ssim_reduce_16 float_ssim_compare

#define KERNEL float_ssim_reduce_8
#define SAMPLE_BITS 8
#include "features/float_ssim/float_ssim_reduce_kernel.h"

#define KERNEL float_ssim_reduce_16
#define SAMPLE_BITS 16
#include "features/float_ssim/float_ssim_reduce_kernel.h"

#define KERNEL float_ssim_compare
#include "features/float_ssim/float_ssim_compare_kernel.h"

#define KERNEL float_ssim_steps
#include "features/float_ssim/float_ssim_steps_kernel.h"

#define KERNEL float_ssim_sum
#include "features/float_ssim/float_ssim_sum_kernel.h"
