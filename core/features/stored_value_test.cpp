// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/stored_value.hpp"

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(StoredValue, OfNumbersIsRoundedToAFloatAndSixDigits) {
    const std::pair<const char *, const char *> values[] = {
        {"1.0", "1"},         {"1.23456789", "1.23457"},
        {"0x10", "16"},       {" 2.50\t\n", "2.5"},
        {"+3", "3"},          {"-0.5", "-0.5"},
        {"1e3", "1000"},      {"16777217", "1.67772e+07"},
        {"-0x1.8p1", "-3"},   {".5", "0.5"},
        {"100000", "100000"}, {"0.00001", "1e-05"},
        {"0X1f", "31"},       {"5.", "5"},
    };
    for (const auto &[text, stored] : values)
        EXPECT_EQ(stored_value(text), stored) << text;
}

TEST(StoredValue, OfOtherTextIsTheText) {
    for (const char *text :
         {"", " ", "true", "12abc", "1 2", " text ", "0x", "0x-1", "nan", "inf", "1e999", "--1", "-"})
        EXPECT_EQ(stored_value(text), text);
}

} // namespace
} // namespace isovmaf
