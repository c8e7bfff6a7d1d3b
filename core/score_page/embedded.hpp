// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string_view>

/// The texts of score_page.js and score_page.css, which the build puts into the program.
namespace isovmaf {

extern const std::string_view score_page_script;
extern const std::string_view score_page_style;

} // namespace isovmaf
