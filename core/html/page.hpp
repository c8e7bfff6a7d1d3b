// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace isovmaf {

/// Text as HTML, in attributes too. Control characters and invalid UTF-8 become U+FFFD.
[[nodiscard]] std::string html_escape(std::string_view text);

/// A page in one file that needs no network. `body` is HTML and uses the classes of the style sheet in page.cpp, and
/// those of `more_style`, a style sheet of its own.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body, std::string_view more_style = {});

/// A label and a text in a list of facts. The text is not escaped yet.
struct HtmlFact {
    std::string label;
    std::string text;
};

/// The facts below each other; those with an empty text are left out.
[[nodiscard]] std::string fact_list_html(std::span<const HtmlFact> facts);

} // namespace isovmaf
