// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <utility>

#include "tools/isovmaf/option_names.hpp"

namespace isovmaf::tool {

namespace {

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

} // namespace

std::string nearest_name(std::string_view text, const std::vector<std::string> &names) {
    constexpr std::size_t letters_per_mistake = 3;
    std::string nearest;
    std::size_t least = text.size() / letters_per_mistake + 1;
    for (const std::string &name : names)
        if (const std::size_t distance = edit_distance(text, name); distance < least) {
            least = distance;
            nearest = name;
        }
    return nearest;
}

} // namespace isovmaf::tool
