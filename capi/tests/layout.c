/* SPDX-License-Identifier: BSD-2-Clause-Patent */
/*
 * The interface on record: layouts, values and types of libvmaf 3.2.0 on a 64-bit machine. Programs are compiled with
 * the headers of either library. Nothing here runs: what differs does not compile.
 */

#include <stddef.h>

#include "capi/metadata_handler.h"
#include "libvmaf/feature.h"
#include "libvmaf/libvmaf.h"
#include "libvmaf/model.h"
#include "libvmaf/picture.h"
#include "libvmaf/version.h"

#if !defined(__VMAF_H__) || !defined(__VMAF_PICTURE_H__) || !defined(__VMAF_MODEL_H__) ||                              \
    !defined(__VMAF_FEATURE_H__) || !defined(VMAF_VERSION_H)
#error "a header has another guard than that of libvmaf"
#endif

/* C99 has no static assertion: the array has a negative size when the condition is false. */
#define JOIN(a, b) JOIN_EXPANDED(a, b)
#define JOIN_EXPANDED(a, b) a##b
#define EXPECT(condition) extern const char JOIN(expected_in_line_, __LINE__)[(condition) ? 1 : -1]
#define EXPECT_VALUE(name, value) EXPECT((name) == (value))
#define EXPECT_SIZE(type, bytes) EXPECT(sizeof(type) == (bytes))
#define EXPECT_ALIGNMENT(type, bytes)                                                                                  \
    struct type##_after_char {                                                                                         \
        char before;                                                                                                   \
        type value;                                                                                                    \
    };                                                                                                                 \
    EXPECT(offsetof(struct type##_after_char, value) == (bytes))
#define EXPECT_FIELD(type, field, offset, bytes)                                                                       \
    EXPECT(offsetof(type, field) == (offset) && sizeof(((type *)NULL)->field) == (bytes))

EXPECT_VALUE(VMAF_API_VERSION_MAJOR, 3);
EXPECT_VALUE(VMAF_API_VERSION_MINOR, 2);
EXPECT_VALUE(VMAF_API_VERSION_PATCH, 0);

EXPECT_SIZE(enum VmafModelFlags, 4);
EXPECT((enum VmafModelFlags) - 1 > 0); /* unsigned */
EXPECT_VALUE(VMAF_MODEL_FLAGS_DEFAULT, 0);
EXPECT_VALUE(VMAF_MODEL_FLAG_DISABLE_CLIP, 1);
EXPECT_VALUE(VMAF_MODEL_FLAG_ENABLE_TRANSFORM, 2);
EXPECT_VALUE(VMAF_MODEL_FLAG_DISABLE_TRANSFORM, 4);

EXPECT_SIZE(enum VmafModelCollectionScoreType, 4);
EXPECT((enum VmafModelCollectionScoreType) - 1 > 0); /* unsigned */
EXPECT_VALUE(VMAF_MODEL_COLLECTION_SCORE_UNKNOWN, 0);
EXPECT_VALUE(VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP, 1);

EXPECT_SIZE(enum VmafPixelFormat, 4);
EXPECT((enum VmafPixelFormat) - 1 > 0); /* unsigned */
EXPECT_VALUE(VMAF_PIX_FMT_UNKNOWN, 0);
EXPECT_VALUE(VMAF_PIX_FMT_YUV420P, 1);
EXPECT_VALUE(VMAF_PIX_FMT_YUV422P, 2);
EXPECT_VALUE(VMAF_PIX_FMT_YUV444P, 3);
EXPECT_VALUE(VMAF_PIX_FMT_YUV400P, 4);

EXPECT_SIZE(enum VmafLogLevel, 4);
EXPECT((enum VmafLogLevel) - 1 > 0); /* unsigned */
EXPECT_VALUE(VMAF_LOG_LEVEL_NONE, 0);
EXPECT_VALUE(VMAF_LOG_LEVEL_ERROR, 1);
EXPECT_VALUE(VMAF_LOG_LEVEL_WARNING, 2);
EXPECT_VALUE(VMAF_LOG_LEVEL_INFO, 3);
EXPECT_VALUE(VMAF_LOG_LEVEL_DEBUG, 4);

EXPECT_SIZE(enum VmafOutputFormat, 4);
EXPECT((enum VmafOutputFormat) - 1 > 0); /* unsigned */
EXPECT_VALUE(VMAF_OUTPUT_FORMAT_NONE, 0);
EXPECT_VALUE(VMAF_OUTPUT_FORMAT_XML, 1);
EXPECT_VALUE(VMAF_OUTPUT_FORMAT_JSON, 2);
EXPECT_VALUE(VMAF_OUTPUT_FORMAT_CSV, 3);
EXPECT_VALUE(VMAF_OUTPUT_FORMAT_SUB, 4);

EXPECT_SIZE(enum VmafPoolingMethod, 4);
EXPECT((enum VmafPoolingMethod) - 1 > 0); /* unsigned */
EXPECT_VALUE(VMAF_POOL_METHOD_UNKNOWN, 0);
EXPECT_VALUE(VMAF_POOL_METHOD_MIN, 1);
EXPECT_VALUE(VMAF_POOL_METHOD_MAX, 2);
EXPECT_VALUE(VMAF_POOL_METHOD_MEAN, 3);
EXPECT_VALUE(VMAF_POOL_METHOD_HARMONIC_MEAN, 4);
EXPECT_VALUE(VMAF_POOL_METHOD_NB, 5);

EXPECT_SIZE(VmafModelConfig, 16);
EXPECT_ALIGNMENT(VmafModelConfig, 8);
EXPECT_FIELD(VmafModelConfig, name, 0, 8);
EXPECT_FIELD(VmafModelConfig, flags, 8, 8);

EXPECT_SIZE(VmafModelCollectionScore, 40);
EXPECT_ALIGNMENT(VmafModelCollectionScore, 8);
EXPECT_FIELD(VmafModelCollectionScore, type, 0, 4);
EXPECT_FIELD(VmafModelCollectionScore, bootstrap, 8, 32);
EXPECT_FIELD(VmafModelCollectionScore, bootstrap.bagging_score, 8, 8);
EXPECT_FIELD(VmafModelCollectionScore, bootstrap.stddev, 16, 8);
EXPECT_FIELD(VmafModelCollectionScore, bootstrap.ci, 24, 16);
EXPECT_FIELD(VmafModelCollectionScore, bootstrap.ci.p95, 24, 16);
EXPECT_FIELD(VmafModelCollectionScore, bootstrap.ci.p95.lo, 24, 8);
EXPECT_FIELD(VmafModelCollectionScore, bootstrap.ci.p95.hi, 32, 8);

EXPECT_SIZE(VmafPicture, 96);
EXPECT_ALIGNMENT(VmafPicture, 8);
EXPECT_FIELD(VmafPicture, pix_fmt, 0, 4);
EXPECT_FIELD(VmafPicture, bpc, 4, 4);
EXPECT_FIELD(VmafPicture, w, 8, 12);
EXPECT_FIELD(VmafPicture, h, 20, 12);
EXPECT_FIELD(VmafPicture, stride, 32, 24);
EXPECT_FIELD(VmafPicture, data, 56, 24);
EXPECT_FIELD(VmafPicture, ref, 80, 8);
EXPECT_FIELD(VmafPicture, priv, 88, 8);

EXPECT_SIZE(VmafConfiguration, 32);
EXPECT_ALIGNMENT(VmafConfiguration, 8);
EXPECT_FIELD(VmafConfiguration, log_level, 0, 4);
EXPECT_FIELD(VmafConfiguration, n_threads, 4, 4);
EXPECT_FIELD(VmafConfiguration, n_subsample, 8, 4);
EXPECT_FIELD(VmafConfiguration, cpumask, 16, 8);
EXPECT_FIELD(VmafConfiguration, gpumask, 24, 8);

EXPECT_SIZE(VmafPictureConfiguration, 20);
EXPECT_ALIGNMENT(VmafPictureConfiguration, 4);
EXPECT_FIELD(VmafPictureConfiguration, pic_params, 0, 16);
EXPECT_FIELD(VmafPictureConfiguration, pic_params.w, 0, 4);
EXPECT_FIELD(VmafPictureConfiguration, pic_params.h, 4, 4);
EXPECT_FIELD(VmafPictureConfiguration, pic_params.bpc, 8, 4);
EXPECT_FIELD(VmafPictureConfiguration, pic_params.pix_fmt, 12, 4);
EXPECT_FIELD(VmafPictureConfiguration, pic_cnt, 16, 4);

EXPECT_SIZE(VmafMetadata, 24);
EXPECT_ALIGNMENT(VmafMetadata, 8);
EXPECT_FIELD(VmafMetadata, feature_name, 0, 8);
EXPECT_FIELD(VmafMetadata, picture_index, 8, 4);
EXPECT_FIELD(VmafMetadata, score, 16, 8);

EXPECT_SIZE(VmafMetadataConfiguration, 24);
EXPECT_ALIGNMENT(VmafMetadataConfiguration, 8);
EXPECT_FIELD(VmafMetadataConfiguration, feature_name, 0, 8);
EXPECT_FIELD(VmafMetadataConfiguration, callback, 8, 8);
EXPECT_FIELD(VmafMetadataConfiguration, data, 16, 8);

/* A declaration with other types than the first is an error. */
int vmaf_feature_dictionary_set(VmafFeatureDictionary **, const char *, const char *);
int vmaf_feature_dictionary_free(VmafFeatureDictionary **);
int vmaf_model_load(VmafModel **, VmafModelConfig *, const char *);
int vmaf_model_load_from_path(VmafModel **, VmafModelConfig *, const char *);
int vmaf_model_feature_overload(VmafModel *, const char *, VmafFeatureDictionary *);
void vmaf_model_destroy(VmafModel *);
int vmaf_model_collection_load(VmafModel **, VmafModelCollection **, VmafModelConfig *, const char *);
int vmaf_model_collection_load_from_path(VmafModel **, VmafModelCollection **, VmafModelConfig *, const char *);
int vmaf_model_collection_feature_overload(VmafModel *, VmafModelCollection **, const char *, VmafFeatureDictionary *);
void vmaf_model_collection_destroy(VmafModelCollection *);
int vmaf_picture_alloc(VmafPicture *, enum VmafPixelFormat, unsigned int, unsigned int, unsigned int);
int vmaf_picture_unref(VmafPicture *);
int vmaf_init(VmafContext **, VmafConfiguration);
int vmaf_use_features_from_model(VmafContext *, VmafModel *);
int vmaf_use_features_from_model_collection(VmafContext *, VmafModelCollection *);
int vmaf_use_feature(VmafContext *, const char *, VmafFeatureDictionary *);
int vmaf_import_feature_score(VmafContext *, const char *, double, unsigned int);
int vmaf_read_pictures(VmafContext *, VmafPicture *, VmafPicture *, unsigned int);
int vmaf_score_at_index(VmafContext *, VmafModel *, double *, unsigned int);
int vmaf_score_at_index_model_collection(VmafContext *, VmafModelCollection *, VmafModelCollectionScore *,
                                         unsigned int);
int vmaf_feature_score_at_index(VmafContext *, const char *, double *, unsigned int);
int vmaf_score_pooled(VmafContext *, VmafModel *, enum VmafPoolingMethod, double *, unsigned int, unsigned int);
int vmaf_score_pooled_model_collection(VmafContext *, VmafModelCollection *, enum VmafPoolingMethod,
                                       VmafModelCollectionScore *, unsigned int, unsigned int);
int vmaf_feature_score_pooled(VmafContext *, const char *, enum VmafPoolingMethod, double *, unsigned int,
                              unsigned int);
int vmaf_preallocate_pictures(VmafContext *, VmafPictureConfiguration);
int vmaf_fetch_preallocated_picture(VmafContext *, VmafPicture *);
int vmaf_close(VmafContext *);
int vmaf_write_output(VmafContext *, const char *, enum VmafOutputFormat);
const char *vmaf_version(void);
int vmaf_register_metadata_handler(VmafContext *, VmafMetadataConfiguration);

int main(void) { return 0; }
