// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of VIF on GPUs that multiply matrices of bytes: each does what one of vif.cu does. Filters of scale 0 are
// matrices. Later scales have too few blocks to gain by that.

#define KERNEL vif_matrix_8
#define SAMPLE_BITS 8
#include "features/vif/vif_matrix_kernel.h"

#define KERNEL vif_matrix_16
#define SAMPLE_BITS 16
#include "features/vif/vif_matrix_kernel.h"

#define KERNEL vif_matrix_scale1
#define SCALE 1
#define SAMPLE_BITS 16
#define VIF_MATRIX 1
#include "features/vif/vif_kernel.h"

#define KERNEL vif_matrix_scale2
#define SCALE 2
#define SAMPLE_BITS 16
#define VIF_MATRIX 1
#include "features/vif/vif_kernel.h"

#define KERNEL vif_matrix_scale3
#define SCALE 3
#define SAMPLE_BITS 16
#define VIF_MATRIX 1
#include "features/vif/vif_kernel.h"
