// SPDX-License-Identifier: BSD-2-Clause-Patent
// Scale 0 of VIF on GPUs that multiply matrices of bytes: the kernels do what vif_scale0_8 and vif_scale0_16 do.

#define KERNEL vif_matrix_8
#define SAMPLE_BITS 8
#include "features/vif/vif_matrix_kernel.h"

#define KERNEL vif_matrix_16
#define SAMPLE_BITS 16
#include "features/vif/vif_matrix_kernel.h"
