// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/semantics.hpp"

#include <algorithm>
#include <array>

namespace isovmaf {

namespace {

/// In the order of the enum's values.
constexpr std::array<std::string_view, 2> names{"libvmaf-3.2", "libvmaf-3.0"};

} // namespace

std::span<const std::string_view> all_semantics_names() { return names; }

std::string_view semantics_name(Semantics semantics) { return names[static_cast<std::size_t>(semantics)]; }

std::optional<Semantics> find_semantics(std::string_view name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Semantics>(found - names.begin()));
}

} // namespace isovmaf
