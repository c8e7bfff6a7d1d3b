// SPDX-License-Identifier: BSD-2-Clause-Patent
// Plain floating point, whose assembly float_rules_test.py reads.
#include "portable/f32.h"
#include "portable/kernel.h"

ISOVMAF_KERNEL(64) multiply_add_f32(const float *operands, float *result) {
    *result = operands[0] * operands[1] + operands[2];
}
ISOVMAF_KERNEL(64) multiply_add_f64(const double *operands, double *result) {
    *result = operands[0] * operands[1] + operands[2];
}
ISOVMAF_KERNEL(64) divide_f32(const float *operands, float *result) { *result = operands[0] / operands[1]; }
ISOVMAF_KERNEL(64) root_f32(const float *operands, float *result) { *result = f32_sqrt(operands[0]); }
