// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// What a preset of libvmaf's program scores.
struct Preset {
    std::vector<ModelRequest> models;
    std::vector<FeatureRequest> features;
};

/// The preset `name`, which is aom_ctc or nflx_ctc, in one of its versions. Fails with invalid_argument, naming the
/// versions there are, on an unknown version.
[[nodiscard]] Result<Preset> find_preset(std::string_view name, const std::string &version);

/// Fails with `unsupported` when this version lacks features of the preset, and names all of those.
[[nodiscard]] Result<void> check_features(const Preset &preset);

} // namespace isovmaf
