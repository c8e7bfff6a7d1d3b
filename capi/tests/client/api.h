/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#ifndef CAPI_CLIENT_API_H
#define CAPI_CLIENT_API_H

#include <libvmaf/libvmaf.h>

#include "capi/metadata_handler.h"

/* Every function that the client calls: all that a libvmaf without CUDA offers. The only list. */
/* clang-format off */
#define API_FUNCTIONS(X)                                                                                               \
    X(version) X(init) X(close) X(use_feature) X(use_features_from_model) X(use_features_from_model_collection)        \
    X(import_feature_score) X(read_pictures) X(score_at_index) X(score_at_index_model_collection)                      \
    X(feature_score_at_index) X(score_pooled) X(score_pooled_model_collection) X(feature_score_pooled)                 \
    X(write_output) X(preallocate_pictures) X(fetch_preallocated_picture) X(register_metadata_handler)                 \
    X(picture_alloc) X(picture_unref) X(feature_dictionary_set) X(feature_dictionary_free) X(model_load)               \
    X(model_load_from_path) X(model_feature_overload) X(model_destroy) X(model_collection_load)                        \
    X(model_collection_load_from_path) X(model_collection_feature_overload) X(model_collection_destroy)
/* clang-format on */

/* The functions of the library under test, with the types that the headers declare. `vmaf.close` is vmaf_close. */
typedef struct Api {
#define API_MEMBER(name) __typeof__(vmaf_##name) *name;
    API_FUNCTIONS(API_MEMBER)
#undef API_MEMBER
} Api;

extern Api vmaf;

/* Fills `vmaf` from the library at `path`; 0, or -1 after a message on standard error. */
int open_library(const char *path);

#endif
