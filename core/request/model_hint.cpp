// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/model_hint.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "model/model.hpp"

namespace isovmaf {

namespace {

constexpr int rows_of_4k = 2160;

/// The built-in model that was trained for 4K screens as `version` was for smaller ones; empty when there is none.
std::string made_for_4k(const std::string &version) {
    const auto versions = builtin_model_versions();
    for (const std::string &twin : {replace_all(version, "vmaf_v0", "vmaf_4k_v0"), version + "_2160"})
        if (twin != version && std::ranges::find(versions, twin) != versions.end())
            return twin;
    return "";
}

} // namespace

std::string model_hint(const std::vector<ModelRequest> &models, const VideoFormat &format) {
    if (format.height < rows_of_4k)
        return "";
    for (const ModelRequest &model : models) {
        const std::string twin = model.path.empty() ? made_for_4k(model.version) : "";
        const auto is_twin = [&](const ModelRequest &other) { return other.path.empty() && other.version == twin; };
        if (!twin.empty() && std::ranges::none_of(models, is_twin))
            return fmt::format("the pictures have {} rows, and {} was trained for 1080 rows: for viewers of a 4K "
                               "screen, score with -m version={}",
                               format.height, model.version, twin);
    }
    return "";
}

} // namespace isovmaf
