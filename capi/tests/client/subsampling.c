/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>

#include "checks.h"

static void subsample(const char *name, unsigned every, unsigned threads) {
    VmafContext *context = open_context(threads, every);
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf");
    scenario(name);
    CODE(vmaf.use_features_from_model(context, model));
    CODE(vmaf.use_feature(context, "psnr", NULL));
    read_pairs(context, 7);
    CODE(flush(context));
    show_scores(context, model, 7);
    show_feature(context, "VMAF_integer_feature_motion2_score", 6);
    show_feature(context, "VMAF_integer_feature_adm2_score", 6);
    show_feature(context, "psnr_y", 6);
    show_pooled(context, model, 0, 6);
    show_pooled(context, model, every, 6);
    if (!threads)
        show_report(context, VMAF_OUTPUT_FORMAT_XML);
    if (with_ours && every == 3) { /* libvmaf starts min and max from 0, or divides by nothing */
        show_pooled(context, model, 1, 6);
        show_pooled(context, model, 1, 1);
    }
    close_context(context);
    vmaf.model_destroy(model);
}

void check_subsampling(void) {
    subject("subsampling");
    subsample("every third", 3, 0);
    subsample("every second", 2, 0);
    subsample("every second, two threads", 2, 2);
}
