/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>

#include "checks.h"

/* How `value` was stored shows in the name of vif's scores. */
static void show_stored(const char *value, const char *name) {
    VmafContext *context = open_context(0, 0);
    scenario(value);
    CODE(use_feature_with(context, "vif", "vif_enhn_gain_limit", value));
    CODE(read_pair(context, 0, 0));
    show_feature(context, name, 0);
    close_context(context);
}

static void set_and_free(void) {
    VmafFeatureDictionary *options = NULL;
    CODE(vmaf.feature_dictionary_set(NULL, "a", "1"));
    CODE(vmaf.feature_dictionary_set(&options, NULL, "1"));
    POINTER(options);
    if (with_ours)
        CODE(vmaf.feature_dictionary_set(&options, "a", NULL));
    CODE(vmaf.feature_dictionary_set(&options, "a", "1"));
    POINTER(options);
    CODE(vmaf.feature_dictionary_set(&options, "a", "text"));
    CODE(vmaf.feature_dictionary_set(&options, "", ""));
    CODE(vmaf.feature_dictionary_free(NULL));
    CODE(vmaf.feature_dictionary_free(&options));
    POINTER(options);
    CODE(vmaf.feature_dictionary_free(&options));
}

/* Overwriting a key of 8, 16, ... entries reads freed memory in libvmaf, so that the first keys are overwritten here.
 */
static void many_entries(void) {
    VmafFeatureDictionary *options = NULL;
    int failures = 0;
    char key[16];
    scenario("many entries");
    for (int i = 0; i < 100; ++i) {
        snprintf(key, sizeof key, "key%d", i);
        failures += vmaf.feature_dictionary_set(&options, key, "1") != 0;
        if (with_ours)
            failures += vmaf.feature_dictionary_set(&options, "key0", "2") != 0;
    }
    CODE(failures);
    CODE(vmaf.feature_dictionary_free(&options));
}

/* Success consumes a dictionary. Failure leaves it to the caller: libvmaf frees it when a value is refused. */
static void ownership(void) {
    VmafContext *context = open_context(0, 0);
    VmafFeatureDictionary *options = dictionary("enable_chroma", "false");
    scenario("ownership");
    CODE(vmaf.use_feature(context, "nothing", options));
    CODE(vmaf.use_feature(NULL, "psnr", options));
    CODE(vmaf.use_feature(context, NULL, options));
    CODE(vmaf.use_feature(context, "psnr", options));
    CODE(vmaf.use_feature(context, "psnr", dictionary("enable_chroma", "false"))); /* a duplicate is consumed too */
    options = dictionary("enable_chroma", "yes");
    CODE(vmaf.use_feature(context, "psnr", options));
    if (with_ours)
        CODE(vmaf.feature_dictionary_free(&options));
    close_context(context);
}

void check_dictionaries(void) {
    subject("dictionaries");
    set_and_free();
    many_entries();
    ownership();
    show_stored("1.5", "integer_vif_scale0_egl_1.5");
    show_stored(" 1.5 ", "integer_vif_scale0_egl_1.5");
    show_stored("1.0", "integer_vif_scale0_egl_1");
    show_stored("1.23456789", "integer_vif_scale0_egl_1.23457");
    show_stored("0x10", "integer_vif_scale0_egl_16");
    show_stored("12abc", "integer_vif_scale0_egl_12");
    show_stored("100", "VMAF_integer_feature_vif_scale0_score");
    if (with_ours) { /* libvmaf takes it */
        VmafContext *context = open_context(0, 0);
        VmafFeatureDictionary *options = dictionary("vif_enhn_gain_limit", "nan");
        scenario("nan");
        CODE(vmaf.use_feature(context, "vif", options));
        CODE(vmaf.feature_dictionary_free(&options));
        close_context(context);
    }
}
