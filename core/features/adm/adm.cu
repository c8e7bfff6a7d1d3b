// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of adm: the wavelet of each scale, the sums of all scales' rows, and the rounding of rows.
//
//! f32 estimates: adm_masking adm_masking_whole

#define KERNEL adm_wavelet_0_8
#define SCALE 0
#define INPUT U8
#define OUTPUT I16
#include "features/adm/adm_wavelet_kernel.h"

#define KERNEL adm_wavelet_0_16
#define SCALE 0
#define INPUT U16
#define OUTPUT I16
#include "features/adm/adm_wavelet_kernel.h"

#define KERNEL adm_wavelet_1
#define SCALE 1
#define INPUT I16
#define OUTPUT I32
#include "features/adm/adm_wavelet_kernel.h"

#define KERNEL adm_wavelet_2
#define SCALE 2
#define INPUT I32
#define OUTPUT I32
#include "features/adm/adm_wavelet_kernel.h"

#define KERNEL adm_wavelet_3
#define SCALE 3
#define INPUT I32
#define OUTPUT I32
#include "features/adm/adm_wavelet_kernel.h"

#define KERNEL adm_masking
#define WHOLE_LIMIT 0
#include "features/adm/adm_masking_kernel.h"

#define KERNEL adm_masking_whole
#define WHOLE_LIMIT 1
#include "features/adm/adm_masking_kernel.h"

#define KERNEL adm_rounding
#include "features/adm/adm_rounding_kernel.h"
