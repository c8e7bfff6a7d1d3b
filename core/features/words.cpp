// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/words.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace isovmaf {

namespace {

// In the order of the enumerations.
constexpr std::string_view kind_names[] = {"i64", "f32", "f64"};
constexpr std::string_view order_names[] = {"any", "raster", "block raster"};

template <class Enum, std::size_t count>
std::optional<Enum> find(const std::string_view (&names)[count], std::string_view name) {
    const auto *const found = std::ranges::find(names, name);
    return found == std::end(names) ? std::nullopt : std::optional(static_cast<Enum>(found - names));
}

} // namespace

std::string_view word_kind_name(WordKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }
std::optional<WordKind> find_word_kind(std::string_view name) { return find<WordKind>(kind_names, name); }

std::string_view sum_order_name(SumOrder order) { return order_names[static_cast<std::size_t>(order)]; }
std::optional<SumOrder> find_sum_order(std::string_view name) { return find<SumOrder>(order_names, name); }

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
