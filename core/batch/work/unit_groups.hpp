// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "batch/work/unit.hpp"

namespace isovmaf::batch {

/// Finds the units of one group.
class UnitGroups {
  public:
    explicit UnitGroups(const std::vector<Unit> &units) : units_(units), order_(units.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::ranges::stable_sort(order_, {}, [&](std::size_t unit) { return units_[unit].group; });
    }

    /// The units of the same group that stand behind this one, in their order.
    [[nodiscard]] std::span<const std::size_t> behind(std::size_t unit) const {
        const auto group = std::ranges::equal_range(order_, units_[unit].group, {},
                                                    [&](std::size_t other) { return units_[other].group; });
        return {std::ranges::upper_bound(group, unit), group.end()};
    }

  private:
    const std::vector<Unit> &units_;
    std::vector<std::size_t> order_; ///< all units, group by group
};

} // namespace isovmaf::batch
