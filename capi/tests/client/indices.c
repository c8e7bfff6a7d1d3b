/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>

#include "checks.h"

/* Reads pairs under the given indices; the n-th pair shows picture n. */
static void sequence(const char *name, const char *feature, unsigned threads, const unsigned *indices, unsigned count) {
    VmafContext *context = open_context(threads, 0);
    scenario(name);
    CODE(vmaf.use_feature(context, feature, NULL));
    for (unsigned i = 0; i < count; ++i)
        CODE(read_pair(context, indices[i], i));
    CODE(flush(context));
    show_feature(context, "VMAF_integer_feature_motion_sad_score", 5);
    show_feature(context, "VMAF_integer_feature_motion2_score", 5);
    show_feature(context, "VMAF_integer_feature_motion3_score", 5);
    show_feature(context, "VMAF_integer_feature_vif_scale0_score", 5);
    show_feature(context, "psnr_y", 5);
    close_context(context);
}

void check_indices(void) {
    static const unsigned in_order[] = {0, 1, 2, 3}, out_of_order[] = {0, 2, 1, 3}, with_gap[] = {0, 1, 3, 4},
                          repeated[] = {0, 1, 1, 2}, from_two[] = {2, 3, 4};
    subject("indices");
    sequence("motion, in order", "motion", 0, in_order, 4);
    sequence("motion, in order, a thread", "motion", 1, in_order, 4);
    sequence("motion, out of order", "motion", 0, out_of_order, 4);
    sequence("motion, with a gap", "motion", 0, with_gap, 4);
    sequence("motion, repeated", "motion", 0, repeated, 4);
    sequence("motion, from two", "motion", 0, from_two, 3);
    sequence("vif, out of order", "vif", 0, out_of_order, 4);
    sequence("vif, with a gap", "vif", 0, with_gap, 4);
    sequence("vif, repeated", "vif", 0, repeated, 4);
    sequence("vif, from two", "vif", 0, from_two, 3);
    sequence("psnr, out of order, a thread", "psnr", 1, out_of_order, 4);
    sequence("psnr, repeated", "psnr", 0, repeated, 4);
}
