// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/histogram.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Histogram, KeepsWhatIsNotFinite) {
    UlpHistogram histogram{};
    histogram[0] = 10;
    EXPECT_THAT(histogram_svg(histogram), Not(HasSubstr("NaN")));
    histogram.back() = 2;
    EXPECT_THAT(histogram_svg(histogram), HasSubstr("<title>NaN or infinite: 2</title>"));
    histogram[64] = 1;
    EXPECT_THAT(histogram_svg(histogram), HasSubstr("<title>2⁶³ ULP or more: 1</title>"));
}

} // namespace
} // namespace isovmaf
