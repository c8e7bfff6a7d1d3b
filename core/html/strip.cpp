// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/strip.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "html/heat_scale.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t most_strip_columns = 1000;
constexpr std::size_t most_named_runs = 8;

std::vector<std::uint8_t> strip_levels(std::span<const std::uint8_t> worst) {
    const std::size_t columns = std::min(worst.size(), most_strip_columns);
    std::vector<std::uint8_t> levels(columns);
    for (std::size_t i = 0; i < columns; i++) {
        const std::size_t from = i * worst.size() / columns, to = (i + 1) * worst.size() / columns;
        levels[i] = static_cast<std::uint8_t>(heat_level(*std::max_element(
            worst.begin() + static_cast<std::ptrdiff_t>(from), worst.begin() + static_cast<std::ptrdiff_t>(to))));
    }
    return levels;
}

/// One path per level with a rectangle per run of columns. The worst level is drawn last, over all others.
std::string strip_paths(const std::vector<std::uint8_t> &levels) {
    std::array<std::string, heat_levels> paths;
    for (std::size_t i = 0; i < levels.size();) {
        const std::size_t start = i;
        while (i < levels.size() && levels[i] == levels[start])
            i++;
        fmt::format_to(std::back_inserter(paths[levels[start]]), "M{} 0h{}v1h-{}z", start, i - start, i - start);
    }
    std::string out;
    for (std::size_t level = 1; level < heat_levels; level++)
        if (!paths[level].empty())
            out += fmt::format("<path fill=\"{0}\" stroke=\"{0}\" d=\"{1}\"/>", heat_colour(level), paths[level]);
    return out;
}

/// "3 of 100 frames differ: 2, 5–6"
std::string strip_words(std::span<const std::uint8_t> worst) {
    const auto differing = std::ranges::count_if(worst, [](std::uint8_t bucket) { return bucket != 0; });
    if (differing == 0)
        return fmt::format("all {} equal", counted(static_cast<std::int64_t>(worst.size()), "frame"));
    std::string named;
    std::size_t runs = 0;
    for (std::size_t i = 0; i < worst.size(); i++) {
        const std::size_t start = i;
        while (i < worst.size() && worst[i] != 0)
            i++;
        if (i == start || runs++ >= most_named_runs)
            continue;
        named += fmt::format("{}{}", named.empty() ? "" : ", ", start);
        named += i - start > 1 ? fmt::format("–{}", i - 1) : "";
    }
    const std::string more =
        runs > most_named_runs
            ? fmt::format(" and {} more", count_text(static_cast<std::int64_t>(runs - most_named_runs)))
            : "";
    return fmt::format("{} of {} differ: {}{}", count_text(differing),
                       counted(static_cast<std::int64_t>(worst.size()), "frame"), named, more);
}

} // namespace

std::string strip_html(std::string_view title, std::span<const std::uint8_t> worst) {
    if (worst.empty())
        return {};
    const std::vector<std::uint8_t> levels = strip_levels(worst);
    const std::string words = strip_words(worst);
    return fmt::format("<div class=strip><h3>{}</h3><p>{}</p><svg role=img aria-label=\"{}\" viewBox=\"0 0 {} 1\" "
                       "preserveAspectRatio=none style=\"background:{}\">{}</svg><div "
                       "class=ends><span>0</span><span>{}</span></div></div>\n",
                       html_escape(title), words, words, levels.size(), heat_colour(0), strip_paths(levels),
                       count_text(static_cast<std::int64_t>(worst.size()) - 1));
}

} // namespace isovmaf
