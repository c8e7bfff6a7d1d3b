/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>

#include "checks.h"

static void write_all(VmafContext *context) {
    for (unsigned format = VMAF_OUTPUT_FORMAT_XML; format <= VMAF_OUTPUT_FORMAT_SUB; ++format)
        show_report(context, (enum VmafOutputFormat)format);
}

static void whole_run(void) {
    VmafContext *context = open_context(0, 0);
    VmafModel *model = load_model("vmaf_v0.6.1", "vmaf"), *unasked = load_model("vmaf_v0.6.1", "unasked");
    double score = -1;
    scenario("a whole run");
    CODE(vmaf.use_features_from_model(context, model));
    CODE(vmaf.use_features_from_model(context, unasked));
    CODE(vmaf.use_feature(context, "psnr", dictionary("enable_apsnr", "true")));
    read_pairs(context, 3);
    CODE(flush(context));
    CODE(vmaf.score_pooled(context, model, VMAF_POOL_METHOD_MEAN, &score, 0, 2));
    NUMBER(score);
    write_all(context);
    show_report(context, VMAF_OUTPUT_FORMAT_CSV); /* a report may be written again */
    close_context(context);
    vmaf.model_destroy(unasked);
    vmaf.model_destroy(model);
}

static void before_flush(void) {
    VmafContext *context = open_context(0, 0);
    scenario("before flush");
    CODE(vmaf.use_feature(context, "motion", NULL));
    CODE(vmaf.use_feature(context, "psnr", dictionary("enable_chroma", "false")));
    read_pairs(context, 2);
    show_report(context, VMAF_OUTPUT_FORMAT_CSV);
    show_report(context, VMAF_OUTPUT_FORMAT_XML);
    close_context(context);
}

/* How numbers are printed, and what has no number. */
static void numbers(void) {
    static const double values[] = {0, 1e-7, 5.0000001, 1e-6, 3e9, -1.25, 0.1234567, 99.9999999};
    VmafContext *context = open_context(0, 0);
    scenario("numbers");
    CODE(vmaf.use_feature(context, "psnr", NULL));
    for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) {
        if (vmaf.import_feature_score(context, "mine", values[i], i))
            show_text("import", "failed");
        read_pair(context, i, i);
    }
    CODE(flush(context));
    write_all(context);
    close_context(context);
}

static void holes(void) {
    VmafContext *context = open_context(0, 0);
    scenario("holes");
    CODE(vmaf.import_feature_score(context, "all", 1, 0));
    CODE(vmaf.import_feature_score(context, "all", 2, 1));
    CODE(vmaf.import_feature_score(context, "all", 3, 3));
    CODE(vmaf.import_feature_score(context, "one", 4, 1));
    write_all(context);
    close_context(context);
}

static void refused(void) {
    VmafContext *context = open_context(0, 0);
    char path[4096];
    scenario("refused");
    CODE(vmaf.use_feature(context, "psnr", NULL));
    read_pairs(context, 1);
    CODE(flush(context));
    snprintf(path, sizeof path, "%s/absent/report", folder);
    CODE(vmaf.write_output(context, path, VMAF_OUTPUT_FORMAT_XML));
    CODE(vmaf.write_output(context, folder, VMAF_OUTPUT_FORMAT_XML));
    CODE(vmaf.write_output(context, "/dev/null", VMAF_OUTPUT_FORMAT_XML));
    snprintf(path, sizeof path, "%s/refused", folder);
    CODE(vmaf.write_output(context, path, VMAF_OUTPUT_FORMAT_NONE));
    CODE(vmaf.write_output(context, path, (enum VmafOutputFormat)5));
    CODE(remove(path)); /* libvmaf has emptied the file by then */
    CODE(vmaf.write_output(context, "/dev/full", VMAF_OUTPUT_FORMAT_XML));
    close_context(context);
}

void check_reports(void) {
    subject("reports");
    whole_run();
    before_flush();
    numbers();
    holes();
    refused();
}
