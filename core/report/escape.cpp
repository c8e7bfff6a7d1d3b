// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/escape.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

namespace isovmaf {

namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// The text as a JSON string with its quotes, valid UTF-8 whatever the bytes of `text`.
std::string json_string(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

/// The text with U+FFFD in place of bytes that are no UTF-8.
std::string valid_utf8(std::string_view text) { return nlohmann::json::parse(json_string(text)).get<std::string>(); }

/// Whether a control character starts at `i`: also U+0080 to U+009F, the bytes C2 80 to C2 9F.
bool is_control(std::string_view text, std::size_t i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    return byte(i) < 0x20 || byte(i) == 0x7F || (byte(i) == 0xC2 && byte(i + 1) < 0xA0);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// ASCII only, and no ':', which would separate a namespace.
bool is_name_character(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

std::string xml_attribute_name(std::string_view text) {
    std::string name(text);
    for (char &c : name)
        c = is_name_character(c) ? c : '_';
    if (name.empty() || !is_letter(name.front()) || name.starts_with("xml")) // "xmlns" declares a namespace
        name.insert(name.begin(), '_');
    return name;
}

} // namespace

std::string plain(std::string_view text) {
    const std::string valid = valid_utf8(text);
    std::string out;
    for (std::size_t i = 0; i < valid.size(); i++) {
        if (!is_control(valid, i)) {
            out += valid[i];
            continue;
        }
        out += replacement_character;
        i += valid[i] == '\xC2' ? 1u : 0u;
    }
    return out;
}

std::string json_escape(std::string_view text) {
    const std::string quoted = json_string(text);
    return quoted.substr(1, quoted.size() - 2);
}

std::string xml_escape(std::string_view text) {
    std::string escaped;
    for (const char c : valid_utf8(text))
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\t': // plain white space would be read back as a space
            escaped += "&#9;";
            break;
        case '\n':
            escaped += "&#10;";
            break;
        case '\r':
            escaped += "&#13;";
            break;
        default:
            if (is_control(c) && c != 0x7F)
                escaped += replacement_character;
            else
                escaped += c;
        }
    for (const std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) // U+FFFE and U+FFFF
        for (std::size_t at = 0; (at = escaped.find(none, at)) != std::string::npos;)
            escaped.replace(at, none.size(), replacement_character);
    return escaped;
}

std::vector<std::string> xml_attribute_names(std::span<const std::string> names,
                                             std::span<const std::string_view> reserved) {
    std::set<std::string, std::less<>> taken(reserved.begin(), reserved.end());
    std::vector<std::string> attributes;
    for (const std::string &name : names) {
        std::string attribute = xml_attribute_name(name);
        while (!taken.insert(attribute).second)
            attribute += '_';
        attributes.push_back(std::move(attribute));
    }
    return attributes;
}

std::string csv_escape(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string sub_escape(std::string_view text) {
    std::string line(text);
    for (char &c : line)
        c = c == '|' || is_control(c) ? '_' : c;
    return line;
}

} // namespace isovmaf
