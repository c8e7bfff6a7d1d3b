// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/adm/adm_csf.hpp"

#include <gtest/gtest.h>

namespace isovmaf::adm_csf_test {
namespace {

using Factors = std::array<float, ADM_SCALE_COUNT>;
using Fixed = std::array<std::uint32_t, ADM_SCALE_COUNT>;

TEST(AdmCsf, WatsonFactorsAreThoseOfTheReference) {
    const AdmCsf csf = *adm_csf({});
    EXPECT_EQ(csf.factor.hv, (Factors{0x1.1cc774p-6F, 0x1.06050cp-5F, 0x1.634f1p-5F, 0x1.762816p-5F}));
    EXPECT_EQ(csf.factor.diagonal, (Factors{0x1.820d54p-8F, 0x1.d48d46p-7F, 0x1.8fb80cp-6F, 0x1.008392p-5F}));
    EXPECT_EQ(csf.fixed.hv, (Fixed{36453, 137373792, 186284160, 196165808}));
    EXPECT_EQ(csf.fixed.diagonal, (Fixed{49417, 61414028, 104783920, 134487184}));
}

TEST(AdmCsf, FixedPointFactorsOfTheReference) {
    struct Case {
        AdmViewing viewing;
        Fixed hv, diagonal;
    };
    const Case cases[] = {
        {{5, 1080, 0}, {14342, 62382256, 97628224, 118649120}, {17077, 24495736, 48234700, 71447608}},
        {{3, 2160, 0}, {10021, 45876252, 75564400, 96654312}, {11393, 17199296, 35644684, 55569672}},
        {{3, 1080, 2}, {24809, 107485848, 184468848, 251775280}, {36087, 50586124, 102727024, 154193616}},
        {{1.5, 2160, 2}, {24809, 107485848, 184468848, 251775280}, {36087, 50586124, 102727024, 154193616}},
        {{5, 1080, 2}, {8833, 63604172, 127311424, 203856320}, {8254, 25134148, 62706524, 118429432}},
        {{3, 2160, 2}, {4739, 50809464, 107485848, 184468848}, {4018, 18476950, 50586124, 102727024}},
        {{5, 2160, 2}, {192, 18090402, 63604172, 127311424}, {419, 4226248, 25134148, 62706524}},
        {{5, 720, 2}, {21273, 96898760, 173125840, 243610544}, {29049, 44160852, 93797792, 148781968}},
        {{3, 1080, 3}, {23590, 97092032, 154318176, 196164048}, {34368, 46905336, 92041152, 134488304}},
        {{1.5, 2160, 3}, {23590, 97092032, 154318176, 196164048}, {34368, 46905336, 92041152, 134488304}},
        {{5, 1080, 3}, {8497, 59867548, 112949048, 166786464}, {7776, 23811298, 57616988, 105291120}},
        {{3, 2160, 3}, {4542, 48314088, 97092032, 154318176}, {3749, 17596482, 46905336, 92041152}},
        {{5, 2160, 3}, {161, 17403208, 59867548, 112949048}, {377, 3981434, 23811298, 57616988}},
        {{5, 720, 3}, {20319, 88377544, 146724672, 191224832}, {27699, 41141492, 84443352, 130214816}},
    };
    for (const Case &c : cases) {
        const AdmCsf csf = *adm_csf(c.viewing);
        EXPECT_EQ(csf.fixed.hv, c.hv) << c.viewing.distance << " " << c.viewing.csf_mode;
        EXPECT_EQ(csf.fixed.diagonal, c.diagonal) << c.viewing.distance << " " << c.viewing.csf_mode;
    }
}

/// Only the product counts, and only mode 0 has the reference's special values.
TEST(AdmCsf, SpecialFactorsBelongToTheNearestViewing) {
    EXPECT_EQ(adm_csf({1.5, 2160, 0})->fixed, adm_csf({3, 1080, 0})->fixed);
    EXPECT_EQ(adm_csf({3.001, 1080, 0})->fixed.hv[0], 36430u);
}

TEST(AdmCsf, FactorsFitTheirFixedPointTypes) {
    for (const double distance : {3.0, 5.0, 24.0})
        for (const int height : {1080, 4320}) {
            const AdmCsf csf = *adm_csf({distance, height, 0});
            EXPECT_LT(csf.fixed.hv[0], 65536u);
            EXPECT_LT(csf.fixed.diagonal[0], 65536u);
        }
}

// A thirtieth and a fifteenth, halves up.
TEST(AdmMath, SharesWithHalfAUnitAddedAreRounded) {
    for (const auto &[g, neighbour, centre] : {std::tuple{0, 0, 0},
                                               {7, 0, 0},
                                               {8, 0, 1},
                                               {14, 0, 1},
                                               {15, 1, 1},
                                               {-15, 1, 1},
                                               {44, 1, 3},
                                               {45, 2, 3},
                                               {300, 10, 20}}) {
        EXPECT_EQ(adm_neighbour_share(g, ADM_PLUS_HALF), neighbour) << g;
        EXPECT_EQ(adm_centre_share(g, ADM_PLUS_HALF), centre) << g;
    }
}

// The rounding constants that look wrong and are the reference's.
TEST(AdmMath, OddRoundingsAreKept) {
    EXPECT_EQ(adm_sensitivity_0(32768, 2, ADM_BAND_D), 0); // 65536 / 2^17 is a half, and goes down
    EXPECT_EQ(adm_sensitivity_0(16384, 1, ADM_BAND_H), 1); // elsewhere halves go up
    EXPECT_EQ(adm_neighbour_share(0, ADM_MINUS_HALF), -1); // -2^31 instead of 2^31
    EXPECT_EQ(adm_centre_share(0, ADM_MINUS_HALF), -1);
    EXPECT_EQ(adm_centre_share_0(15360), -32768); // 16 bits, whatever the value
    EXPECT_EQ(adm_reference_cube(1, 31, 0), 1u);  // the square's half is a whole
    EXPECT_EQ(adm_visible_0(65535, -32768, 0, ADM_BAND_H), 2147450880);
    EXPECT_EQ(adm_visible_0(1, 1, 1 << 22, ADM_BAND_H), 1); // the threshold's shift leaves 32 bits
}

} // namespace
} // namespace isovmaf::adm_csf_test
