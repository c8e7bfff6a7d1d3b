// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <gtest/gtest.h>

#include "hip/testing/amd/float_format.hpp"

/// What modes and generations change.
namespace isovmaf::amd {
namespace {

U64 call(const char *name, const Modes &modes, std::initializer_list<U64> sources) {
    std::vector<Value> values;
    for (const U64 source : sources)
        values.push_back({source, 0});
    const Operation *const operation = find_operation(name);
    const Outcome outcome = operation->function(modes, values);
    return operation->result == Kind::none ? outcome.flag.bits : outcome.result.bits;
}

constexpr U64 one = 0x3f800000, subnormal = 0x00400000, least_normal = 0x00800000, half = 0x3f000000;
constexpr U64 signalling = 0x7f800001, quiet_of_it = 0x7fc00001, another_nan = 0x7fc00123;

TEST(AmdModes, SubnormalSourcesAreKeptOrFlushed) {
    Modes modes;
    EXPECT_EQ(call("v_add_f32", modes, {subnormal, 0}), subnormal);
    EXPECT_EQ(call("v_cmp_lt_f32", modes, {0, subnormal}), 1u);
    EXPECT_EQ(call("v_mul_f32", modes, {subnormal, 0x7f000000}), one);
    modes.denormals_f32 = 2;
    EXPECT_EQ(call("v_mul_f32", modes, {subnormal, 0x7f000000}), 0u);
    EXPECT_EQ(call("v_mul_f32", modes, {subnormal | 0x80000000, 0x7f000000}), 0x80000000u);
    EXPECT_EQ(call("v_cmp_lt_f32", modes, {0, subnormal}), 0u);
    EXPECT_EQ(call("v_mul_f32", modes, {least_normal, half}), subnormal);
    // The format f64 has its own mode.
    EXPECT_EQ(call("v_add_f64", modes, {1, 0}), 1u);
    modes.denormals_f64 = 2;
    EXPECT_EQ(call("v_add_f64", modes, {1, 0}), 0u);
}

TEST(AmdModes, SubnormalResultsAreKeptOrFlushed) {
    Modes modes;
    EXPECT_EQ(call("v_mul_f32", modes, {least_normal, half}), subnormal);
    modes.denormals_f32 = 1;
    EXPECT_EQ(call("v_mul_f32", modes, {least_normal, half}), 0u);
    EXPECT_EQ(call("v_fma_f32", modes, {least_normal, half | 0x80000000, 0}), 0x80000000u);
    EXPECT_EQ(call("v_mul_f32", modes, {subnormal, 0x7f000000}), one);
}

TEST(AmdModes, UnfusedProductsAndApproximationsHaveNoSubnormalNumbers) {
    EXPECT_EQ(call("v_mad_f32", {}, {least_normal, half, 0}), 0u);
    EXPECT_EQ(call("v_fma_f32", {}, {least_normal, half, 0}), subnormal);
    // 1 - 2^-24 squared, less what is left of it in f32.
    EXPECT_EQ(call("v_mad_f32", {}, {0x3f7fffff, 0x3f7fffff, 0xbf7ffffe}), 0u);
    EXPECT_EQ(call("v_fma_f32", {}, {0x3f7fffff, 0x3f7fffff, 0xbf7ffffe}), 0x27800000u);
    EXPECT_EQ(call("v_rcp_f32", {}, {subnormal}), 0x7f800000u);
    EXPECT_EQ(call("v_rcp_f32", {}, {0x7f000000}), 0u);
    EXPECT_EQ(call("v_rcp_f64", {}, {0x7fe0000000000000}), 0x0008000000000000u);
}

TEST(AmdModes, ResultsAreRoundedInTheModeOfTheirFormat) {
    Modes modes;
    const U64 tiny = 0x30000000;
    EXPECT_EQ(call("v_add_f32", modes, {one, tiny}), one);
    modes.round_f32 = Rounding::up;
    EXPECT_EQ(call("v_add_f32", modes, {one, tiny}), one + 1);
    EXPECT_EQ(call("v_mul_f32", modes, {0x7f000000, 0xff000000}), 0xff7fffffu);
    EXPECT_EQ(call("v_sub_f32", modes, {one, one}), 0u);
    EXPECT_EQ(call("v_cvt_f32_u32", modes, {0x1000001}), 0x4b800001u);
    EXPECT_EQ(call("v_add_f64", modes, {0x3ff0000000000000, 1}), 0x3ff0000000000000u);
    EXPECT_EQ(call("v_add_f16", modes, {0x3c00, 1}), 0x3c00u);
    modes.round_f32 = Rounding::down;
    EXPECT_EQ(call("v_sub_f32", modes, {one, tiny}), one - 1);
    EXPECT_EQ(call("v_sub_f32", modes, {one, one}), 0x80000000u);
    modes.round_f64 = Rounding::up;
    EXPECT_EQ(call("v_add_f64", modes, {0x3ff0000000000000, 1}), 0x3ff0000000000001u);
    EXPECT_EQ(call("v_add_f16", modes, {0x3c00, 1}), 0x3c01u);
    // Whatever the mode is: towards 0.
    EXPECT_EQ(call("v_cvt_pkrtz_f16_f32", modes, {0x3f801fff, 0xbf801fff}), 0xbc003c00u);
    EXPECT_EQ(call("v_cvt_u32_f32", modes, {0x3fffffff}), 1u);
}

TEST(AmdModes, GenerationsTreatNansOfMaximaDifferently) {
    Modes modes;
    for (const Generation generation : {Generation::gfx90a, Generation::gfx942, Generation::gfx1030}) {
        modes.generation = generation;
        EXPECT_EQ(call("v_max_f32", modes, {signalling, one}), quiet_of_it);
        EXPECT_EQ(call("v_max_f32", modes, {another_nan, one}), one);
        EXPECT_EQ(call("v_max_f32", modes, {another_nan, quiet_of_it}), quiet_of_it);
    }
    modes.generation = Generation::gfx1100;
    EXPECT_EQ(call("v_max_f32", modes, {one, signalling}), quiet_of_it);
    EXPECT_EQ(call("v_max_f32", modes, {another_nan, quiet_of_it}), another_nan);
    modes.ieee = false;
    EXPECT_EQ(call("v_max_f32", modes, {one, signalling}), one);
    modes.generation = Generation::gfx1201;
    EXPECT_EQ(call("v_max_num_f32", modes, {one, signalling}), one);
    EXPECT_EQ(call("v_max_num_f32", modes, {signalling, another_nan}), quiet_of_it);
    EXPECT_EQ(call("v_maximum_f32", modes, {one, another_nan}), another_nan);
}

TEST(AmdModes, ApproximationsStayWithinTheirBounds) {
    Modes low, high;
    low.approximation = Approximation::lowest, high.approximation = Approximation::highest;
    const auto bounds = [&](const char *name, U64 source) {
        return std::pair(call(name, low, {source}), call(name, high, {source}));
    };
    // Of numbers of f32 that are exact, both neighbours are allowed, else those on either side.
    EXPECT_EQ(bounds("v_rcp_f32", one), std::pair(one - 1, one + 1));
    EXPECT_EQ(bounds("v_rcp_f32", one | 0x80000000), std::pair(0xbf800001ul, 0xbf7ffffful));
    EXPECT_EQ(bounds("v_rcp_f32", 0x40400000), std::pair(0x3eaaaaaaul, 0x3eaaaaabul));
    EXPECT_EQ(bounds("v_sqrt_f32", 0x40000000), std::pair(0x3fb504f3ul, 0x3fb504f4ul));
    EXPECT_EQ(bounds("v_rcp_f32", 0), std::pair(0x7f800000ul, 0x7f800000ul));
    EXPECT_EQ(bounds("v_rcp_f32", 0x7e800000).first, least_normal);
    constexpr U64 one64 = 0x3ff0000000000000, error = (U64{1} << 29) - 1;
    EXPECT_EQ(bounds("v_rcp_f64", one64), std::pair(one64 - error, one64 + error));
    EXPECT_EQ(bounds("v_sqrt_f64", one64), std::pair(one64 - error, one64 + error));
}

} // namespace
} // namespace isovmaf::amd
