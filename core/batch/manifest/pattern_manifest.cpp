// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/manifest/pattern_manifest.hpp"

#include <glob.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

namespace {

using Match = std::match_results<std::string::const_iterator>;

/// Files in the order of their bytes, whatever the locale.
Result<std::vector<std::string>> matching_files(const std::string &pattern) {
    if (pattern.find("**") != std::string::npos)
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("the pattern {} has \"**\", which no folder matches: give a * for each level of folders",
                        quote(pattern)));
    glob_t found{};
    const int code = glob(pattern.c_str(), GLOB_ERR | GLOB_NOSORT, nullptr, &found);
    const int error = errno;
    std::vector<std::string> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
    if (code == GLOB_NOMATCH)
        return fail(ErrorCode::invalid_argument, fmt::format("no file matches the pattern {}", quote(pattern)));
    if (code == GLOB_NOSPACE)
        return fail(ErrorCode::out_of_memory, fmt::format("out of memory: the files of the pattern {}", quote(pattern)));
    if (code != 0)
        return file_failed("list the files of", pattern, error);
    std::ranges::sort(files);
    return files;
}

Result<std::regex> parse_match(const std::string &text) {
    try {
        return std::regex(text.empty() ? ".*" : text);
    } catch (const std::regex_error &error) {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--match {} is no regular expression: {}", quote(text), error.what()));
    }
}

/// The text of a placeholder; nothing when there is none of that name.
std::optional<std::string> placeholder(std::string_view name, const std::filesystem::path &file, const Match &groups) {
    if (name == "name")
        return file.filename();
    if (name == "stem")
        return file.stem();
    if (name == "dir")
        return file.has_parent_path() ? file.parent_path() : ".";
    if (name.size() == 1 && name[0] >= '1' && name[0] <= '9')
        if (const auto group = static_cast<std::size_t>(name[0] - '0'); group < groups.size())
            return groups[group].str();
    return std::nullopt;
}

Result<std::string> fill_in(std::string_view text, const std::filesystem::path &file, const Match &groups) {
    std::string out;
    while (!text.empty()) {
        const std::size_t start = std::min(text.find('{'), text.size());
        out += text.substr(0, start);
        text.remove_prefix(start);
        if (text.empty())
            break;
        const std::size_t end = text.find('}');
        const std::string_view name = text.substr(1, end == std::string_view::npos ? end : end - 1);
        const std::optional<std::string> value = placeholder(name, file, groups);
        if (end == std::string_view::npos || !value)
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("{} is not known: rules take {{name}}, {{stem}}, {{dir}}, and {{1}} to {{9}} for the "
                            "{} of --match",
                            quote(text.substr(0, end == std::string_view::npos ? end : end + 1)),
                            groups.size() == 2 ? "1 group" : fmt::format("{} groups", groups.size() - 1)));
        out += *value;
        text.remove_prefix(end + 1);
    }
    return out;
}

bool is_same_file(const std::string &one, const std::string &other) {
    std::error_code error; // a file that is not there is found when rows are checked
    return std::filesystem::path(one).lexically_normal() == std::filesystem::path(other).lexically_normal() ||
           std::filesystem::equivalent(one, other, error);
}

class PatternReader : public ManifestReader {
  public:
    PatternReader(std::vector<std::string> files, PairRule rule, std::regex match)
        : files_(std::move(files)), rule_(std::move(rule)), match_(std::move(match)) {}

    Result<std::optional<ManifestRow>> next() override {
        if (next_ == files_.size())
            return std::nullopt;
        const std::string &file = files_[next_++];
        ManifestRow row{static_cast<std::int64_t>(next_)};
        row.fields["distorted"] = {file};
        const std::string name = std::filesystem::path(file).filename();
        Match groups;
        if (!std::regex_match(name, groups, match_)) {
            row.problem = fmt::format("its name does not match {}", quote(rule_.match));
            return row;
        }
        TRY(add_fields(file, groups, row.fields));
        if (is_same_file(row.fields["reference"].front(), file))
            row.problem = "the rule gives the file itself as its reference: give a pattern that leaves references out";
        return row;
    }

  private:
    Result<void> add_fields(const std::string &file, const Match &groups, Fields &fields) const {
        for (const auto &[column, text] :
             {std::pair{"reference", &rule_.reference}, {"label", &rule_.label}, {"bit_rate", &rule_.bit_rate}})
            if (!text->empty())
                fields[column] = {TRY(fill_in(*text, file, groups))};
        return {};
    }

    std::vector<std::string> files_;
    PairRule rule_;
    std::regex match_;
    std::size_t next_ = 0;
};

} // namespace

Result<std::unique_ptr<ManifestReader>> find_pairs(const std::string &pattern, const PairRule &rule) {
    std::regex match = TRY(parse_match(rule.match));
    return std::make_unique<PatternReader>(TRY(matching_files(pattern)), rule, std::move(match));
}

} // namespace isovmaf::batch
