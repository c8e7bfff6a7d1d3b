// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string_view>

#include "isovmaf/request.hpp"

namespace isovmaf {

/// For which pictures and viewers a built-in model is.
struct ModelPurpose {
    std::string_view version; ///< "vmaf_v0.6.1", or a version that chooses: see chosen_request
    std::string_view purpose; ///< for help: "1080 rows, seen from 3 times the height of the screen"
};

/// Built-in models in the order of builtin_model_versions, then the versions that choose among them.
[[nodiscard]] std::span<const ModelPurpose> model_purposes();

/// The version v1 stands for another one for pictures with more rows than this.
inline constexpr int most_rows_of_hd = 1440;

/// A request for pictures of `rows` luma rows: `version` v1 is replaced by the built-in model that it stands for; other
/// requests stay as they are.
[[nodiscard]] ModelRequest chosen_request(ModelRequest request, int rows);

/// Whether the model depends on the rows of the pictures.
[[nodiscard]] bool depends_on_rows(const ModelRequest &request);

} // namespace isovmaf
