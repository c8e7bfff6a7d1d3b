// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "stored/stored_report.hpp"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/file_io.hpp"
#include "base/try.hpp"
#include "stored/stored_builder.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view without_mark(std::string_view text) {
    if (text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    return text;
}

/// "{0}{1}frame: 0|": MicroDVD, which begins as JSON does.
bool is_subtitle(std::string_view text) {
    return text.size() > 1 && text[0] == '{' && text[1] >= '0' && text[1] <= '9';
}

void read_any(std::string_view text, StoredBuilder &builder) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos)
        refuse("it is empty");
    const std::string_view begin = text.substr(start);
    if (is_subtitle(begin))
        refuse("subtitles cannot be compared: use a report in JSON, XML or CSV");
    if (begin.front() == '{')
        read_json(text, builder);
    else if (begin.front() == '<')
        read_xml(text, builder);
    else if (begin.starts_with("Frame"))
        read_csv(text, builder);
    else
        refuse("it is no report in JSON, XML or CSV");
}

Result<std::string> read_text(const std::filesystem::path &path) {
    std::string text;
    if (const int error = read_whole_file(path.string(), text); error != 0)
        return fail(
            error == ENOENT ? ErrorCode::not_found : ErrorCode::io,
            fmt::format("cannot read the report {}: {}", path.string(), std::generic_category().message(error)));
    return text;
}

} // namespace

Result<StoredReport> parse_stored_report(std::string_view text, const std::string &origin) {
    try {
        StoredBuilder builder;
        read_any(without_mark(text), builder);
        return builder.take();
    } catch (const Failure &failure) {
        return fail(failure.error().code, fmt::format("cannot read the report {}: {}", origin, failure.what()));
    }
}

Result<StoredReport> read_stored_report(const std::filesystem::path &path) {
    const std::string text = TRY(read_text(path));
    return parse_stored_report(text, path.string());
}

} // namespace isovmaf
