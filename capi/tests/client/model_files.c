/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    char *text = calloc(1, 1 << 20);
    if (!text || fread(text, 1, (1 << 20) - 1, file) == 0)
        exit(2);
    fclose(file);
    return text;
}

/* Writes `length` bytes as a model file, loads it, and shows code and pointer. */
static void load(const char *name, const char *text, size_t length) {
    VmafModelConfig configuration = {"vmaf", VMAF_MODEL_FLAGS_DEFAULT};
    VmafModel *model = NULL;
    char path[4096];
    snprintf(path, sizeof path, "%s/model.json", folder);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0)
        exit(2);
    scenario(name);
    CODE(vmaf.model_load_from_path(&model, &configuration, path));
    if (with_ours)
        POINTER(model);
    vmaf.model_destroy(model);
    remove(path);
}

/* `text` with the first `old` from the model itself on replaced. */
static char *replaced(const char *text, const char *old, const char *new_text) {
    const char *model = strstr(text, "\"model_dict\""), *at = model ? strstr(model, old) : NULL;
    if (!at) {
        fprintf(stderr, "the model file has no %s\n", old);
        exit(2);
    }
    char *result = calloc(1, strlen(text) + strlen(new_text) + 1);
    if (!result)
        exit(2);
    memcpy(result, text, (size_t)(at - text));
    strcat(result, new_text);
    strcat(result, at + strlen(old));
    return result;
}

static void load_replaced(const char *name, const char *text, const char *old, const char *new_text) {
    char *other = replaced(text, old, new_text);
    load(name, other, strlen(other));
    free(other);
}

static void score_from_file(void) {
    VmafModelConfig configuration = {NULL, VMAF_MODEL_FLAGS_DEFAULT};
    VmafModel *model = NULL;
    VmafContext *context = open_context(0, 0);
    scenario("a file");
    CODE(vmaf.model_load_from_path(&model, &configuration, model_file));
    CODE(vmaf.use_features_from_model(context, model));
    read_pairs(context, 2);
    CODE(flush(context));
    show_scores(context, model, 1);
    close_context(context);
    vmaf.model_destroy(model);
}

void check_model_files(void) {
    char *text = read_text(model_file);
    subject("model files");
    score_from_file();
    load("whole", text, strlen(text));
    load("nothing", text, 0);
    load("no model", "{}", 2);
    load("a text", "vmaf", 4);
    load("half", text, strlen(text) / 2);
    load_replaced("another kind", text, "\"LIBSVMNUSVR\"", "\"RANDOMFOREST\"");
    load_replaced("an unknown feature's name", text, "VMAF_integer_feature_vif_scale0_score",
                  "VMAF_feature_nothing_score");
    load_replaced("a collection of one", text, "\"model_dict\"", "\"0\": {}, \"model_dict\"");
    if (with_ours) { /* libvmaf loads these */
        load("99 %", text, strlen(text) * 99 / 100);
        load_replaced("no SVM", text, "svm_type nu_svr", "what_type nu_svr");
        load_replaced("no scaling type", text, "\"norm_type\"", "\"no_type\"");
    }
    free(text);
}
