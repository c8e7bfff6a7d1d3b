// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

namespace isovmaf {

/// An option's value as libvmaf's dictionaries keep it: text that is one number, with or without white space around it
/// and also hexadecimal, is rounded to a float and written with six digits; other text stays as it is.
[[nodiscard]] std::string stored_value(std::string_view text);

} // namespace isovmaf
