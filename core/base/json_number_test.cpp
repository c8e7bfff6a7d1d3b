// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/json_number.hpp"

#include <gtest/gtest.h>

namespace isovmaf::json_number_test {
namespace {

TEST(JsonNumber, HasItsPointInEveryLocale) {
    EXPECT_EQ(json_number("-12.5e-3"), "-12.5e-3");
    EXPECT_EQ(json_number("-12,5E+3"), "-12.5E+3");
    EXPECT_EQ(json_number("0\xd9"
                          "25"),
              "0.25"); // the first byte of U+066B, the decimal point of Pashto
    EXPECT_EQ(json_number("18446744073709551616"), "18446744073709551616");
}

} // namespace
} // namespace isovmaf::json_number_test
