// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/suggested_values.hpp"

#include "device/backend_names.hpp"
#include "features/registry.hpp"
#include "model/model.hpp"
#include "simd/level.hpp"

namespace isovmaf::tool {

namespace {

std::vector<std::string> feature_names() {
    std::vector<std::string> names;
    for (const FeatureDescriptor *const feature : all_features())
        names.emplace_back(feature->name);
    return names;
}

/// The plugins are those that isovmaf has: which of them a machine has is not known when completions are generated.
std::vector<std::string> backend_names() {
    return {
        std::string(auto_backend), std::string(cpu_backend), std::string(definition_backend), "hip", "cuda", "vulkan"};
}

/// All levels: completions may be generated on another processor.
std::vector<std::string> level_names() {
    std::vector<std::string> names{"auto"};
    for (int level = 0; level <= static_cast<int>(CpuLevel::sve); level++)
        names.emplace_back(cpu_level_name(static_cast<CpuLevel>(level)));
    return names;
}

} // namespace

std::vector<std::string> suggested_values(std::string_view option) {
    if (option == "model") {
        const auto versions = builtin_model_versions(); // a model may be named without version=
        return {versions.begin(), versions.end()};
    }
    if (option == "feature")
        return feature_names();
    if (option == "backend")
        return backend_names();
    if (option == "cpu")
        return level_names();
    return {};
}

} // namespace isovmaf::tool
