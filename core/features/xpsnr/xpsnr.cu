// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of XPSNR.

#define KERNEL xpsnr_block_8
#define SAMPLE_BITS 8
#define HALVED 0
#include "features/xpsnr/xpsnr_kernel.h"

#define KERNEL xpsnr_block_16
#define SAMPLE_BITS 16
#define HALVED 0
#include "features/xpsnr/xpsnr_kernel.h"

#define KERNEL xpsnr_block_halved_8
#define SAMPLE_BITS 8
#define HALVED 1
#include "features/xpsnr/xpsnr_kernel.h"

#define KERNEL xpsnr_block_halved_16
#define SAMPLE_BITS 16
#define HALVED 1
#include "features/xpsnr/xpsnr_kernel.h"
