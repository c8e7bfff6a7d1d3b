/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <math.h>
#include <stdio.h>

#include "checks.h"

static void before_and_after_flush(void) {
    VmafContext *context = open_context(0, 0);
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf");
    scenario("before flush");
    CODE(vmaf.use_features_from_model(context, model));
    show_feature(context, "VMAF_integer_feature_vif_scale0_score", 0);
    read_pairs(context, 3);
    show_feature(context, "VMAF_integer_feature_vif_scale0_score", 3);
    show_feature(context, "VMAF_integer_feature_motion2_score", 0);
    show_feature(context, "integer_vif_scale0", 0); /* the name in reports, not the stored one */
    show_scores(context, model, 0);
    CODE(flush(context));
    scenario("after flush");
    show_feature(context, "VMAF_integer_feature_motion2_score", 3);
    show_feature(context, "integer_adm_scale0", 2);
    show_scores(context, model, 3);
    show_scores(context, model, 0);
    close_context(context);
    vmaf.model_destroy(model);
}

static void pooled(void) {
    VmafContext *context = open_context(0, 0);
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf");
    double score = -1;
    scenario("pooled");
    CODE(vmaf.use_features_from_model(context, model));
    read_pairs(context, 5);
    CODE(vmaf.score_pooled(context, model, VMAF_POOL_METHOD_MEAN, &score, 0, 4));
    CODE(flush(context));
    show_pooled(context, model, 0, 4);
    show_pooled(context, model, 2, 3);
    show_pooled(context, model, 3, 3);
    show_pooled(context, model, 3, 2);
    show_pooled(context, model, 0, 5);
    show_pooled(context, model, 7, 9);
    for (unsigned method = 0; method <= 6; ++method) {
        score = -1;
        CODE(vmaf.feature_score_pooled(context, "VMAF_integer_feature_vif_scale3_score", (enum VmafPoolingMethod)method,
                                       &score, 1, 4));
        NUMBER(score);
    }
    CODE(vmaf.feature_score_pooled(context, "VMAF_integer_feature_vif_scale3_score", VMAF_POOL_METHOD_MEAN, &score, 0,
                                   5));
    CODE(vmaf.feature_score_pooled(context, "nothing", VMAF_POOL_METHOD_MEAN, &score, 0, 1));
    close_context(context);
    vmaf.model_destroy(model);
}

void check_queries(void) {
    subject("queries");
    before_and_after_flush();
    pooled();
}

static void import_and_query(void) {
    VmafContext *context = open_context(0, 0);
    scenario("imports");
    CODE(vmaf.import_feature_score(context, "mine", 1.5, 0));
    CODE(vmaf.import_feature_score(context, "mine", 1.5, 0));
    CODE(vmaf.import_feature_score(context, "mine", 2.5, 0));
    CODE(vmaf.import_feature_score(context, "mine", -1, 1));
    CODE(vmaf.import_feature_score(context, "", 7, 0));
    CODE(vmaf.import_feature_score(context, "not a number", NAN, 0));
    CODE(vmaf.import_feature_score(context, "far", 9, 1000));
    show_feature(context, "mine", 2);
    show_feature(context, "", 0);
    double score = -1;
    CODE(vmaf.feature_score_at_index(context, "far", &score, 1000));
    NUMBER(score);
    CODE(vmaf.feature_score_at_index(context, "far", &score, 999));
    CODE(vmaf.feature_score_pooled(context, "mine", VMAF_POOL_METHOD_HARMONIC_MEAN, &score, 0, 1));
    NUMBER(score);
    CODE(vmaf.feature_score_pooled(context, "mine", VMAF_POOL_METHOD_MEAN, &score, 0, 1));
    NUMBER(score);
    CODE(flush(context)); /* nothing is registered */
    CODE(vmaf.import_feature_score(context, "mine", 3, 2));
    show_feature(context, "mine", 2);
    if (with_ours) { /* libvmaf asks for memory up to the index */
        CODE(vmaf.import_feature_score(context, "mine", 3, UINT_MAX));
        CODE(vmaf.feature_score_at_index(context, "mine", &score, UINT_MAX));
        CODE(vmaf.feature_score_pooled(context, "mine", VMAF_POOL_METHOD_MEAN, &score, 0, UINT_MAX));
    }
    close_context(context);
}

/* Imported features feed a model that no picture was read for. */
static void model_of_imports(void) {
    static const char *const names[] = {
        "VMAF_integer_feature_adm2_score",       "VMAF_integer_feature_motion2_score",
        "VMAF_integer_feature_vif_scale0_score", "VMAF_integer_feature_vif_scale1_score",
        "VMAF_integer_feature_vif_scale2_score", "VMAF_integer_feature_vif_scale3_score",
    };
    VmafContext *context = open_context(0, 0);
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf"), *other = load_model("vmaf_v0.6.1", "given");
    scenario("a model of imports");
    for (unsigned i = 0; i < 6; ++i)
        CODE(vmaf.import_feature_score(context, names[i], i == 1 ? 4.5 : 0.7 + 0.04 * i, 0));
    show_scores(context, model, 1);
    CODE(vmaf.import_feature_score(context, "given", 12.5, 0)); /* replaces the prediction */
    show_scores(context, other, 0);
    close_context(context);
    vmaf.model_destroy(other);
    vmaf.model_destroy(model);
}

/* An import takes the place of a score that a feature wants to write. */
static void import_before_reading(void) {
    VmafContext *context = open_context(0, 0);
    scenario("an import in the way");
    CODE(vmaf.use_feature(context, "vif", NULL));
    CODE(vmaf.import_feature_score(context, "VMAF_integer_feature_vif_scale0_score", 7, 0));
    CODE(read_pair(context, 0, 0));
    CODE(read_pair(context, 1, 1));
    CODE(flush(context));
    show_feature(context, "VMAF_integer_feature_vif_scale0_score", 1);
    close_context(context);
}

void check_imports(void) {
    subject("imports");
    import_and_query();
    model_of_imports();
    import_before_reading();
}
