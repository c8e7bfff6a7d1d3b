// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

namespace isovmaf {

/// Text as HTML, in attributes too. Control characters and invalid UTF-8 become U+FFFD.
[[nodiscard]] std::string html_escape(std::string_view text);

/// A page in one file that needs neither network nor scripts. `body` is HTML and uses the classes of style.hpp.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body);

} // namespace isovmaf
