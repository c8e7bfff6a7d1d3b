// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/visible_devices.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text.hpp"

namespace isovmaf {

namespace {

struct HidingVariable {
    const char *name;
    std::array<std::string_view, 2> readers; ///< names of backends
};

/// CUDA and HIP programming guides, "environment variables". HIP reads CUDA's variable too.
constexpr std::array variables{
    HidingVariable{"CUDA_VISIBLE_DEVICES", {"cuda", "hip"}},
    HidingVariable{"HIP_VISIBLE_DEVICES", {"hip"}},
    HidingVariable{"ROCR_VISIBLE_DEVICES", {"hip"}},
    HidingVariable{"GPU_DEVICE_ORDINAL", {"hip"}},
};

template <class Condition>
std::string set_variables(const Condition &wanted) {
    std::string text;
    for (const HidingVariable &hiding : variables)
        if (const char *const value = std::getenv(hiding.name); value && wanted(hiding))
            text += fmt::format("{}{}={}", text.empty() ? "" : ", ", hiding.name, escape_controls(value));
    return text;
}

} // namespace

std::string hiding_variables() {
    return set_variables([](const HidingVariable &) { return true; });
}

std::string hiding_variables_of(std::string_view backend) {
    return set_variables([&](const HidingVariable &hiding) { return std::ranges::count(hiding.readers, backend) > 0; });
}

} // namespace isovmaf
