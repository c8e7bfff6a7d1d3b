// SPDX-License-Identifier: BSD-2-Clause-Patent
// The logarithms of features.md §3.3 as 512 lines, one for each 64 values of the table: they take 2 KiB, where the
// table takes 64. A line is a word: the logarithm of its first value minus VIF_LINE_ORIGIN in units of 2^-20, whose
// lower 9 bits are the slope in units of 2^-12. They are part of the first value too: the lines are chosen so that
// every logarithm is right with them (vif_log_lines.cpp).
#ifndef ISOVMAF_VIF_LOG_LINES_H
#define ISOVMAF_VIF_LOG_LINES_H

#include "portable/portable.h"

#define VIF_LINES 512
#define VIF_LINE_LOGS 64
#define VIF_LINE_ORIGIN 30720 // 2048 log2(32768)
#define VIF_LINE_SLOPE_BITS 9
#define VIF_LINE_FRACTION_BITS 20

// Logarithm number k of a line, minus VIF_LINE_ORIGIN.
ISOVMAF_FN uint32_t vif_on_line(uint32_t line, uint32_t k) {
    const uint32_t slope = line & ((uint32_t(1) << VIF_LINE_SLOPE_BITS) - 1);
    return (line + slope * (k << 8)) >> VIF_LINE_FRACTION_BITS;
}

#endif
