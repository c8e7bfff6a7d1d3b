/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#ifndef ISOVMAF_CAPI_METADATA_HANDLER_H
#define ISOVMAF_CAPI_METADATA_HANDLER_H

/*
 * A function that libvmaf exports without installing a header of it. Programs that call it declare it themselves, as
 * here.
 */

#include "libvmaf/libvmaf.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A score that was stored. Valid during the call of the handler. */
typedef struct VmafMetadata {
    char *feature_name;
    unsigned picture_index;
    double score;
} VmafMetadata;

typedef struct VmafMetadataConfiguration {
    char *feature_name; /**< stored name of a feature, or a model's name; read until the context is closed */
    void (*callback)(void *data, VmafMetadata *metadata); /**< called on any thread */
    void *data;                                           /**< first argument of `callback` */
} VmafMetadataConfiguration;

/** Has `cfg.callback` called for each score that is stored under `cfg.feature_name`. */
int vmaf_register_metadata_handler(VmafContext *vmaf, VmafMetadataConfiguration cfg);

#ifdef __cplusplus
}
#endif

#endif
