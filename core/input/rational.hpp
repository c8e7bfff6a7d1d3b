// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>

namespace isovmaf {

/// A ratio of two integers: 30000/1001 frames per second, or 16:15 for the shape of a sample.
struct Rational {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1; ///< above 0

    [[nodiscard]] double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }

    /// Whether both are the same number: 2/4 is 1/2.
    friend bool operator==(const Rational &a, const Rational &b) {
        return a.numerator * b.denominator == b.numerator * a.denominator;
    }
};

/// "16:15"
[[nodiscard]] std::string aspect_text(const Rational &ratio);

/// "30000/1001", or "25" when the denominator is 1.
[[nodiscard]] std::string rational_text(const Rational &ratio);

} // namespace isovmaf
