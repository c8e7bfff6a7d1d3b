// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace isovmaf::math {

/// A table in rows of `size` numbers, from `row(entry)`, which has that many.
template <std::size_t size, class Entry, std::size_t count, class Row>
constexpr std::array<double, size * count> table_rows(const Entry (&table)[count], Row row) {
    std::array<double, size * count> rows{};
    for (std::size_t i = 0; i < count; i++) {
        const std::array<double, size> numbers = row(table[i]);
        std::copy(numbers.begin(), numbers.end(), rows.begin() + static_cast<std::ptrdiff_t>(size * i));
    }
    return rows;
}

} // namespace isovmaf::math
