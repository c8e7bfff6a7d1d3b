/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>

#include "checks.h"

static void known_names(void) {
    static const char *const names[] = {
        "psnr",
        "motion",
        "vif",
        "adm",
        "cambi",
        "ciede",
        "psnr_hvs",
        "float_ssim",
        "float_ms_ssim",
        "speed_chroma",
        "speed_temporal",
        "null",
        "float_psnr",
        "float_ansnr",
        "float_adm",
        "float_vif",
        "float_motion",
        "float_moment",
        "integer_adm",
        "VMAF_integer_feature_vif_scale0_score",
        "PSNR",
        "",
        "nothing",
    };
    VmafContext *context = open_context(0, 0);
    scenario("names");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        show_code(names[i], vmaf.use_feature(context, names[i], NULL));
    close_context(context);
}

static void refuse(VmafContext *context, const char *feature, const char *key, const char *value) {
    char call[160];
    snprintf(call, sizeof call, "%s:%s=%s", feature, key, value);
    show_code(call, use_feature_with(context, feature, key, value));
}

static void options(void) {
    VmafContext *context = open_context(0, 0);
    scenario("options");
    refuse(context, "psnr", "enable_chroma", "1");
    refuse(context, "psnr", "enable_chroma", "yes");
    refuse(context, "vif", "vif_enhn_gain_limit", "0.5");
    refuse(context, "vif", "vif_enhn_gain_limit", "101");
    refuse(context, "adm", "adm_enhn_gain_limit", "much");
    CODE(vmaf.use_feature(context, "psnr", dictionary("no_such_option", "1")));
    CODE(vmaf.use_feature(context, "vif", dictionary("debug", "true")));
    close_context(context);
}

/* Registrations that differ in no feature parameter are one: the first stays. */
static void duplicates(void) {
    VmafContext *context = open_context(0, 0);
    scenario("duplicates");
    CODE(vmaf.use_feature(context, "psnr", NULL));
    CODE(vmaf.use_feature(context, "psnr", dictionary("enable_chroma", "false")));
    CODE(vmaf.use_feature(context, "vif", NULL));
    CODE(vmaf.use_feature(context, "vif", dictionary("debug", "true")));
    CODE(vmaf.use_feature(context, "vif", dictionary("vif_enhn_gain_limit", "100")));
    CODE(vmaf.use_feature(context, "vif", dictionary("vif_enhn_gain_limit", "1.5")));
    CODE(vmaf.use_feature(context, "vif", dictionary("vif_enhn_gain_limit", "1.5")));
    CODE(read_pair(context, 0, 0));
    CODE(flush(context));
    show_report(context, VMAF_OUTPUT_FORMAT_XML);
    close_context(context);
}

/* Options that change what is computed or reported, not what is scored twice. */
static void reported_options(void) {
    VmafContext *context = open_context(0, 0);
    VmafFeatureDictionary *psnr = dictionary("enable_mse", "true");
    scenario("what options report");
    CODE(vmaf.feature_dictionary_set(&psnr, "enable_apsnr", "true"));
    CODE(vmaf.use_feature(context, "psnr", psnr));
    CODE(vmaf.use_feature(context, "adm", dictionary("debug", "true")));
    CODE(vmaf.use_feature(context, "motion", dictionary("debug", "true")));
    read_pairs(context, 3);
    CODE(flush(context));
    show_report(context, VMAF_OUTPUT_FORMAT_JSON);
    close_context(context);
}

static void after_flush(void) {
    VmafContext *context = open_context(0, 0);
    scenario("after flush");
    CODE(vmaf.use_feature(context, "psnr", NULL));
    CODE(read_pair(context, 0, 0));
    CODE(flush(context));
    CODE(vmaf.use_feature(context, "vif", NULL));
    CODE(read_pair(context, 1, 1));
    CODE(flush(context));
    show_feature(context, "VMAF_integer_feature_vif_scale0_score", 0);
    show_feature(context, "psnr_y", 1);
    close_context(context);
}

/* libvmaf starts such a feature at that frame; our library refuses it. */
static void after_first_picture(void) {
    VmafContext *context = open_context(0, 0);
    scenario("after the first picture");
    CODE(vmaf.use_feature(context, "psnr", NULL));
    CODE(read_pair(context, 0, 0));
    CODE(vmaf.use_feature(context, "vif", NULL));
    CODE(read_pair(context, 1, 1));
    CODE(flush(context));
    show_feature(context, "psnr_y", 1);
    close_context(context);
}

void check_registration(void) {
    subject("registration");
    known_names();
    options();
    duplicates();
    reported_options();
    after_flush();
    after_first_picture();
}
