// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of adm's kernels. Offsets, strides and distances count elements.
#ifndef ISOVMAF_ADM_PARAMS_H
#define ISOVMAF_ADM_PARAMS_H

#include "portable/integers.h"

#include "features/adm/adm_math.h"

// Wavelet: a block filters one tile of one picture, a run of samples at a time.
#define ADM_WAVELET_THREADS 256
#define ADM_WAVELET_RUN 4
#define ADM_WAVELET_TILE_WIDTH 60
#define ADM_WAVELET_TILE_HEIGHT 16

// Masking: a thread has one run of pixels of its block's tile.
#define ADM_MASKING_THREADS 256
#define ADM_MASKING_RUN 2
#define ADM_MASKING_TILE_WIDTH 32
#define ADM_MASKING_TILE_HEIGHT 16

// Rounding: a thread has one row.
#define ADM_ROUNDING_THREADS 256

// The parts that are summed up, band by band: the visible restored picture, the visible added picture, the denominator.
#define ADM_PART_COUNT 3
#define ADM_PART_RESTORED 0
#define ADM_PART_ADDED 1
#define ADM_PART_REFERENCE 2

// Columns [left, right) and rows [top, bottom) of a subband.
struct AdmRectangle {
    int32_t left, top, right, bottom;
};

// Where the detail bands of one scale lie: the reference's h, v and d, then the distorted picture's, `band` from one to
// the next. Rows are `stride` apart; the first sample is that of column `column` in row `seen.top`.
struct AdmDetails {
    AdmRectangle seen; // all samples that a sum depends on
    int32_t column;
    int32_t stride;
    int32_t band;
};

// Numbers of stages (taps.h). A scale's cubes of the reference: those of each band, then the sums of their rows.
struct AdmReferenceStages {
    int32_t first;
};
ISOVMAF_FN int32_t adm_reference_cube_stage(AdmReferenceStages s, int32_t band) { return s.first + band; }
ISOVMAF_FN int32_t adm_reference_row_sums_stage(AdmReferenceStages s) { return s.first + ADM_BAND_COUNT; }
ISOVMAF_FN int32_t adm_reference_stages_end(AdmReferenceStages s) { return adm_reference_row_sums_stage(s) + 1; }

// Stages of a masking at one scale: the bands of the restored and of the added picture. Then, for the restored picture
// and, if it is wanted, for the added one: the weighted bands that mask it, its thresholds, the cubes of its visible
// coefficients, and the sums of their rows.
struct AdmMaskingStages {
    int32_t first;
};
ISOVMAF_FN int32_t adm_picture_stage(AdmMaskingStages s, int32_t part, int32_t band) {
    return s.first + part * ADM_BAND_COUNT + band;
}
ISOVMAF_FN int32_t adm_weighted_mask_stage(AdmMaskingStages s, int32_t part, int32_t band) {
    return s.first + 2 * ADM_BAND_COUNT + part * (2 * ADM_BAND_COUNT + 2) + band;
}
ISOVMAF_FN int32_t adm_threshold_stage(AdmMaskingStages s, int32_t part) {
    return adm_weighted_mask_stage(s, part, ADM_BAND_COUNT);
}
ISOVMAF_FN int32_t adm_visible_cube_stage(AdmMaskingStages s, int32_t part, int32_t band) {
    return adm_threshold_stage(s, part) + 1 + band;
}
ISOVMAF_FN int32_t adm_visible_row_sums_stage(AdmMaskingStages s, int32_t part) {
    return adm_visible_cube_stage(s, part, ADM_BAND_COUNT);
}
ISOVMAF_FN int32_t adm_masking_stages_end(AdmMaskingStages s, int32_t parts) {
    return adm_weighted_mask_stage(s, parts, 0);
}

struct AdmWaveletParams {
    int32_t width, height; // of the input
    int32_t stride_bytes;  // of the input
    int32_t bit_depth;
    int32_t approximation_stride; // 0: not wanted
    int32_t approximation;        // from the reference's approximation band to the distorted picture's
    AdmDetails details;
    int32_t approximation_stage; // the reference's, then the distorted picture's
    int32_t detail_stage;        // the reference's h, v and d, then the distorted picture's
};

struct AdmMaskingScale {
    int32_t width, height;
    AdmRectangle core; // where sums are taken
    AdmDetails details;
    int32_t offset;      // of the scale's detail bands
    int32_t left;        // where its first blocks start
    int32_t first_group; // its blocks start here, row by row,
    int32_t columns;     // as many in a row
    int32_t row_sums;    // where its row sums start
    int32_t cube_shift[ADM_BAND_COUNT];
    uint32_t cube_half[ADM_BAND_COUNT]; // adm_half of them
    int32_t reference_cube_shift;
    uint32_t csf[ADM_BAND_COUNT];
    AdmReferenceStages reference_stages;
    AdmMaskingStages stages;
};

// GLSL gets a double as its bits.
#if defined(VULKAN)
#define ADM_DOUBLE uint64_t
#else
#define ADM_DOUBLE double
#endif

struct AdmMaskingParams {
    ADM_DOUBLE gain_limit;
    int64_t share_rounding; // of adm_neighbour_share
    uint32_t parts;         // which are wanted: bit 1 << ADM_PART_...
    int32_t whole_limit;    // gain_limit if that is a whole number
    AdmMaskingScale scale[ADM_SCALE_COUNT];
};

// Sums of a row, one from every block that has a piece of it: part by part, band by band, one column of blocks after
// the other, row by row.
struct AdmRowSums {
    int32_t start;
    int32_t columns;
    int32_t rows;
    int32_t shift, reference_shift; // rounding of a whole row's sum
    int32_t top;                    // row of the subband that the first one is
    AdmReferenceStages reference_stages;
    AdmMaskingStages stages;
};

struct AdmRoundingParams {
    int32_t sums[ADM_PART_COUNT]; // where each part's sums of the frame start; -1: not wanted
    AdmRowSums scale[ADM_SCALE_COUNT];
};

#endif
