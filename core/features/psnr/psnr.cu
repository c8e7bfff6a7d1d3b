// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of PSNR.

#define KERNEL psnr_error_8
#define SAMPLE_BITS 8
#include "features/psnr/psnr_kernel.h"

#define KERNEL psnr_error_16
#define SAMPLE_BITS 16
#include "features/psnr/psnr_kernel.h"
