/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

/* Loads one model; shows the code and the score of one pair. */
static void score_with(const char *version, const char *name, uint64_t flags) {
    VmafModelConfig configuration = {name, flags};
    VmafModel *model = NULL;
    scenario(version);
    CODE(vmaf.model_load(&model, &configuration, version));
    if (!model)
        return;
    VmafContext *context = open_context(0, 0);
    CODE(vmaf.use_features_from_model(context, model));
    read_pairs(context, 2);
    CODE(flush(context));
    show_scores(context, model, 1);
    close_context(context);
    vmaf.model_destroy(model);
}

static void other_versions(void) {
    VmafModelConfig configuration = {"vmaf", VMAF_MODEL_FLAGS_DEFAULT};
    VmafModel *model = NULL;
    scenario("other versions");
    CODE(vmaf.model_load(&model, &configuration, "nothing"));
    CODE(vmaf.model_load(&model, &configuration, ""));
    CODE(vmaf.model_load_from_path(&model, &configuration, "absent.json"));
    POINTER(model);
    CODE(vmaf.model_load(&model, &configuration, "vmaf_v1.0.16_3d0h"));
    vmaf.model_destroy(model);
    model = NULL;
    CODE(vmaf.model_load(&model, &configuration, "vmaf_b_v0.6.3")); /* a collection */
    vmaf.model_destroy(model);
}

static void overload(void) {
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf");
    VmafContext *context = open_context(0, 0);
    VmafFeatureDictionary *kept = dictionary("vif_enhn_gain_limit", "1.0");
    scenario("overload");
    CODE(vmaf.model_feature_overload(NULL, "vif", kept));
    CODE(vmaf.model_feature_overload(model, NULL, kept));
    CODE(vmaf.model_feature_overload(model, "vif", NULL));
    CODE(vmaf.model_feature_overload(model, "vif", kept));
    CODE(vmaf.model_feature_overload(model, "psnr", dictionary("enable_chroma", "false"))); /* matches nothing */
    CODE(vmaf.model_feature_overload(model, "vif", dictionary("no_such_option", "1")));
    CODE(vmaf.model_feature_overload(model, "adm", dictionary("adm_enhn_gain_limit", "1")));
    CODE(vmaf.use_features_from_model(context, model));
    CODE(vmaf.use_features_from_model(context, model));
    read_pairs(context, 2);
    CODE(flush(context));
    show_scores(context, model, 1);
    show_feature(context, "integer_vif_scale0_egl_1", 0);
    show_feature(context, "integer_adm2_egl_1", 0);
    show_feature(context, "VMAF_integer_feature_vif_scale0_score", 0);
    close_context(context);
    vmaf.model_destroy(model);
}

/* A value is checked when the features are registered. */
static void refused_overload(void) {
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf");
    VmafContext *context = open_context(0, 0);
    scenario("refused overload");
    CODE(vmaf.model_feature_overload(model, "vif", dictionary("vif_enhn_gain_limit", "-5")));
    CODE(vmaf.use_features_from_model(context, model));
    close_context(context);
    vmaf.model_destroy(model);
}

/* After registration, prediction looks for features under names that nobody computed. */
static void late_overload(void) {
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf");
    VmafContext *context = open_context(0, 0);
    scenario("late overload");
    CODE(vmaf.use_features_from_model(context, model));
    CODE(vmaf.model_feature_overload(model, "vif", dictionary("vif_enhn_gain_limit", "1.0")));
    read_pairs(context, 2);
    CODE(flush(context));
    show_scores(context, model, 1);
    close_context(context);
    vmaf.model_destroy(model);
}

/* One model serves two contexts, and outlives neither its scores nor its report. */
static void shared_model(void) {
    VmafModel *model = load_model("vmaf_v0.6.1neg", "shared");
    VmafContext *contexts[2];
    scenario("two contexts");
    for (int i = 0; i < 2; ++i) {
        contexts[i] = open_context(0, 0);
        CODE(vmaf.use_features_from_model(contexts[i], model));
    }
    for (int i = 0; i < 2; ++i) {
        CODE(read_pair(contexts[i], 0, (unsigned)i));
        CODE(read_pair(contexts[i], 1, 2));
        CODE(flush(contexts[i]));
        show_scores(contexts[i], model, 1);
    }
    vmaf.model_destroy(model);
    for (int i = 0; i < 2; ++i) {
        show_report(contexts[i], VMAF_OUTPUT_FORMAT_CSV);
        close_context(contexts[i]);
    }
}

/* A model whose features were registered by another one, and a name that stays when the caller's text is gone. */
static void unregistered_model(void) {
    char name[] = "short-lived";
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf"), *other = load_model("vmaf_4k_v0.6.1", name);
    VmafContext *context = open_context(0, 0);
    memset(name, 'x', sizeof name - 1);
    scenario("unregistered model");
    CODE(vmaf.use_features_from_model(context, model));
    read_pairs(context, 2);
    CODE(flush(context));
    show_scores(context, other, 1);
    show_scores(context, other, 2); /* index 2 was never read */
    show_report(context, VMAF_OUTPUT_FORMAT_CSV);
    close_context(context);
    vmaf.model_destroy(other);
    vmaf.model_destroy(model);
}

/* Two models of one name: libvmaf gives both the scores of the first. */
static void same_name(void) {
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf"), *other = load_model("vmaf_4k_v0.6.1", "vmaf");
    VmafContext *context = open_context(0, 0);
    double hd = -1, uhd = -1;
    scenario("same name");
    CODE(vmaf.use_features_from_model(context, model));
    read_pairs(context, 2);
    CODE(flush(context));
    CODE(vmaf.score_at_index(context, model, &hd, 1));
    CODE(vmaf.score_at_index(context, other, &uhd, 1));
    CODE(hd == uhd);
    close_context(context);
    vmaf.model_destroy(other);
    vmaf.model_destroy(model);
}

void check_models(void) {
    subject("models");
    score_with("vmaf_v0.6.1", "vmaf", VMAF_MODEL_FLAGS_DEFAULT);
    score_with("vmaf_v0.6.1neg", NULL, VMAF_MODEL_FLAGS_DEFAULT);
    score_with("vmaf_4k_v0.6.1", "", VMAF_MODEL_FLAG_DISABLE_CLIP);
    score_with("vmaf_4k_v0.6.1neg", "a name", VMAF_MODEL_FLAG_ENABLE_TRANSFORM);
    score_with("vmaf_v0.6.1", "other", VMAF_MODEL_FLAG_DISABLE_TRANSFORM);
    other_versions();
    overload();
    refused_overload();
    late_overload();
    shared_model();
    unregistered_model();
    same_name();
}
