/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>

#include "checks.h"

static void print(void *data, VmafMetadata *metadata) {
    char label[128];
    snprintf(label, sizeof label, "%s: %s at %u", (const char *)data, metadata->feature_name, metadata->picture_index);
    show_number(label, metadata->score);
}

static int register_handler(VmafContext *context, char *name, char *who) {
    VmafMetadataConfiguration handler = {name, print, who};
    return vmaf.register_metadata_handler(context, handler);
}

static void of_a_feature(void) {
    VmafContext *context = open_context(0, 0);
    char name[] = "psnr_y", other[] = "mine", first[] = "first", second[] = "second";
    scenario("of a feature");
    CODE(vmaf.use_feature(context, "psnr", NULL));
    CODE(register_handler(context, name, first));
    CODE(register_handler(context, name, second));
    CODE(register_handler(context, other, first));
    read_pairs(context, 2);
    CODE(vmaf.import_feature_score(context, "mine", 7, 0));
    CODE(vmaf.import_feature_score(context, "mine", 8, 0)); /* refused, so nobody is told */
    CODE(flush(context));
    close_context(context);
}

/* Predictions are made as soon as the features are complete: at flush, because of motion2. */
static void of_a_model(void) {
    VmafContext *context = open_context(0, 0);
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf");
    char name[] = "vmaf", who[] = "model";
    scenario("of a model");
    CODE(vmaf.use_features_from_model(context, model));
    CODE(register_handler(context, name, who));
    read_pairs(context, 3);
    show_text("all pairs", "read");
    CODE(flush(context));
    show_report(context, VMAF_OUTPUT_FORMAT_CSV);
    close_context(context);
    vmaf.model_destroy(model);
}

static VmafContext *asked;

/* A handler that asks for a score: libvmaf waits for ever for its own lock. */
static void ask(void *data, VmafMetadata *metadata) {
    double score = -1;
    (void)data;
    CODE(vmaf.feature_score_at_index(asked, metadata->feature_name, &score, metadata->picture_index));
    CODE(score == metadata->score);
}

static void that_asks(void) {
    VmafContext *context = open_context(0, 0);
    char name[] = "psnr_y";
    VmafMetadataConfiguration handler = {name, ask, NULL};
    scenario("that asks");
    asked = context;
    CODE(vmaf.use_feature(context, "psnr", NULL));
    CODE(vmaf.register_metadata_handler(context, handler));
    read_pairs(context, 2);
    CODE(flush(context));
    close_context(context);
}

void check_handlers(void) {
    subject("handlers");
    of_a_feature();
    of_a_model();
    if (with_ours)
        that_asks();
}
