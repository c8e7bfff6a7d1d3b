// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/report_signature.hpp"

#include <algorithm>
#include <array>
#include <fstream>

namespace isovmaf {

namespace {

/// Reads a text from its start, piece by piece.
class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text) {}

    bool take(std::string_view expected) {
        if (!text_.starts_with(expected))
            return false;
        text_.remove_prefix(expected.size());
        return true;
    }

    bool take_digits() {
        const std::size_t end = std::min(text_.find_first_not_of("0123456789"), text_.size());
        text_.remove_prefix(end);
        return end > 0;
    }

    Cursor &skip_space() {
        text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size()));
        return *this;
    }

    /// A string in quotation marks; empty when there is none.
    std::string_view take_quoted() {
        const std::size_t end = take("\"") ? text_.find('"') : std::string_view::npos;
        if (end == std::string_view::npos)
            return {};
        const std::string_view quoted = text_.substr(0, end);
        text_.remove_prefix(end + 1);
        return quoted;
    }

    [[nodiscard]] std::string_view rest() const { return text_; }

  private:
    std::string_view text_;
};

/// The first members of libvmaf's reports are "version", then "params" or "fps"; that of `isovmaf diff` is
/// "isovmaf_diff".
bool is_json(Cursor text) {
    if (!text.take("{"))
        return false;
    const std::string_view first = text.skip_space().take_quoted();
    if (first == "isovmaf_diff")
        return true;
    if (first != "version" || !text.skip_space().take(":"))
        return false;
    text.skip_space().take_quoted();
    if (!text.skip_space().take(","))
        return false;
    const std::string_view second = text.skip_space().take_quoted();
    return second == "fps" || second == "params";
}

/// The header starts with the column Frame and, unlike that of other tables, ends with a comma.
bool is_csv(std::string_view text) {
    const std::string_view header = text.substr(0, text.find_first_of("\r\n"));
    const bool cut = header.size() == text.size() && text.size() > signature_bytes / 2;
    return header.starts_with("Frame,") && (cut || header.ends_with(','));
}

/// "{0}{1}frame: 0|"
bool is_sub(Cursor text) {
    return text.take("{") && text.take_digits() && text.take("}{") && text.take_digits() && text.take("}frame: ");
}

bool is_xml(Cursor text) {
    text.take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    text.skip_space();
    return text.take("<VMAF version=") || text.take("<testsuites name=\"isovmaf diff\"") ||
           text.take("<testsuites name=\"isovmaf score\"");
}

bool is_page(std::string_view text) {
    return text.starts_with("<!DOCTYPE html>") && text.find("<title>isovmaf ") != std::string_view::npos;
}

} // namespace

bool begins_like_report(std::string_view head) {
    Cursor text(head);
    text.take("\xEF\xBB\xBF"); // byte order mark
    const std::string_view begin = text.skip_space().rest();
    return head.empty() || is_json(text) || is_csv(begin) || is_sub(text) || is_xml(text) || is_page(begin) ||
           begin.starts_with("### isovmaf diff: ");
}

bool is_report(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return false;
    std::array<char, signature_bytes> head;
    file.read(head.data(), head.size());
    return !file.bad() && begins_like_report({head.data(), static_cast<std::size_t>(file.gcount())});
}

} // namespace isovmaf
