// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of PSNR-HVS: of the errors of all blocks, of what groups of blocks add to the sum of their plane, and of
// these sums, which are made in the errors' order.
//
//! f32 arithmetic: psnr_hvs_errors_8 psnr_hvs_errors_16 psnr_hvs_steps psnr_hvs_sum

#define KERNEL psnr_hvs_errors_8
#define SAMPLE_BITS 8
#include "features/psnr_hvs/psnr_hvs_errors_kernel.h"

#define KERNEL psnr_hvs_errors_16
#define SAMPLE_BITS 16
#include "features/psnr_hvs/psnr_hvs_errors_kernel.h"

#define KERNEL psnr_hvs_steps
#include "features/psnr_hvs/psnr_hvs_steps_kernel.h"

#define KERNEL psnr_hvs_sum
#include "features/psnr_hvs/psnr_hvs_sum_kernel.h"
