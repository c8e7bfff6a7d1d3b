// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

/// Comparison of numbers in stored reports with computed numbers.
///
/// Both are equal when the program that wrote the report would have written the same text for the computed number.
///
/// - Hexadecimal text, inf and -inf are compared as bits. The text nan equals every NaN, null everything that is not
///   finite.
/// - Decimal text that identifies a double (17 significant digits, or the fewest that read back exactly) is read as
/// that
///   double and compared as bits.
/// - Rounded decimal text equals every double that rounds to it. The computed number is formatted with the same number
/// of
///   digits after the point, with an exponent if the text has one, and both texts must be the same number. The sign
///   counts: -0.000000 is not 0.000000.
///
/// A single text does not show whether it was rounded: 0.5 may be exact, or may be 0.4999 rounded. All numbers of a
/// report have one style, which StyleEvidence infers from all of them.
namespace isovmaf {

enum class NumberStyle : std::uint8_t {
    exact,   ///< a text identifies a double
    rounded, ///< as printf's %.Nf or %.Ne prints, with as many digits after the point as the text has
    legacy,  ///< as Precision::legacy prints
};

/// Whether a text is a number, or one of null, nan and inf. Hexadecimal digits need the 0x.
[[nodiscard]] bool is_stored_number(std::string_view text);

struct StoredComparison {
    bool equal = false;
    double stored = 0;         ///< the double nearest to the text; NaN for null
    std::uint64_t ulp = 0;     ///< distance from `stored` to the computed number; 0 only when equal
    std::uint64_t ulp_f32 = 0; ///< the same with both rounded to f32; may be 0 although they differ
};

/// `text` must satisfy is_stored_number.
[[nodiscard]] StoredComparison compare_stored_number(std::string_view text, NumberStyle style, double computed);

/// Infers the style of a report from its numbers. The style is exact unless the numbers prove that they were rounded:
/// all decimals have the same count of digits after the point, 2 or more, all or none have an exponent, and one of them
/// cannot be the shortest text of a double: it ends in a superfluous 0, or it is short and yet no sum of powers of two.
/// Where some of the decimals have 6 digits and all others 16, the style is legacy.
class StyleEvidence {
  public:
    void add(std::string_view text);
    [[nodiscard]] NumberStyle style() const;

  private:
    bool integers_ = false; ///< decimals without a point, which no style but the exact one has
    bool exponents_ = false, plain_ = false;
    bool rounded_ = false;         ///< one cannot be the shortest text of a double
    std::set<std::size_t> digits_; ///< counts of digits after the point
};

} // namespace isovmaf
