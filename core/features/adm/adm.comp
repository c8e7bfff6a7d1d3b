#version 460
// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of adm for Vulkan: the wavelet of each scale, the sums of all scales' rows, and the rounding of rows.
//
//! kernel adm_wavelet_0_8 ADM_WAVELET=1 SCALE=0 INPUT=U8 OUTPUT=I16
//! kernel adm_wavelet_0_16 ADM_WAVELET=1 SCALE=0 INPUT=U16 OUTPUT=I16
//! kernel adm_wavelet_1 ADM_WAVELET=1 SCALE=1 INPUT=I16 OUTPUT=I32
//! kernel adm_wavelet_2 ADM_WAVELET=1 SCALE=2 INPUT=I32 OUTPUT=I32
//! kernel adm_wavelet_3 ADM_WAVELET=1 SCALE=3 INPUT=I32 OUTPUT=I32
//! kernel adm_masking ADM_MASKING=1 WHOLE_LIMIT=0
//! kernel adm_masking_whole ADM_MASKING=1 WHOLE_LIMIT=1
//! kernel adm_rounding ADM_ROUNDING=1
//! f32 estimates: adm_masking adm_masking_whole
#if ADM_WAVELET
#include "features/adm/adm_wavelet_tile.glsl"
#elif ADM_MASKING
#include "features/adm/adm_masking_tile.glsl"
#elif ADM_ROUNDING
#include "features/adm/adm_rounding_tile.glsl"
#endif
