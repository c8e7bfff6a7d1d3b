/* SPDX-License-Identifier: BSD-2-Clause-Patent */
/* `client score`: libvmaf's program vmaf, as a client of the C interface. */
#include <stdio.h>
#include <string.h>

#include "checks.h"
#include "score_options.h"

typedef struct Models {
    VmafModel *single[MOST];
    VmafModelCollection *collections[MOST]; /* NULL where the model is a single one */
    unsigned count;
} Models;

/* What an argument of -m says: "version=NAME:name=NAME:disable_clip=true:vif.option=value". */
typedef struct ModelText {
    const char *version, *path;
    VmafModelConfig configuration;
    char *overloads[MOST];
    unsigned overload_count;
} ModelText;

static void parse_model_field(ModelText *text, char *key, char *value) {
    const int is_set = !value || strcmp(value, "true") == 0;
    if (strcmp(key, "version") == 0)
        text->version = value;
    else if (strcmp(key, "path") == 0)
        text->path = value;
    else if (strcmp(key, "name") == 0)
        text->configuration.name = value;
    else if (strcmp(key, "disable_clip") == 0)
        text->configuration.flags |= is_set ? VMAF_MODEL_FLAG_DISABLE_CLIP : 0;
    else if (strcmp(key, "enable_transform") == 0)
        text->configuration.flags |= is_set ? VMAF_MODEL_FLAG_ENABLE_TRANSFORM : 0;
}

/* Cuts `field` at its '='; the value, or NULL where there is none. */
static char *cut_value(char *field) {
    char *equals = strchr(field, '=');
    if (!equals)
        return NULL;
    *equals = 0;
    return equals + 1;
}

static void parse_model(ModelText *text, char *argument) {
    for (char *field = strtok(argument, ":"); field; field = strtok(NULL, ":")) {
        const char *dot = strchr(field, '.'), *equals = strchr(field, '=');
        if (dot && equals && dot < equals && text->overload_count < MOST) {
            text->overloads[text->overload_count++] = field;
            continue;
        }
        char *value = cut_value(field);
        parse_model_field(text, field, value);
    }
}

/* `field` is "extractor.option=value". */
static int overload(VmafModel *model, VmafModelCollection **collection, char *field) {
    char *option = strchr(field, '.');
    *option++ = 0;
    char *value = cut_value(option);
    if (*collection && vmaf.model_collection_feature_overload(model, collection, field, dictionary(option, value)) != 0)
        return -1;
    return vmaf.model_feature_overload(model, field, dictionary(option, value));
}

static int load(VmafContext *context, char *argument, Models *models) {
    ModelText text = {0};
    parse_model(&text, argument);
    VmafModel **model = &models->single[models->count];
    VmafModelCollection **collection = &models->collections[models->count];
    int code = text.path ? vmaf.model_load_from_path(model, &text.configuration, text.path)
                         : vmaf.model_load(model, &text.configuration, text.version);
    if (code != 0) /* a collection is none of its models */
        code = text.path ? vmaf.model_collection_load_from_path(model, collection, &text.configuration, text.path)
                         : vmaf.model_collection_load(model, collection, &text.configuration, text.version);
    if (code != 0)
        return -1;
    models->count++;
    for (unsigned i = 0; i < text.overload_count; ++i)
        if (overload(*model, collection, text.overloads[i]) != 0)
            return -1;
    if (*collection && vmaf.use_features_from_model_collection(context, *collection) != 0)
        return -1;
    return vmaf.use_features_from_model(context, *model);
}

/* `argument` is "psnr=enable_mse=true:enable_apsnr=true". */
static int use_feature(VmafContext *context, char *argument) {
    VmafFeatureDictionary *options = NULL;
    char *rest = cut_value(argument);
    for (char *field = rest ? strtok(rest, ":") : NULL; field; field = strtok(NULL, ":")) {
        char *value = cut_value(field);
        if (vmaf.feature_dictionary_set(&options, field, value) != 0)
            return -1;
    }
    return vmaf.use_feature(context, argument, options);
}

static int skip(Video *video, unsigned frames) {
    for (unsigned i = 0; i < frames; ++i) {
        VmafPicture picture;
        if (read_frame(video, &picture) != 1)
            return -1;
        vmaf.picture_unref(&picture);
    }
    return 0;
}

/* Returns the number of pairs read, or -1. A video that ends before the other ends both. */
static long read_all(VmafContext *context, const ScoreOptions *options, Video *reference, Video *distorted) {
    if (skip(reference, options->skip_reference) != 0 || skip(distorted, options->skip_distorted) != 0)
        return -1;
    for (unsigned i = 0; i < options->frames; ++i) {
        VmafPicture left = {0}, right = {0};
        const int has_left = read_frame(reference, &left), has_right = read_frame(distorted, &right);
        if (has_left != 1 || has_right != 1) {
            if (has_left == 1)
                vmaf.picture_unref(&left);
            if (has_right == 1)
                vmaf.picture_unref(&right);
            if (has_left != has_right)
                fprintf(stderr, "one video is longer than the other\n");
            return has_left < 0 || has_right < 0 ? -1 : (long)i;
        }
        if (read_given(context, left, right, i) != 0)
            return -1;
    }
    return (long)options->frames;
}

/* Collections come behind all models, as in libvmaf's program: the columns of a report are in the order of these calls. */
static int pool(VmafContext *context, const Models *models, unsigned last) {
    double score;
    VmafModelCollectionScore collection_score;
    for (unsigned i = 0; i < models->count; ++i)
        if (vmaf.score_pooled(context, models->single[i], VMAF_POOL_METHOD_MEAN, &score, 0, last) != 0)
            return -1;
    for (unsigned i = 0; i < models->count; ++i)
        if (models->collections[i] &&
            vmaf.score_pooled_model_collection(context, models->collections[i], VMAF_POOL_METHOD_MEAN,
                                               &collection_score, 0, last) != 0)
            return -1;
    return 0;
}

static int score(VmafContext *context, ScoreOptions *options, Models *models) {
    Video reference = options->raw, distorted = options->raw;
    for (unsigned i = 0; i < options->model_count; ++i)
        if (load(context, options->models[i], models) != 0)
            return -1;
    for (unsigned i = 0; i < options->feature_count; ++i)
        if (use_feature(context, options->features[i]) != 0)
            return -1;
    if (open_video(&reference, options->reference) != 0)
        return -1;
    if (open_video(&distorted, options->distorted) != 0) {
        close_video(&reference);
        return -1;
    }
    const long pairs = read_all(context, options, &reference, &distorted);
    close_video(&reference);
    close_video(&distorted);
    if (pairs <= 0 || flush(context) != 0 || pool(context, models, (unsigned)(pairs - 1)) != 0)
        return -1;
    return options->output ? vmaf.write_output(context, options->output, options->format) : 0;
}

int score_command(int argc, char **argv) {
    ScoreOptions options;
    VmafContext *context = NULL;
    Models models = {0};
    if (parse_score_options(argc, argv, &options) != 0)
        return 2;
    if (vmaf.init(&context, options.configuration) != 0)
        return 1;
    const int code = score(context, &options, &models);
    for (unsigned i = 0; i < models.count; ++i) {
        vmaf.model_destroy(models.single[i]);
        vmaf.model_collection_destroy(models.collections[i]);
    }
    vmaf.close(context);
    if (code != 0)
        fprintf(stderr, "scoring failed\n");
    return code != 0;
}
