// SPDX-License-Identifier: BSD-2-Clause-Patent
// Tables of CAMBI that are computed.
#include "features/cambi/cambi.hpp"

#include <algorithm>

namespace isovmaf {

namespace {

constexpr std::int64_t nine_digits = 1'000'000'000;

/// 1 / i, rounded to nine decimal digits, then to f32.
constexpr float cambi_reciprocal(std::int64_t i) {
    std::int64_t scale = nine_digits / 10; // a power of ten, exact in f64
    while (scale / i < nine_digits / 10)
        scale *= 10;
    const std::int64_t digits = (2 * scale + i) / (2 * i);
    return static_cast<float>(static_cast<double>(digits) / static_cast<double>(scale));
}

constexpr std::array<float, CAMBI_RECIPROCAL_COUNT> make_cambi_reciprocals() {
    std::array<float, CAMBI_RECIPROCAL_COUNT> table{};
    for (std::size_t i = 1; i < table.size(); i++)
        table[i] = cambi_reciprocal(static_cast<std::int64_t>(i));
    return table;
}

} // namespace

const std::array<float, CAMBI_RECIPROCAL_COUNT> &cambi_reciprocals() {
    static constexpr std::array<float, CAMBI_RECIPROCAL_COUNT> table = make_cambi_reciprocals();
    return table;
}

std::vector<int> cambi_scaled_positions(int count, int scaled_count) {
    const float step = static_cast<float>(count) / static_cast<float>(scaled_count);
    float at = static_cast<float>(double{step / 2} - 0.5);
    std::vector<int> positions;
    for (int i = 0; i < scaled_count; i++, at += step) // rounded each time
        positions.push_back(std::min(static_cast<int>(double{at} + 0.5), count - 1));
    return positions;
}

} // namespace isovmaf
