/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#ifndef __VMAF_MODEL_H__
#define __VMAF_MODEL_H__

#include <stdint.h>

#include "feature.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A model. It belongs to no context: several contexts, on several threads, may use it. */
typedef struct VmafModel VmafModel;

/** How a model's score is made. Values can be combined. */
enum VmafModelFlags {
    VMAF_MODEL_FLAGS_DEFAULT = 0,
    VMAF_MODEL_FLAG_DISABLE_CLIP = 1 << 0,     /**< the score may lie outside the model's range */
    VMAF_MODEL_FLAG_ENABLE_TRANSFORM = 1 << 1, /**< use a score transform that the file has, but leaves off */
    VMAF_MODEL_FLAG_DISABLE_TRANSFORM = 1 << 2 /**< has no effect */
};

/** What a model is called, and how its score is made. */
typedef struct VmafModelConfig {
    const char *name; /**< of the score, in reports too; NULL: "vmaf" */
    uint64_t flags;   /**< of VmafModelFlags */
} VmafModelConfig;

/**
 * Loads a built-in model, such as "vmaf_v0.6.1".
 *
 * Returns 0. Returns -EINVAL when an argument is NULL or there is no such model, and -ENOMEM when memory is out; then
 * *model is NULL.
 */
int vmaf_model_load(VmafModel **model, VmafModelConfig *cfg, const char *version);

/** Loads a model from a JSON file. Returns as vmaf_model_load. A file that is not complete is refused. */
int vmaf_model_load_from_path(VmafModel **model, VmafModelConfig *cfg, const char *path);

/**
 * Sets options of those features of the model that an extractor provides. Call it before the model is given to
 * vmaf_use_features_from_model.
 *
 * feature_name: name of the extractor, such as "vif". Another name than that of an extractor of the model's features
 * has no effect, and neither have options that the extractor does not know. Values are checked by
 * vmaf_use_features_from_model.
 * opts_dict: owned by the model if 0 is returned.
 *
 * Returns 0; -EINVAL when an argument is NULL; -ENOMEM when memory is out.
 */
int vmaf_model_feature_overload(VmafModel *model, const char *feature_name, VmafFeatureDictionary *opts_dict);

/** Frees the model, which may be NULL. Contexts that scored with it keep the scores. */
void vmaf_model_destroy(VmafModel *model);

/** Models that were trained on different samples of the same data: their scores show how certain the score is. */
typedef struct VmafModelCollection VmafModelCollection;

enum VmafModelCollectionScoreType { VMAF_MODEL_COLLECTION_SCORE_UNKNOWN = 0, VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP };

/** Statistics of the scores that the members of a collection give one frame or video. */
typedef struct VmafModelCollectionScore {
    enum VmafModelCollectionScoreType type; /**< BOOTSTRAP, of all collections that can be loaded */
    /** Of a bootstrap collection. */
    struct {
        double bagging_score; /**< mean of the members' scores */
        double stddev;        /**< standard deviation of the members' scores */
        /** Confidence intervals. */
        struct {
            /** Of 95 %. */
            struct {
                double lo; /**< 95 % of the members' scores lie between lo and hi */
                double hi;
            } p95;
        } ci;
    } bootstrap;
} VmafModelCollectionScore;

/**
 * Loads a built-in collection, such as "vmaf_b_v0.6.3": the model that gives the score, and the collection of the
 * other models. The caller frees both.
 *
 * Returns 0. Returns -EINVAL when an argument is NULL, or there is no such model or it is not a collection, and -ENOMEM
 * when memory is out; then *model and *model_collection are NULL.
 */
int vmaf_model_collection_load(VmafModel **model, VmafModelCollection **model_collection, VmafModelConfig *cfg,
                               const char *version);

/** Loads a collection from a JSON file. Returns as vmaf_model_collection_load. */
int vmaf_model_collection_load_from_path(VmafModel **model, VmafModelCollection **model_collection,
                                         VmafModelConfig *cfg, const char *path);

/** Sets options of the model and of all models of the collection, as vmaf_model_feature_overload does for one. */
int vmaf_model_collection_feature_overload(VmafModel *model, VmafModelCollection **model_collection,
                                           const char *feature_name, VmafFeatureDictionary *opts_dict);

/** Frees the collection, which may be NULL. */
void vmaf_model_collection_destroy(VmafModelCollection *model_collection);

#ifdef __cplusplus
}
#endif

#endif
