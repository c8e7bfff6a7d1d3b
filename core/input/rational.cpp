// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/rational.hpp"

#include <fmt/format.h>

namespace isovmaf {

std::string aspect_text(const Rational &ratio) { return fmt::format("{}:{}", ratio.numerator, ratio.denominator); }

std::string rational_text(const Rational &ratio) {
    return ratio.denominator == 1 ? fmt::format("{}", ratio.numerator)
                                  : fmt::format("{}/{}", ratio.numerator, ratio.denominator);
}

} // namespace isovmaf
