// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "math/log_table.hpp"

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

/// A table of reciprocals and logarithms in rows of 2.
template <std::size_t count>
constexpr std::array<double, 2 * count> reciprocal_rows(const Reciprocal (&table)[count]) {
    return table_rows<2>(table, [](const Reciprocal &entry) { return std::array{entry.inverse, entry.log}; });
}

} // namespace isovmaf::math
