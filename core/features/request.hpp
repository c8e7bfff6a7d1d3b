// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "isovmaf/request.hpp"

namespace isovmaf {

/// All names, the default's first: "libvmaf-3.2", "libvmaf-3.0".
[[nodiscard]] std::span<const std::string_view> all_semantics_names();

[[nodiscard]] std::string_view semantics_name(Semantics semantics);
[[nodiscard]] std::optional<Semantics> find_semantics(std::string_view name);

} // namespace isovmaf
