// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/testing/model_text.hpp"

namespace isovmaf {

nlohmann::json small_model() {
    return nlohmann::json::parse(R"({
        "param_dict": {"C": 4.0},
        "model_dict": {
            "model_type": "LIBSVMNUSVR",
            "norm_type": "linear_rescale",
            "feature_names": ["VMAF_integer_feature_motion2_score", "Other_feature_imaginary_scale0_score"],
            "feature_opts_dicts": [{"motion_max_val": 18.0, "debug": true}, {}],
            "slopes": [0.5, 2.0, 4.0],
            "intercepts": [0.25, -1.0, 1.0],
            "score_clip": [0.0, 100.0],
            "score_transform": {"p0": 1.0, "p1": 2.0, "p2": null, "knots": null, "out_gte_in": "true"},
            "model": "svm_type nu_svr\nkernel_type rbf\ngamma 0\nnr_class 2\ntotal_sv 2\nrho -1.5\nSV\n4 1:0.5 2:1 \n-0.25 2:1 \n"
        }
    })");
}

nlohmann::json small_collection(int members) {
    nlohmann::json file;
    for (int k = 0; k <= members; k++) {
        nlohmann::json model = small_model();
        model["model_dict"]["model_type"] = "BOOTSTRAP_LIBSVMNUSVR";
        model["model_dict"]["slopes"][0] = 1.0;
        model["model_dict"]["intercepts"][0] = -k;
        file[std::to_string(k)] = model;
    }
    return file;
}

} // namespace isovmaf
