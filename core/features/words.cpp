// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/words.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/ulp.hpp"

namespace isovmaf {

namespace {

// In the order of the enumerations.
constexpr std::string_view kind_names[] = {"i64", "f32", "f64"};
constexpr std::string_view order_names[] = {"any", "raster", "block raster", "blocks"};

template <class Enum, std::size_t count>
std::optional<Enum> find(const std::string_view (&known)[count], std::string_view name) {
    const auto *const found = std::ranges::find(known, name);
    return found == std::end(known) ? std::nullopt : std::optional(static_cast<Enum>(found - known));
}

} // namespace

std::string_view word_kind_name(WordKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }
std::optional<WordKind> find_word_kind(std::string_view name) { return find<WordKind>(kind_names, name); }

std::string_view sum_order_name(SumOrder order) { return order_names[static_cast<std::size_t>(order)]; }
std::optional<SumOrder> find_sum_order(std::string_view name) { return find<SumOrder>(order_names, name); }

void add_words(ConstWords share, Words sum) {
    for (std::size_t w = 0; w < sum.size(); w++)
        sum[w] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum[w]) + static_cast<std::uint64_t>(share[w]));
}

std::uint64_t word_distance(std::int64_t a, std::int64_t b, WordKind kind) {
    switch (kind) {
    case WordKind::i64:
        break;
    case WordKind::f32: {
        const std::uint64_t distance = ulp_distance(f32_of(a), f32_of(b));
        return distance == 0 && a != b ? 1 : distance; // the high halves differ, which should be 0
    }
    case WordKind::f64:
        return ulp_distance(f64_of(a), f64_of(b));
    }
    return static_cast<std::uint64_t>(std::max(a, b)) - static_cast<std::uint64_t>(std::min(a, b));
}

std::string word_text(std::int64_t word, WordKind kind) {
    switch (kind) {
    case WordKind::i64:
        return std::to_string(word);
    case WordKind::f32:
        return fmt::format("{}", f32_of(word));
    case WordKind::f64:
        return fmt::format("{}", f64_of(word));
    }
    return {};
}

} // namespace isovmaf
