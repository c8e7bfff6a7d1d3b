// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/nearest_name.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace isovmaf {

namespace {

/// ASCII alone, in any locale.
std::string in_small_letters(std::string_view text) {
    std::string small(text);
    for (char &letter : small)
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    return small;
}

/// Letters that are missing, added, replaced, or swapped with their neighbour (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); j++)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); i++) {
        before_last = std::exchange(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); j++) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
            row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row.back();
}

/// The shortest name that contains `text`, else the longest that it contains.
std::string containing_name(const std::string &text, std::span<const std::string> names) {
    constexpr std::size_t fewest_letters = 3; // shorter texts are in many names
    const std::string *around = nullptr, *within = nullptr;
    for (const std::string &name : names) {
        const std::string small = in_small_letters(name);
        if (text.size() >= fewest_letters && small.find(text) != std::string::npos &&
            (around == nullptr || name.size() < around->size()))
            around = &name;
        if (name.size() >= fewest_letters && text.find(small) != std::string::npos &&
            (within == nullptr || name.size() > within->size()))
            within = &name;
    }
    return around != nullptr ? *around : within != nullptr ? *within : "";
}

} // namespace

std::string nearest_name(std::string_view text, std::span<const std::string> names) {
    constexpr std::size_t letters_per_mistake = 3;
    const std::string small = in_small_letters(text);
    std::string nearest;
    std::size_t least = text.size() / letters_per_mistake + 1;
    for (const std::string &name : names)
        if (const std::size_t distance = edit_distance(small, in_small_letters(name)); distance < least) {
            least = distance;
            nearest = name;
        }
    return nearest.empty() ? containing_name(small, names) : nearest;
}

std::string did_you_mean(std::string_view text, std::span<const std::string> names) {
    const std::string nearest = nearest_name(text, names);
    return nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest);
}

} // namespace isovmaf
