/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

static const char *subject_name = "", *scenario_name = "";

void subject(const char *name) {
    subject_name = name;
    scenario_name = "";
}

void scenario(const char *name) { scenario_name = name; }

static void begin(const char *call) { printf("%s | %s | %s = ", subject_name, scenario_name, call); }

void show_code(const char *call, int code) {
    begin(call);
    printf("%d\n", code);
    fflush(stdout); /* where a library crashes, the last line tells the call before */
}

void show_number(const char *call, double value) {
    begin(call);
    printf("%.17g\n", value);
}

void show_text(const char *call, const char *text) {
    begin(call);
    printf("%s\n", text);
}

void show_feature(VmafContext *context, const char *name, unsigned last) {
    for (unsigned i = 0; i <= last; ++i) {
        char label[128];
        double score = -1;
        int code = vmaf.feature_score_at_index(context, name, &score, i);
        snprintf(label, sizeof label, "%s at %u", name, i);
        if (code)
            show_code(label, code);
        else
            show_number(label, score);
    }
}

void show_scores(VmafContext *context, VmafModel *model, unsigned last) {
    for (unsigned i = 0; i <= last; ++i) {
        char label[128];
        double score = -1;
        int code = vmaf.score_at_index(context, model, &score, i);
        snprintf(label, sizeof label, "score at %u", i);
        if (code)
            show_code(label, code);
        else
            show_number(label, score);
    }
}

void show_pooled(VmafContext *context, VmafModel *model, unsigned low, unsigned high) {
    for (unsigned method = 0; method <= 5; ++method) {
        char label[128];
        double score = -1;
        int code = vmaf.score_pooled(context, model, (enum VmafPoolingMethod)method, &score, low, high);
        snprintf(label, sizeof label, "method %u over %u to %u", method, low, high);
        if (code)
            show_code(label, code);
        else
            show_number(label, score);
    }
}

void show_collection_score(const char *call, const VmafModelCollectionScore *score) {
    char label[128];
    snprintf(label, sizeof label, "%s type", call);
    show_code(label, (int)score->type);
    snprintf(label, sizeof label, "%s bagging", call);
    show_number(label, score->bootstrap.bagging_score);
    snprintf(label, sizeof label, "%s stddev", call);
    show_number(label, score->bootstrap.stddev);
    snprintf(label, sizeof label, "%s low", call);
    show_number(label, score->bootstrap.ci.p95.lo);
    snprintf(label, sizeof label, "%s high", call);
    show_number(label, score->bootstrap.ci.p95.hi);
}

void show_report(VmafContext *context, enum VmafOutputFormat format) {
    char path[4096], line[1 << 16];
    snprintf(path, sizeof path, "%s/report", folder);
    CODE(vmaf.write_output(context, path, format));
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        show_text("report", line);
    }
    fclose(file);
    remove(path);
}
