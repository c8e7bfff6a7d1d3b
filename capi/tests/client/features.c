/* SPDX-License-Identifier: BSD-2-Clause-Patent */
/* Features beside those of the models of series 0.6, and the models of VMAF v1, which need larger pictures. */
#include "checks.h"

enum { LARGE_WIDTH = 576, LARGE_HEIGHT = 324 };

static void read_large(VmafContext *context, unsigned count) {
    for (unsigned index = 0; index < count; ++index) {
        const VmafPicture reference = picture_of(VMAF_PIX_FMT_YUV420P, 8, LARGE_WIDTH, LARGE_HEIGHT, index, 0);
        const VmafPicture distorted = picture_of(VMAF_PIX_FMT_YUV420P, 8, LARGE_WIDTH, LARGE_HEIGHT, index, 1);
        CODE(read_given(context, reference, distorted, index));
    }
    CODE(flush(context));
}

static void score_with(const char *version) {
    VmafModel *model = load_model(version, "vmaf");
    VmafContext *context = open_context(0, 0);
    scenario(version);
    CODE(vmaf.use_features_from_model(context, model));
    read_large(context, 3);
    show_scores(context, model, 2);
    show_pooled(context, model, 0, 2);
    show_report(context, VMAF_OUTPUT_FORMAT_JSON);
    close_context(context);
    vmaf.model_destroy(model);
}

static void every_feature(void) {
    VmafContext *context = open_context(0, 0);
    scenario("every feature");
    CODE(vmaf.use_feature(context, "cambi", dictionary("full_ref", "true")));
    CODE(vmaf.use_feature(context, "cambi", dictionary("window_size", "33")));
    CODE(vmaf.use_feature(context, "speed_chroma", NULL));
    CODE(vmaf.use_feature(context, "speed_temporal", dictionary("speed_use_ref_diff", "true")));
    CODE(vmaf.use_feature(context, "float_ssim", dictionary("enable_lcs", "true")));
    CODE(vmaf.use_feature(context, "float_ssim", dictionary("enable_db", "true"))); /* is in no name: the first stays */
    CODE(vmaf.use_feature(context, "float_ms_ssim", dictionary("enable_db", "true")));
    CODE(vmaf.use_feature(context, "ciede", NULL));
    CODE(vmaf.use_feature(context, "psnr_hvs", NULL));
    read_large(context, 2);
    show_report(context, VMAF_OUTPUT_FORMAT_JSON);
    close_context(context);
}

/* The pictures of other checks are too small for these. */
static void too_small(const char *feature) {
    VmafContext *context = open_context(0, 0);
    scenario("too small");
    show_code(feature, vmaf.use_feature(context, feature, NULL));
    CODE(read_pair(context, 0, 0));
    close_context(context);
}

static void too_small_for_model(void) {
    VmafModel *model = load_model("vmaf_v1.0.16_3d0h", "vmaf");
    VmafContext *context = open_context(0, 0);
    scenario("too small for a model");
    CODE(vmaf.use_features_from_model(context, model));
    CODE(read_pair(context, 0, 0));
    close_context(context);
    vmaf.model_destroy(model);
}

static void refused_values(void) {
    VmafContext *context = open_context(0, 0);
    scenario("refused values");
    CODE(use_feature_with(context, "cambi", "window_size", "14"));
    CODE(use_feature_with(context, "cambi", "topk", "0"));
    CODE(use_feature_with(context, "speed_chroma", "speed_weight_var_mode", "7"));
    CODE(use_feature_with(context, "float_ssim", "scale", "11"));
    CODE(use_feature_with(context, "float_ssim", "enable_lcs", "1"));
    close_context(context);
}

void check_features(void) {
    subject("features");
    score_with("vmaf_v1.0.16_3d0h");
    score_with("vmaf_v1.0.16_hfr_1d5h_2160");
    every_feature();
    too_small("cambi");
    too_small("float_ms_ssim");
    too_small_for_model();
    refused_values();
}
