// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of SpEED, one after the other: samples that are kept, without their local mean; means and covariances;
// eigenvalues and factors; variances.
//
//! f32 arithmetic: speed_keep_8 speed_keep_16 speed_local speed_covariances speed_matrices speed_variances

#define KERNEL speed_keep_8
#define SAMPLE_BITS 8
#include "features/speed/speed_keep_kernel.h"

#define KERNEL speed_keep_16
#define SAMPLE_BITS 16
#include "features/speed/speed_keep_kernel.h"

#define KERNEL speed_local
#include "features/speed/speed_local_kernel.h"

#define KERNEL speed_covariances
#include "features/speed/speed_covariances_kernel.h"

#define KERNEL speed_matrices
#include "features/speed/speed_matrices_kernel.h"

#define KERNEL speed_variances
#include "features/speed/speed_variances_kernel.h"
