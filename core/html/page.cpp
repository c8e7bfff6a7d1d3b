// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/page.hpp"

#include <fmt/format.h>

#include "html/style.hpp"
#include "report/escape.hpp"

namespace isovmaf {

std::string html_escape(std::string_view text) { return xml_escape(plain(text)); }

std::string html_page(std::string_view title, std::string_view body, std::string_view more_style) {
    return fmt::format("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
                       "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
                       "<title>{}</title>\n<style>{}{}</style></head><body>\n{}</body></html>\n",
                       html_escape(title), html_style, more_style, body);
}

std::string fact_list_html(std::span<const HtmlFact> facts) {
    std::string out;
    for (const HtmlFact &fact : facts)
        if (!fact.text.empty())
            out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_escape(fact.label), html_escape(fact.text));
    return out.empty() ? out : "<dl class=facts>" + out + "</dl>\n";
}

} // namespace isovmaf
