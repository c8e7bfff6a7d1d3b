/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>

#include "checks.h"

/* Scores do not depend on the number of threads. */
static void score_with(unsigned threads) {
    VmafContext *context = open_context(threads, 0);
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf");
    char name[32];
    snprintf(name, sizeof name, "%u threads", threads);
    scenario(name);
    CODE(vmaf.use_features_from_model(context, model));
    CODE(vmaf.use_feature(context, "psnr", NULL));
    read_pairs(context, 6);
    CODE(flush(context));
    show_scores(context, model, 6);
    show_feature(context, "psnr_cr", 5);
    close_context(context);
    vmaf.model_destroy(model);
}

static void close_with_frames_queued(void) {
    VmafContext *context = open_context(2, 0);
    scenario("close without flush");
    CODE(vmaf.use_feature(context, "vif", NULL));
    read_pairs(context, 4);
    CODE(vmaf.close(context));
}

/* libvmaf warns of a frame that was computed twice, and returns 0. */
static void repeated_index(void) {
    VmafContext *context = open_context(1, 0);
    scenario("repeated index");
    CODE(vmaf.use_feature(context, "vif", NULL));
    CODE(read_pair(context, 0, 0));
    CODE(read_pair(context, 0, 1));
    CODE(flush(context));
    show_feature(context, "VMAF_integer_feature_vif_scale0_score", 0);
    close_context(context);
}

void check_threads(void) {
    subject("threads");
    score_with(1);
    score_with(3);
    close_with_frames_queued();
    repeated_index();
}
