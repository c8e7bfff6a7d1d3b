// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isovmaf/words.hpp"

/// Words: what crosses the border between an extractor and a finisher.
namespace isovmaf {

/// The words of one frame, shared by all option sets of a feature. FeaturePlan::words says what each one is.
using Words = std::span<std::int64_t>;
using ConstWords = std::span<const std::int64_t>;

/// "i64", "f32", "f64"
[[nodiscard]] std::string_view word_kind_name(WordKind kind);
[[nodiscard]] std::optional<WordKind> find_word_kind(std::string_view name);

/// "any", "raster", "block raster"
[[nodiscard]] std::string_view sum_order_name(SumOrder order);
[[nodiscard]] std::optional<SumOrder> find_sum_order(std::string_view name);

/// Floats as words and back.
[[nodiscard]] constexpr std::int64_t word_of(float value) { return std::bit_cast<std::uint32_t>(value); }
[[nodiscard]] constexpr std::int64_t word_of(double value) { return std::bit_cast<std::int64_t>(value); }
[[nodiscard]] constexpr float f32_of(std::int64_t word) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(word));
}
[[nodiscard]] constexpr double f64_of(std::int64_t word) { return std::bit_cast<double>(word); }

/// Adds the words of a share, such as a band, to those of a frame, as u64, which wraps.
void add_words(ConstWords share, Words sum);

/// Distance of two words of a kind: of integers their difference, of floats ulp_distance. 0 when all bits are equal,
/// and only then.
[[nodiscard]] std::uint64_t word_distance(std::int64_t a, std::int64_t b, WordKind kind);

/// The value for people: "-12", or the shortest decimal that reads back as the same float; "nan" does not.
[[nodiscard]] std::string word_text(std::int64_t word, WordKind kind);

} // namespace isovmaf
