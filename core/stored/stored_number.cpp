// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "stored/stored_number.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "base/ulp.hpp"
#include "report/number_text.hpp"

namespace isovmaf {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// By chance, the shortest text of one double in ten thousand has at most this many digits.
constexpr std::size_t most_digits_of_evidence = 12;

/// Fewer prove nothing: the shortest text of a whole number has one digit after the point, too.
constexpr std::size_t least_rounded_digits = 2;

constexpr std::size_t legacy_short_digits = 6, legacy_long_digits = 16;

/// The parts of a number's text. All members point into the text.
struct NumberText {
    bool negative = false;
    bool hexadecimal = false;
    std::string_view magnitude; ///< without sign and 0x
    std::string_view whole, fraction;
    bool point = false, exponent = false;
};

NumberText cut(std::string_view text) {
    NumberText number;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        number.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    number.hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (number.hexadecimal)
        text.remove_prefix(2);
    number.magnitude = text;
    const std::size_t exponent = text.find_first_of(number.hexadecimal ? "pP" : "eE");
    number.exponent = exponent != std::string_view::npos;
    const std::string_view mantissa = text.substr(0, exponent);
    const std::size_t point = mantissa.find('.');
    number.point = point != std::string_view::npos;
    number.whole = mantissa.substr(0, point);
    number.fraction = number.point ? mantissa.substr(point + 1) : std::string_view();
    return number;
}

/// The double nearest to the number; nothing when the text is no finite number or the number is too large.
std::optional<double> parse(std::string_view text) {
    const NumberText number = cut(text);
    if (number.magnitude.empty() || number.magnitude.front() == '-' || number.magnitude.front() == '+')
        return std::nullopt;
    double magnitude = 0;
    const char *const end = number.magnitude.data() + number.magnitude.size();
    const auto [stop, error] =
        std::from_chars(number.magnitude.data(), end, magnitude,
                        number.hexadecimal ? std::chars_format::hex : std::chars_format::general);
    if (error != std::errc{} || stop != end || !std::isfinite(magnitude))
        return std::nullopt;
    return number.negative ? -magnitude : magnitude;
}

/// null, nan and inf as printf and isovmaf spell them.
std::optional<double> parse_special(std::string_view text) {
    if (text == "null" || text == "nan" || text == "-nan")
        return nan;
    if (text == "inf")
        return std::numeric_limits<double>::infinity();
    if (text == "-inf")
        return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// `value`, rounded to as many digits as `like` has.
double rounded(double value, const NumberText &like) {
    std::array<char, 1500> text; // 309 digits, point, and more digits than any double has
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                            like.exponent ? std::chars_format::scientific : std::chars_format::fixed,
                                            static_cast<int>(like.fraction.size()));
    if (error != std::errc{}) // the text would be longer than that: nothing is rounded
        return value;
    return parse({text.data(), end}).value_or(nan);
}

double legacy(double value) {
    std::string text;
    append_number(text, value, Precision::legacy);
    return parse(text).value_or(nan);
}

bool equal(std::string_view text, double stored, NumberStyle style, double computed) {
    if (text == "null")
        return !std::isfinite(computed);
    if (std::isnan(stored) || std::isnan(computed))
        return std::isnan(stored) && std::isnan(computed);
    if (!std::isfinite(stored) || !std::isfinite(computed))
        return same_bits(stored, computed);
    const NumberText number = cut(text);
    if (style == NumberStyle::exact || number.hexadecimal)
        return same_bits(stored, computed);
    return same_bits(stored, style == NumberStyle::legacy ? legacy(computed) : rounded(computed, number));
}

/// Whether a short text is not exactly a double, which proves that it was rounded: the shortest text of nearly every
/// double that is no short decimal has more digits. A decimal m / 10^d is exactly a double only when 5^d divides m.
bool is_short_but_no_double(const NumberText &number) {
    if (number.exponent || number.whole.size() + number.fraction.size() > most_digits_of_evidence)
        return false;
    std::int64_t digits = 0, fives = 1;
    for (const std::string_view part : {number.whole, number.fraction})
        for (const char c : part)
            digits = 10 * digits + (c - '0');
    for (std::size_t i = 0; i < number.fraction.size(); i++)
        fives *= 5;
    return digits % fives != 0;
}

bool has_superfluous_zero(const NumberText &number) {
    return number.fraction.size() > 1 && number.fraction.back() == '0';
}

} // namespace

bool is_stored_number(std::string_view text) { return parse_special(text) || parse(text); }

StoredComparison compare_stored_number(std::string_view text, NumberStyle style, double computed) {
    StoredComparison comparison;
    comparison.stored = parse_special(text).value_or(parse(text).value_or(nan));
    comparison.equal = equal(text, comparison.stored, style, computed);
    if (comparison.equal)
        return comparison;
    comparison.ulp = ulp_distance(comparison.stored, computed);
    comparison.ulp_f32 = ulp_distance(static_cast<float>(comparison.stored), static_cast<float>(computed));
    return comparison;
}

void StyleEvidence::add(std::string_view text) {
    const NumberText number = cut(text);
    if (parse_special(text) || number.hexadecimal)
        return;
    (number.exponent ? exponents_ : plain_) = true;
    integers_ = integers_ || !number.point;
    rounded_ = rounded_ || has_superfluous_zero(number) || is_short_but_no_double(number);
    digits_.insert(number.fraction.size());
}

NumberStyle StyleEvidence::style() const {
    if (!rounded_ || integers_ || exponents_ == plain_ || *digits_.begin() < least_rounded_digits)
        return NumberStyle::exact;
    if (digits_.size() == 1)
        return NumberStyle::rounded;
    const bool legacy =
        digits_.size() == 2 && digits_.contains(legacy_short_digits) && digits_.contains(legacy_long_digits) && plain_;
    return legacy ? NumberStyle::legacy : NumberStyle::exact;
}

} // namespace isovmaf
