// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include "features/option.hpp"

namespace isovmaf {

/// Suffix that the in-name options of `options` add to a name: "" when all have their defaults, else for example
/// "_csf_2_dlmw_0.7_egl_1". Options are sorted by full name; a bool adds its key alone. (scores.md §3)
[[nodiscard]] std::string name_suffix(const OptionSet &options);

/// Name under which a score is kept and matched with models: `base_name` itself without a suffix, else alias + suffix.
[[nodiscard]] std::string stored_name(std::string_view base_name, std::string_view alias, const OptionSet &options);

/// Name a report prints for a stored name: VMAF_integer_feature_adm2_score becomes integer_adm2. Names without an
/// alias stay as they are.
[[nodiscard]] std::string report_name(std::string_view stored_name);

} // namespace isovmaf
