// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/report_signature.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include "base/text.hpp"

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
/// "isovmaf_diff", and that of a table of scores "isovmaf_table".
bool is_json(Cursor text) {
    if (!text.take("{"))
        return false;
    const std::string_view first = text.skip_space().take_quoted();
    if (first == "isovmaf_diff" || first == "isovmaf_table")
        return true;
    if (first != "version" || !text.skip_space().take(":"))
        return false;
    text.skip_space().take_quoted();
    if (!text.skip_space().take(","))
        return false;
    const std::string_view second = text.skip_space().take_quoted();
    return second == "fps" || second == "params";
}

/// Whether a field of CSV looks like a number as reports have them: decimal, hexadecimal, or none that is finite.
bool is_number(std::string_view text) {
    if (text.starts_with('-'))
        text.remove_prefix(1);
    return text == "nan" || text == "inf" ||
           (text.find_first_of("0123456789") == 0 && text.find_first_not_of("0123456789abcdefpx.+-") == text.npos);
}

/// Whether a line of CSV has the number of a frame, then numbers alone or empty fields.
bool is_row_of_scores(std::string_view line) {
    std::size_t begin = 0;
    for (int field = 0; begin <= line.size(); field++) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        const std::string_view text = line.substr(begin, end - begin);
        if (field == 0 ? !parse_integer(text) : !text.empty() && !is_number(text))
            return false;
        begin = end + 1;
    }
    return true;
}

/// The header starts with the column Frame. Unlike that of other tables it ends with a comma, as libvmaf writes it, or
/// the line below it has nothing but numbers.
bool is_csv(std::string_view text) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view header = text.substr(0, end);
    const bool cut = end == text.size() && text.size() > signature_bytes / 2;
    if (header.starts_with("video,codec,width,height,bytes,bit_rate,first_frame,")) // a table of scores
        return true;
    if (!header.starts_with("Frame,"))
        return false;
    if (cut || header.ends_with(','))
        return true;
    const std::size_t row = std::min(text.find_first_not_of("\r\n", end), text.size());
    std::string_view line = text.substr(row, text.find_first_of("\r\n", row) - row);
    if (row + line.size() == text.size()) // its last field may be cut
        line = line.substr(0, line.rfind(','));
    return is_row_of_scores(line);
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
