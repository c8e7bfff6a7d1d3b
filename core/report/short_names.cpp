// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <map>
#include <string_view>

#include "report/terminal.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view gap = "..";

std::string without_affixes(std::string_view name) {
    for (const std::string_view prefix : {"VMAF_integer_feature_", "VMAF_feature_", "integer_"})
        if (name.starts_with(prefix) && name.size() > prefix.size()) {
            name.remove_prefix(prefix.size());
            break;
        }
    constexpr std::string_view suffix = "_score";
    if (name.ends_with(suffix) && name.size() > suffix.size())
        name.remove_suffix(suffix.size());
    return std::string(name);
}

/// Keeps as much of the start as of the end, where option values stand.
std::string fitted(const std::string &name, std::size_t width) {
    if (name.size() <= width)
        return name;
    const std::size_t tail = (width - gap.size()) / 2;
    return name.substr(0, width - gap.size() - tail) + std::string(gap) + name.substr(name.size() - tail);
}

} // namespace

std::vector<std::string> short_names(const std::vector<std::string> &names, std::size_t width) {
    std::vector<std::string> texts;
    std::map<std::string, int> uses;
    for (const std::string &name : names) {
        texts.push_back(fitted(without_affixes(name), width));
        uses[texts.back()]++;
    }
    for (std::size_t i = 0; i < names.size(); i++)
        if (uses[texts[i]] > 1)
            texts[i] = names[i];
    return texts;
}

} // namespace isovmaf
