// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

/// Numbers as stored reports hold them, beside numbers that were computed.
///
/// Equal means: the program that wrote the report would have written the same text for the computed number.
///
/// - Hexadecimal text, inf and -inf are compared as bits; nan stands for every NaN, null for whatever is not finite.
/// - Decimal text that holds all of a double (17 significant digits, or the fewest that read back exactly) is compared
///   as bits too: the double that it reads as.
/// - Rounded decimal text stands for every double that rounds to it: the computed number is formatted with the same
///   digits after the point, and with an exponent if the text has one, and has to give the same number. The sign
///   counts: -0.000000 is not 0.000000.
///
/// One text does not tell whether it is rounded: 0.5 may be all of a number, or what is left of 0.4999. A report has
/// one style for all its numbers, and that is taken from all of them (StyleEvidence).
namespace isovmaf {

enum class NumberStyle : std::uint8_t {
    exact,   ///< texts hold all of a double
    rounded, ///< as printf's %.Nf or %.Ne prints, with as many digits after the point as the text has
    legacy,  ///< as Precision::legacy prints
};

/// Whether a text is a number, or one of null, nan and inf. Hexadecimal digits need the 0x.
[[nodiscard]] bool is_stored_number(std::string_view text);

struct StoredComparison {
    bool equal = false;
    double stored = 0;         ///< the double nearest to the text; NaN for null
    std::uint64_t ulp = 0;     ///< from it to the computed number; 0 when equal, else not
    std::uint64_t ulp_f32 = 0; ///< the same with both rounded to f32, where it may be 0
};

/// `text` is a stored number.
[[nodiscard]] StoredComparison compare_stored_number(std::string_view text, NumberStyle style, double computed);

/// Finds the style of a report from its numbers. They are taken for exact unless they prove that they were rounded: all
/// decimals have the same count of digits after the point, 2 or more, all or none have an exponent, and one of them
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
