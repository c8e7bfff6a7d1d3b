// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/page.hpp"

#include <fmt/format.h>

#include "html/style.hpp"
#include "report/escape.hpp"

namespace isovmaf {

std::string html_escape(std::string_view text) { return xml_escape(plain(text)); }

std::string html_page(std::string_view title, std::string_view body) {
    return fmt::format("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
                       "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
                       "<title>{}</title>\n<style>{}</style></head><body>\n{}</body></html>\n",
                       html_escape(title), html_style, body);
}

} // namespace isovmaf
