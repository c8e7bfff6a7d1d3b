// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "hip/testing/amd/cases.hpp"
#include "hip/testing/amd/operation_table.hpp"
#include "hip/testing/amd/wave_rows.hpp"

namespace isovmaf::amd {
namespace {

std::string text_of(const Case &expected) {
    std::ostringstream text;
    text << expected.name << std::hex;
    for (const std::uint64_t source : expected.sources)
        text << ' ' << source;
    return text.str();
}

std::vector<Value> defined(const std::vector<std::uint64_t> &sources) {
    std::vector<Value> values;
    for (const std::uint64_t source : sources)
        values.push_back({source, 0});
    return values;
}

TEST(AmdOperations, LanesGiveTheResultsOfTheCases) {
    for (const Case &expected : read_cases()) {
        const Operation *const operation = find_operation(expected.name);
        ASSERT_TRUE(operation) << expected.name;
        const Outcome outcome = operation->function({}, defined(expected.sources));
        EXPECT_EQ(outcome.result, (Value{expected.result.value_or(0), 0})) << text_of(expected);
        EXPECT_EQ(outcome.flag, (Value{expected.flag.value_or(0), 0})) << text_of(expected);
        EXPECT_EQ(operation->writes_flag, expected.flag.has_value()) << expected.name;
        EXPECT_EQ(operation->result != Kind::none, expected.result.has_value()) << expected.name;
    }
}

TEST(AmdOperations, AllHaveCases) {
    std::set<const void *> covered;
    for (const Case &expected : read_cases())
        covered.insert(reinterpret_cast<const void *>(find_operation(expected.name)->function));
    for (const auto &[name, operation] : operation_table().operations())
        EXPECT_TRUE(covered.contains(reinterpret_cast<const void *>(operation.function))) << name;
}

TEST(AmdOperations, WavesGiveTheResultsOfLanes) {
    std::mt19937_64 random(1);
    for (const unsigned lanes : {32u, 64u}) {
        for (const auto &[name, operation] : operation_table().operations()) {
            EXPECT_TRUE(operation.wave || name.starts_with("s_")) << name;
            if (!operation.wave)
                continue;
            WaveRows rows(lanes);
            std::vector<std::vector<std::uint64_t>> sources(lanes);
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const unsigned count = operation.source_count + unsigned{operation.takes_destination} +
                                       unsigned{operation.takes_condition};
                for (unsigned i = 0; i < count; ++i)
                    sources[lane].push_back(random() >> (random() % 64) << (random() % 16));
                rows.set(operation, lane, sources[lane]);
                rows.set_result(lane, 0xabcdef01'23456789);
                if (lane % 3)
                    rows.activate(lane);
            }
            rows.run(operation, {});
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const Outcome outcome = operation.function({}, defined(sources[lane]));
                const std::uint64_t kept = width_bits(operation.result) == 64 ? 0 : 0xabcdef01'00000000;
                if (operation.result == Kind::none || lane % 3 == 0) {
                    EXPECT_EQ(rows.result(lane), 0xabcdef01'23456789) << name << ", lane " << lane;
                } else {
                    EXPECT_EQ(rows.result(lane), outcome.result.bits | kept) << name << ", lane " << lane;
                }
                if (operation.writes_flag && lane % 3) {
                    EXPECT_EQ(rows.flag(lane), outcome.flag.bits) << name << ", lane " << lane;
                }
            }
        }
    }
}

TEST(AmdOperations, NamesHaveSuffixesOfEncodings) {
    EXPECT_EQ(find_operation("v_add_u32_e32"), find_operation("v_add_u32"));
    EXPECT_EQ(find_operation("v_add_u32_sdwa"), find_operation("v_add_u32"));
    EXPECT_EQ(find_operation("v_add_u32_e64_dpp"), find_operation("v_add_u32"));
    EXPECT_EQ(find_operation("v_dual_mul_f32"), find_operation("v_mul_f32"));
    EXPECT_EQ(find_operation("v_add_u31"), nullptr);
    EXPECT_EQ(find_operation("v_cmpx_lt_u32_e64")->name, "v_cmpx_lt_u32");
    EXPECT_TRUE(find_operation("v_cmpx_lt_u32")->writes_exec);
    EXPECT_FALSE(find_operation("v_cmp_lt_u32")->writes_exec);
}

TEST(AmdOperations, SayHowTheyAreCalled) {
    const Operation *const fmac = find_operation("v_fmac_f32");
    EXPECT_TRUE(fmac->takes_destination);
    EXPECT_EQ(fmac->source_count, 2);
    const Operation *const addc = find_operation("v_addc_co_u32");
    EXPECT_TRUE(addc->takes_condition);
    EXPECT_TRUE(addc->writes_flag);
    EXPECT_EQ(addc->source_count, 2);
    const Operation *const shift = find_operation("v_lshlrev_b64");
    EXPECT_EQ(shift->sources, (std::array{Kind::u32, Kind::u64, Kind::none, Kind::none}));
    EXPECT_EQ(shift->result, Kind::u64);
    EXPECT_EQ(find_operation("v_add_u16")->high_half, HighHalf::zeroed_until_gfx9);
    EXPECT_EQ(find_operation("v_mad_u16")->high_half, HighHalf::kept);
    EXPECT_EQ(find_operation("v_mad_legacy_u16")->high_half, HighHalf::zeroed_until_gfx9);
    EXPECT_EQ(find_operation("s_addk_i32")->sources[0], Kind::i16);
}

TEST(AmdOperations, TwoOfOneNameAreAnError) {
    OperationTable table;
    table.add("v_a v_b", {});
    EXPECT_NE(table.find("v_b"), nullptr);
    EXPECT_THROW(table.add("v_c v_b", {}), std::logic_error);
}

} // namespace
} // namespace isovmaf::amd
