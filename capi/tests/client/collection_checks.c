/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>

#include "checks.h"

static const VmafModelConfig named = {"b", VMAF_MODEL_FLAGS_DEFAULT};

static void refused(void) {
    VmafModelConfig configuration = named;
    VmafModel *model = NULL;
    VmafModelCollection *collection = NULL;
    scenario("refused");
    CODE(vmaf.model_collection_load(&model, &collection, &configuration, "nothing"));
    CODE(vmaf.model_collection_load_from_path(&model, &collection, &configuration, "absent.json"));
    CODE(vmaf.model_collection_load(&model, &collection, &configuration, "vmaf_v0.6.1")); /* a plain model */
    POINTER(model);
    POINTER(collection);
    CODE(vmaf.model_collection_load_from_path(&model, &collection, &configuration, model_file));
    POINTER(collection);
}

/* The scores of indices 0 to 2, of which two were read. */
static void query(VmafContext *context, VmafModelCollection *collection, VmafModelCollectionScore *scores) {
    for (unsigned i = 0; i < 3; ++i)
        CODE(vmaf.score_at_index_model_collection(context, collection, &scores[i], i));
}

static void score_one(void) {
    VmafModelConfig configuration = named;
    VmafModel *model = NULL;
    VmafModelCollection *collection = NULL;
    VmafModelCollectionScore scores[3] = {{0}}, again[3] = {{0}};
    VmafContext *context = open_context(0, 0);
    scenario("scores");
    CODE(vmaf.model_collection_load_from_path(&model, &collection, &configuration, collection_file));
    POINTER(model);
    POINTER(collection);
    CODE(vmaf.use_features_from_model_collection(context, collection));
    CODE(vmaf.use_features_from_model(context, model));
    read_pairs(context, 2);
    CODE(flush(context));
    show_scores(context, model, 1);
    query(context, collection, scores);
    show_collection_score("first", &scores[0]);
    show_collection_score("second", &scores[1]);
    show_feature(context, "b_0001", 1);
    show_feature(context, "b_0020", 1);
    show_feature(context, "b_bagging", 1);
    show_feature(context, "b_stddev", 1);
    show_feature(context, "b_ci_p95_lo", 1);
    show_feature(context, "b_ci_p95_hi", 1);
    show_feature(context, "b_0021", 0);
    show_report(context, VMAF_OUTPUT_FORMAT_CSV);
    scenario("asked again"); /* libvmaf predicts again, and may not overwrite */
    query(context, collection, again);
    CODE(again[0].bootstrap.bagging_score == scores[0].bootstrap.bagging_score);
    CODE(again[1].bootstrap.ci.p95.hi == scores[1].bootstrap.ci.p95.hi);
    close_context(context);
    vmaf.model_collection_destroy(collection);
    vmaf.model_destroy(model);
}

/* One method for each context, because libvmaf pools a range only once. */
static void pool_with(VmafModelCollection *collection, enum VmafPoolingMethod method, const char *name) {
    VmafModelCollectionScore score = {0};
    VmafContext *context = open_context(0, 0);
    scenario(name);
    CODE(vmaf.use_features_from_model_collection(context, collection));
    read_pairs(context, 2);
    CODE(flush(context));
    CODE(vmaf.score_pooled_model_collection(context, collection, method, &score, 1, 0));
    CODE(vmaf.score_pooled_model_collection(context, collection, method, NULL, 0, 1));
    CODE(vmaf.score_pooled_model_collection(context, collection, method, &score, 0, 1));
    if (method != VMAF_POOL_METHOD_UNKNOWN)
        show_collection_score("pooled", &score);
    close_context(context);
}

static void pool(void) {
    VmafModelConfig configuration = named;
    VmafModel *model = NULL;
    VmafModelCollection *collection = NULL;
    CODE(vmaf.model_collection_load(&model, &collection, &configuration, "vmaf_b_v0.6.3"));
    pool_with(collection, VMAF_POOL_METHOD_UNKNOWN, "no method");
    pool_with(collection, VMAF_POOL_METHOD_MIN, "min");
    pool_with(collection, VMAF_POOL_METHOD_MAX, "max");
    pool_with(collection, VMAF_POOL_METHOD_MEAN, "mean");
    pool_with(collection, VMAF_POOL_METHOD_HARMONIC_MEAN, "harmonic mean");
    vmaf.model_collection_destroy(collection);
    vmaf.model_destroy(model);
}

static void overload(void) {
    VmafModelConfig configuration = named;
    VmafModel *model = NULL;
    VmafModelCollection *collection = NULL;
    VmafModelCollectionScore score = {0};
    VmafContext *context = open_context(0, 0);
    scenario("overload");
    CODE(vmaf.model_collection_load(&model, &collection, &configuration, "vmaf_b_v0.6.3"));
    CODE(vmaf.model_collection_feature_overload(model, &collection, "vif", dictionary("vif_enhn_gain_limit", "1.0")));
    CODE(vmaf.use_features_from_model_collection(context, collection));
    CODE(vmaf.use_features_from_model(context, model));
    read_pairs(context, 2);
    CODE(flush(context));
    show_scores(context, model, 1);
    CODE(vmaf.score_at_index_model_collection(context, collection, &score, 1));
    show_collection_score("score", &score);
    show_feature(context, "integer_vif_scale0_egl_1", 0);
    close_context(context);
    vmaf.model_collection_destroy(collection);
    vmaf.model_destroy(model);
}

void check_collections(void) {
    subject("collections");
    refused();
    score_one();
    pool();
    overload();
}
