// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isovmaf/result.hpp"

/// Videos that are pictures with numbers in their names: "shot%04d.png".
namespace isovmaf {

/// Whether the path has "%d", "%4d" or "%04d" in it.
[[nodiscard]] bool is_picture_pattern(std::string_view path);

/// The lowest number of a picture with such a name. An error when there is no picture, and when a number is missing
/// between the lowest and the highest one: libav takes either the gap or the picture before it for the end.
[[nodiscard]] Result<std::int64_t> first_picture(const std::string &pattern);

} // namespace isovmaf
