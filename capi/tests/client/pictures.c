/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"

VmafContext *open_context(unsigned threads, unsigned subsample) {
    VmafConfiguration configuration = {VMAF_LOG_LEVEL_NONE, threads, subsample, UINT64_MAX, 0};
    VmafContext *context = NULL;
    if (vmaf.init(&context, configuration) != 0 || !context) {
        fprintf(stderr, "no context with %u threads and a subsampling of %u\n", threads, subsample);
        exit(2);
    }
    return context;
}

void close_context(VmafContext *context) {
    int code = vmaf.close(context);
    if (code)
        show_code("vmaf.close(context)", code);
}

VmafModel *load_model(const char *version, const char *name) {
    VmafModelConfig configuration = {name, VMAF_MODEL_FLAGS_DEFAULT};
    VmafModel *model = NULL;
    if (vmaf.model_load(&model, &configuration, version) != 0 || !model) {
        fprintf(stderr, "no model %s\n", version);
        exit(2);
    }
    return model;
}

VmafFeatureDictionary *dictionary(const char *key, const char *value) {
    VmafFeatureDictionary *result = NULL;
    if (vmaf.feature_dictionary_set(&result, key, value) != 0) {
        fprintf(stderr, "no dictionary with %s = %s\n", key, value);
        exit(2);
    }
    return result;
}

int use_feature_with(VmafContext *context, const char *feature, const char *key, const char *value) {
    VmafFeatureDictionary *options = dictionary(key, value);
    int code = vmaf.use_feature(context, feature, options);
    if (code && with_ours)
        vmaf.feature_dictionary_free(&options);
    return code;
}

/* A slope that moves with `content`, waves and noise; the distorted picture is shifted, coarser and has more contrast.
 */
static unsigned sample_of(unsigned x, unsigned y, unsigned plane, unsigned content, int distorted) {
    unsigned from = distorted ? x + 1 : x;
    unsigned hash = (from * 2654435761u) ^ (y * 2246822519u) ^ ((content * 7 + plane) * 3266489917u);
    hash = (hash ^ (hash >> 15)) * 2246822519u;
    unsigned value = 60 + (from + 2 * y + 5 * content) % 97 + ((from * y / 16) % 23) + (hash >> 27);
    return distorted ? (value & ~3u) * 5 / 4 - 20 : value;
}

void fill(VmafPicture *picture, unsigned content, int distorted) {
    for (unsigned plane = 0; plane < 3; ++plane)
        for (unsigned y = 0; y < picture->h[plane]; ++y) {
            uint8_t *row = (uint8_t *)picture->data[plane] + (ptrdiff_t)y * picture->stride[plane];
            for (unsigned x = 0; x < picture->w[plane]; ++x) {
                unsigned value = sample_of(x, y, plane, content, distorted);
                if (picture->bpc > 8)
                    ((uint16_t *)(void *)row)[x] = (uint16_t)(value << (picture->bpc - 8));
                else
                    row[x] = (uint8_t)value;
            }
        }
}

VmafPicture picture_of(enum VmafPixelFormat format, unsigned depth, unsigned width, unsigned height, unsigned content,
                       int distorted) {
    VmafPicture picture = {0};
    if (vmaf.picture_alloc(&picture, format, depth, width, height) != 0) {
        fprintf(stderr, "no picture of %u x %u\n", width, height);
        exit(2);
    }
    fill(&picture, content, distorted);
    return picture;
}

int read_given(VmafContext *context, VmafPicture reference, VmafPicture distorted, unsigned index) {
    int code = vmaf.read_pictures(context, &reference, &distorted, index);
    if (code) {
        vmaf.picture_unref(&reference);
        vmaf.picture_unref(&distorted);
    }
    return code;
}

int read_pair(VmafContext *context, unsigned index, unsigned content) {
    return read_given(context, picture_of(VMAF_PIX_FMT_YUV420P, 8, WIDTH, HEIGHT, content, 0),
                      picture_of(VMAF_PIX_FMT_YUV420P, 8, WIDTH, HEIGHT, content, 1), index);
}

void read_pairs(VmafContext *context, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        int code = read_pair(context, i, i);
        if (code)
            show_code("read_pair", code);
    }
}

int flush(VmafContext *context) { return vmaf.read_pictures(context, NULL, NULL, 0); }
