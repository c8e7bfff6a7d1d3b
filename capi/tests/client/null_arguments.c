/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdint.h>
#include <stdio.h>

#include "checks.h"

static void without_context(void) {
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf");
    VmafPicture picture = {0};
    VmafPictureConfiguration pool = {{64, 64, 8, VMAF_PIX_FMT_YUV420P}, 4};
    VmafModelCollectionScore collection_score = {0};
    double score = -1;
    VmafConfiguration configuration = {VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0};
    scenario("no context");
    CODE(vmaf.init(NULL, configuration));
    CODE(vmaf.close(NULL));
    CODE(vmaf.use_feature(NULL, "psnr", NULL));
    CODE(vmaf.use_features_from_model(NULL, model));
    CODE(vmaf.use_features_from_model_collection(NULL, NULL));
    CODE(vmaf.import_feature_score(NULL, "a", 1, 0));
    CODE(vmaf.read_pictures(NULL, NULL, NULL, 0));
    CODE(vmaf.score_at_index(NULL, model, &score, 0));
    CODE(vmaf.score_at_index_model_collection(NULL, NULL, &collection_score, 0));
    CODE(vmaf.feature_score_at_index(NULL, "a", &score, 0));
    CODE(vmaf.score_pooled(NULL, model, VMAF_POOL_METHOD_MEAN, &score, 0, 0));
    CODE(vmaf.score_pooled_model_collection(NULL, NULL, VMAF_POOL_METHOD_MEAN, &collection_score, 0, 0));
    CODE(vmaf.feature_score_pooled(NULL, "a", VMAF_POOL_METHOD_MEAN, &score, 0, 0));
    CODE(vmaf.preallocate_pictures(NULL, pool));
    CODE(vmaf.fetch_preallocated_picture(NULL, &picture));
    NUMBER(score);
    if (with_ours)
        CODE(vmaf.write_output(NULL, "absent/report", VMAF_OUTPUT_FORMAT_XML));
    vmaf.model_destroy(model);
}

static void handle(void *data, VmafMetadata *metadata) {
    (void)data;
    (void)metadata;
}

static void with_context(void) {
    VmafContext *context = open_context(0, 0);
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf");
    VmafPicture picture = {0};
    VmafModelCollectionScore collection_score = {0};
    char name[] = "psnr_y";
    VmafMetadataConfiguration no_name = {NULL, handle, NULL}, no_callback = {name, NULL, NULL},
                              complete = {name, handle, NULL};
    double score = -1;
    scenario("no argument");
    CODE(vmaf.use_feature(context, NULL, NULL));
    CODE(vmaf.use_features_from_model(context, NULL));
    CODE(vmaf.use_features_from_model_collection(context, NULL));
    CODE(vmaf.import_feature_score(context, NULL, 1, 0));
    CODE(vmaf.read_pictures(context, &picture, NULL, 0));
    CODE(vmaf.read_pictures(context, NULL, &picture, 0));
    CODE(vmaf.score_at_index(context, NULL, &score, 0));
    CODE(vmaf.score_at_index(context, model, NULL, 0));
    CODE(vmaf.score_at_index_model_collection(context, NULL, &collection_score, 0));
    CODE(vmaf.feature_score_at_index(context, NULL, &score, 0));
    CODE(vmaf.feature_score_at_index(context, "a", NULL, 0));
    CODE(vmaf.score_pooled(context, NULL, VMAF_POOL_METHOD_MEAN, &score, 0, 0));
    CODE(vmaf.score_pooled(context, model, VMAF_POOL_METHOD_MEAN, NULL, 0, 0));
    CODE(vmaf.score_pooled_model_collection(context, NULL, VMAF_POOL_METHOD_MEAN, &collection_score, 0, 0));
    CODE(vmaf.feature_score_pooled(context, NULL, VMAF_POOL_METHOD_MEAN, &score, 0, 0));
    CODE(vmaf.fetch_preallocated_picture(context, NULL));
    CODE(vmaf.fetch_preallocated_picture(context, &picture));
    CODE(vmaf.write_output(context, NULL, VMAF_OUTPUT_FORMAT_XML));
    CODE(vmaf.register_metadata_handler(context, no_name));
    CODE(vmaf.register_metadata_handler(context, no_callback));
    CODE(vmaf.register_metadata_handler(context, complete));
    CODE(vmaf.register_metadata_handler(NULL, complete));
    if (with_ours)
        CODE(vmaf.feature_score_pooled(context, "a", VMAF_POOL_METHOD_MEAN, NULL, 0, 0));
    vmaf.model_destroy(model);
    close_context(context);
}

static void models(void) {
    VmafModelConfig configuration = {"vmaf", VMAF_MODEL_FLAGS_DEFAULT};
    VmafModel *model = NULL;
    VmafModelCollection *collection = NULL;
    scenario("models");
    CODE((vmaf.model_destroy(NULL), 0));
    CODE((vmaf.model_collection_destroy(NULL), 0));
    CODE(vmaf.model_feature_overload(NULL, "vif", NULL));
    CODE(vmaf.model_collection_feature_overload(NULL, NULL, "vif", NULL));
    if (!with_ours)
        return;
    CODE(vmaf.model_load(NULL, &configuration, "vmaf_v0.6.1"));
    CODE(vmaf.model_load(&model, NULL, "vmaf_v0.6.1"));
    CODE(vmaf.model_load(&model, &configuration, NULL));
    CODE(vmaf.model_load_from_path(NULL, &configuration, model_file));
    CODE(vmaf.model_load_from_path(&model, NULL, model_file));
    CODE(vmaf.model_load_from_path(&model, &configuration, NULL));
    CODE(vmaf.model_collection_load(NULL, &collection, &configuration, "vmaf_b_v0.6.3"));
    CODE(vmaf.model_collection_load(&model, NULL, &configuration, "vmaf_b_v0.6.3"));
    CODE(vmaf.model_collection_load(&model, &collection, NULL, "vmaf_b_v0.6.3"));
    CODE(vmaf.model_collection_load(&model, &collection, &configuration, NULL));
    CODE(vmaf.model_collection_load_from_path(&model, &collection, &configuration, NULL));
    CODE(vmaf.model_collection_feature_overload(model, &collection, "vif", NULL));
    POINTER(model);
    POINTER(collection);
}

void check_null_arguments(void) {
    subject("null arguments");
    show_text("version", vmaf.version());
    without_context();
    with_context();
    models();
}
