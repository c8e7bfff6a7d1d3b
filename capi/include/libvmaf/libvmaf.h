/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#ifndef __VMAF_H__
#define __VMAF_H__

#include <stdint.h>
#include <stdio.h>

#include "libvmaf/feature.h"
#include "libvmaf/model.h"
#include "libvmaf/picture.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * VMAF and its features, with the scores of libvmaf 3.2.0 in every bit, on the CPU or a GPU.
 *
 * Functions return 0, -EINVAL or -ENOMEM. NULL as an argument is -EINVAL. A context is used by one thread at a time;
 * different contexts may be used at once. Messages go to stderr.
 */

/** Messages of this level and of those before it are printed. */
enum VmafLogLevel {
    VMAF_LOG_LEVEL_NONE = 0,
    VMAF_LOG_LEVEL_ERROR,
    VMAF_LOG_LEVEL_WARNING,
    VMAF_LOG_LEVEL_INFO,
    VMAF_LOG_LEVEL_DEBUG
};

/** Formats of reports. */
enum VmafOutputFormat {
    VMAF_OUTPUT_FORMAT_NONE = 0,
    VMAF_OUTPUT_FORMAT_XML,
    VMAF_OUTPUT_FORMAT_JSON,
    VMAF_OUTPUT_FORMAT_CSV,
    VMAF_OUTPUT_FORMAT_SUB
};

/** How the scores of several frames become one. */
enum VmafPoolingMethod {
    VMAF_POOL_METHOD_UNKNOWN = 0,
    VMAF_POOL_METHOD_MIN,
    VMAF_POOL_METHOD_MAX,
    VMAF_POOL_METHOD_MEAN,
    VMAF_POOL_METHOD_HARMONIC_MEAN,
    VMAF_POOL_METHOD_NB
};

/** How a context works. */
typedef struct VmafConfiguration {
    enum VmafLogLevel log_level; /**< messages up to this level are printed */
    unsigned n_threads;          /**< threads that score; 0: one, besides the caller's */
    unsigned n_subsample;        /**< frames 0, n, 2n, ... are scored; 0 and 1: every frame */
    uint64_t cpumask;            /**< instruction sets that are not used; never changes a score */
    uint64_t gpumask;            /**< 0: a GPU may be used */
} VmafConfiguration;

/** A pool of pictures. */
typedef struct VmafPictureConfiguration {
    /** What its pictures are: all are alike. */
    struct {
        unsigned w, h; /**< luma samples */
        unsigned bpc;  /**< bits per sample, 8..16 */
        enum VmafPixelFormat pix_fmt;
    } pic_params;
    unsigned pic_cnt; /**< pictures in the pool, at least 1 */
} VmafPictureConfiguration;

/** Scores one pair of videos. */
typedef struct VmafContext VmafContext;

/** Creates a context; vmaf_close frees it. *vmaf is NULL when it fails. */
int vmaf_init(VmafContext **vmaf, VmafConfiguration cfg);

/** Registers the features that a model reads. The model stays the caller's. Call it before the first picture. */
int vmaf_use_features_from_model(VmafContext *vmaf, VmafModel *model);

/** Registers the features that all models of a collection read. */
int vmaf_use_features_from_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection);

/**
 * Registers a feature extractor by its name, such as "psnr". Call it before the first picture.
 *
 * opts_dict: options, or NULL; owned by the context if 0 is returned.
 */
int vmaf_use_feature(VmafContext *vmaf, const char *feature_name, VmafFeatureDictionary *opts_dict);

/** Stores a score that another program computed, as if a feature extractor had computed it for frame `index`. */
int vmaf_import_feature_score(VmafContext *vmaf, const char *feature_name, double value, unsigned index);

/**
 * Scores one pair of pictures from vmaf_picture_alloc or a pool, which the context owns from then on if 0 is returned.
 * Waits while the context holds as many pictures as it may. All pictures of a context have one format.
 *
 * ref, dist: both NULL ends the video: waits for all scores and computes the last ones.
 * index: number of the frame, under which scores are kept. Each index can be used once.
 *
 * Returns 0; -EINVAL when the pictures are not possible, or when an earlier pair could not be scored. The pictures of a
 * call that fails are still the caller's.
 */
int vmaf_read_pictures(VmafContext *vmaf, VmafPicture *ref, VmafPicture *dist, unsigned index);

/** Score of the model for one frame. Computes the score when it is asked for the first time. */
int vmaf_score_at_index(VmafContext *vmaf, VmafModel *model, double *score, unsigned index);

/** Scores of the collection for one frame. */
int vmaf_score_at_index_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                         VmafModelCollectionScore *score, unsigned index);

/** Score of a feature for one frame. feature_name: such as "VMAF_integer_feature_adm2_score" or "psnr_y". */
int vmaf_feature_score_at_index(VmafContext *vmaf, const char *feature_name, double *score, unsigned index);

/** Pools the scores of the model over frames index_low..index_high, both included. */
int vmaf_score_pooled(VmafContext *vmaf, VmafModel *model, enum VmafPoolingMethod pool_method, double *score,
                      unsigned index_low, unsigned index_high);

/** Pools the scores of the collection, each of the four by itself. */
int vmaf_score_pooled_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                       enum VmafPoolingMethod pool_method, VmafModelCollectionScore *score,
                                       unsigned index_low, unsigned index_high);

/** Pools the scores of a feature. */
int vmaf_feature_score_pooled(VmafContext *vmaf, const char *feature_name, enum VmafPoolingMethod pool_method,
                              double *score, unsigned index_low, unsigned index_high);

/** Allocates pictures that vmaf_fetch_preallocated_picture hands out. */
int vmaf_preallocate_pictures(VmafContext *vmaf, VmafPictureConfiguration cfg);

/**
 * Hands out a picture of the pool, with any samples. Waits while none is free. The picture
 * goes back to the pool when it has been scored, or through vmaf_picture_unref.
 */
int vmaf_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

/** Waits for the frames in work and frees the context. Pictures of its pool that are still out stay valid. */
int vmaf_close(VmafContext *vmaf);

/** Writes a report of the stored scores, and replaces the file. */
int vmaf_write_output(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt);

/** Version of the interface, as version.h has it: "3.2.0". */
const char *vmaf_version(void);

#ifdef __cplusplus
}
#endif

#endif
