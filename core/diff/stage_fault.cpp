// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/stage_fault.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/sha256.hpp"
#include "features/words.hpp"

namespace isovmaf::diff {

namespace {

constexpr int most_cells = 256; ///< of a heat map's side

HeatMap heat_map(const Stage &stage, StagePlane expected, StagePlane found) {
    HeatMap map;
    map.cell_width = (stage.width + most_cells - 1) / most_cells;
    map.cell_height = (stage.height + most_cells - 1) / most_cells;
    map.width = (stage.width + map.cell_width - 1) / map.cell_width;
    map.height = (stage.height + map.cell_height - 1) / map.cell_height;
    map.heat.resize(static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height));
    std::size_t i = 0;
    for (int y = 0; y < stage.height; y++)
        for (int x = 0; x < stage.width; x++, i++) {
            const int cell = y / map.cell_height * map.width + x / map.cell_width;
            std::uint8_t &heat = map.heat[static_cast<std::size_t>(cell)];
            heat = std::max(
                heat, static_cast<std::uint8_t>(std::bit_width(word_distance(expected[i], found[i], stage.kind))));
        }
    return map;
}

} // namespace

std::string stage_hash(StagePlane values) {
    Sha256 sha256;
    sha256.add(std::as_bytes(values)); // little-endian hosts alone are built for
    return std::move(sha256).hex();
}

std::optional<StageFault> compare_stage(const Stage &stage, StagePlane expected, StagePlane found) {
    const auto first = std::ranges::mismatch(expected, found);
    if (first.in1 == expected.end())
        return std::nullopt;
    StageFault fault;
    fault.stage = stage.name;
    fault.width = stage.width;
    fault.height = stage.height;
    fault.kind = stage.kind;
    const auto at = static_cast<int>(first.in1 - expected.begin());
    fault.x = at % stage.width;
    fault.y = at / stage.width;
    fault.expected = *first.in1;
    fault.found = *first.in2;
    std::vector<bool> differs(expected.size());
    for (std::size_t i = 0; i < expected.size(); i++) {
        differs[i] = expected[i] != found[i];
        fault.different += differs[i];
    }
    fault.patterns = find_patterns(stage, differs);
    fault.expected_hash = stage_hash(expected);
    fault.found_hash = stage_hash(found);
    fault.heat = heat_map(stage, expected, found);
    return fault;
}

} // namespace isovmaf::diff
