// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/metadata_handler.h"
#include "capi/status.hpp"

using isovmaf::capi::status_invalid;

int vmaf_init(VmafContext **, VmafConfiguration) { return status_invalid; }
int vmaf_use_features_from_model(VmafContext *, VmafModel *) { return status_invalid; }
int vmaf_use_features_from_model_collection(VmafContext *, VmafModelCollection *) { return status_invalid; }
int vmaf_use_feature(VmafContext *, const char *, VmafFeatureDictionary *) { return status_invalid; }
int vmaf_import_feature_score(VmafContext *, const char *, double, unsigned) { return status_invalid; }
int vmaf_read_pictures(VmafContext *, VmafPicture *, VmafPicture *, unsigned) { return status_invalid; }
int vmaf_score_at_index(VmafContext *, VmafModel *, double *, unsigned) { return status_invalid; }
int vmaf_score_at_index_model_collection(VmafContext *, VmafModelCollection *, VmafModelCollectionScore *, unsigned) {
    return status_invalid;
}
int vmaf_feature_score_at_index(VmafContext *, const char *, double *, unsigned) { return status_invalid; }
int vmaf_score_pooled(VmafContext *, VmafModel *, VmafPoolingMethod, double *, unsigned, unsigned) {
    return status_invalid;
}
int vmaf_score_pooled_model_collection(VmafContext *, VmafModelCollection *, VmafPoolingMethod,
                                       VmafModelCollectionScore *, unsigned, unsigned) {
    return status_invalid;
}
int vmaf_feature_score_pooled(VmafContext *, const char *, VmafPoolingMethod, double *, unsigned, unsigned) {
    return status_invalid;
}
int vmaf_preallocate_pictures(VmafContext *, VmafPictureConfiguration) { return status_invalid; }
int vmaf_fetch_preallocated_picture(VmafContext *, VmafPicture *) { return status_invalid; }
int vmaf_close(VmafContext *) { return status_invalid; }
int vmaf_write_output(VmafContext *, const char *, VmafOutputFormat) { return status_invalid; }
int vmaf_register_metadata_handler(VmafContext *, VmafMetadataConfiguration) { return status_invalid; }
