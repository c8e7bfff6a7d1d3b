// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <random>

#include <gtest/gtest.h>

#include "hip/testing/amd/operation_table.hpp"

/// Which bits of a result are undefined.
namespace isovmaf::amd {
namespace {

std::uint64_t mask_of(unsigned bits) { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

std::vector<unsigned> widths_of_sources(const Operation &operation) {
    std::vector<unsigned> widths;
    for (unsigned i = 0; i < operation.source_count; ++i)
        widths.push_back(width_bits(operation.sources[i]));
    if (operation.takes_destination)
        widths.push_back(width_bits(operation.result));
    if (operation.takes_condition)
        widths.push_back(1);
    return widths;
}

TEST(AmdTracking, DefinedBitsDoNotDependOnUndefinedOnes) {
    std::mt19937_64 random(2);
    const auto few_bits = [&] { return random() & random() & random(); };
    for (const auto &[name, operation] : operation_table().operations()) {
        for (int trial = 0; trial < 60; ++trial) {
            std::vector<Value> sources;
            for (const unsigned width : widths_of_sources(operation)) {
                const std::uint64_t undefined = random() % 2 ? few_bits() & mask_of(width) : 0;
                sources.push_back({(random() >> random() % 64) & mask_of(width), undefined});
            }
            const Outcome first = operation.function({}, sources);
            for (Value &source : sources)
                source.bits ^= random() & source.undefined;
            const Outcome second = operation.function({}, sources);
            EXPECT_EQ((first.result.bits ^ second.result.bits) & ~first.result.undefined, 0u) << name;
            EXPECT_EQ((first.flag.bits ^ second.flag.bits) & ~first.flag.undefined, 0u) << name;
            EXPECT_EQ(first.result.undefined & ~mask_of(width_bits(operation.result)), 0u) << name;
        }
    }
}

TEST(AmdTracking, EveryOperationTellsOfUndefinedSources) {
    for (const auto &[name, operation] : operation_table().operations()) {
        std::vector<Value> sources;
        for (const unsigned width : widths_of_sources(operation))
            sources.push_back({1, mask_of(width)});
        const Outcome outcome = operation.function({}, sources);
        EXPECT_NE(outcome.result.undefined | outcome.flag.undefined, 0u) << name;
    }
}

/// The undefined bits of a result.
struct Tracked {
    const char *name;
    std::vector<Value> sources;
    std::uint64_t undefined;
};

const Tracked tracked_cases[] = {
    {"v_mov_b32", {{0, 0xf0}}, 0xf0},
    // A defined 0 of "and" and a defined 1 of "or" decide.
    {"v_and_b32", {{0, 0xff}, {0x0f, 0}}, 0x0f},
    {"v_or_b32", {{0, 0xff}, {0x0f, 0}}, 0xf0},
    {"v_xor_b32", {{0, 0xff}, {0x0f, 0}}, 0xff},
    {"v_bfi_b32", {{0xff, 0}, {0, 0x0f0f}, {0, 0xf0f0}}, 0xf00f},
    {"v_bitop3_b32", {{0, 0xff}, {0x3c, 0}, {0x0f, 0}, {0xca, 0}}, 0x33}, // one of two, by undefined bits
    {"v_and_or_b32", {{0, 0xff}, {0x3c, 0}, {0x0c, 0}}, 0x30},
    // Carries go upwards.
    {"v_add_u32", {{0, 0x100}, {1, 0}}, 0xffffff00},
    {"v_sub_u32", {{0, 0}, {1, 0x10}}, 0xfffffff0},
    {"v_add3_u32", {{0, 0x100}, {1, 0}, {0, 0x10}}, 0xfffffff0},
    {"v_mul_lo_u32", {{0, 0x10}, {8, 0}}, 0xffffff80},
    {"v_mul_u32_u24", {{5, 0xff000000}, {6, 0}}, 0},
    {"v_mad_u32_u24", {{0, 0}, {0, 0xffffff}, {7, 0}}, 0},
    // Shifts by a defined count move them, and the sign is copied.
    {"v_lshlrev_b32", {{4, 0xffffffe0}, {0, 0xff}}, 0xff0},
    {"v_lshlrev_b32", {{4, 0x10}, {0, 0}}, 0xffffffff},
    {"v_lshrrev_b32", {{4, 0}, {0, 0xff}}, 0xf},
    {"v_ashrrev_i32", {{4, 0}, {0, 0x80000000}}, 0xf8000000},
    {"v_lshlrev_b64", {{32, 0}, {0, 0xff}}, 0xff'00000000},
    {"v_bfe_u32", {{0, 0xff00}, {12, 0}, {8, 0}}, 0xf},
    {"v_bfe_i32", {{0, 0x80}, {4, 0}, {4, 0}}, 0xfffffff8},
    {"v_perm_b32", {{0, 0xff}, {0, 0}, {0x0c040c0c, 0}}, 0xff0000},
    {"v_perm_b32", {{0, 0xff}, {0, 0}, {0x0c0c0c01, 0}}, 0},
    {"v_alignbit_b32", {{0, 1}, {0, 0}, {4, 0}}, 0x10000000},
    {"v_cvt_f32_ubyte1", {{0, 0xffff00ff}}, 0},
    {"v_cvt_f32_ubyte1", {{0, 0x100}}, 0xffffffff},
    {"v_pk_add_u16", {{0, 0x100}, {0, 0}}, 0xff00},
    {"v_lshrrev_b16", {{1, 0}, {0, 0xffff0003}}, 1},
    // Conditions.
    {"v_cndmask_b32", {{1, 0}, {2, 0}, {0, 1}}, 3},
    {"v_cndmask_b32", {{1, 0xf0}, {2, 0}, {1, 0}}, 0},
    {"v_max_u32", {{0x100, 0x0f}, {0x200, 0}}, 0},
    {"v_max_u32", {{0x200, 0x0f}, {0x200, 0}}, 0x0f},
    {"v_max_i32", {{5, 0}, {0, 0x80000000}}, 0},
    {"v_addc_co_u32", {{0, 0}, {0, 0}, {0, 1}}, 0xffffffff},
    // Floating point: all or nothing.
    {"v_add_f32", {{0, 1}, {0, 0}}, 0xffffffff},
    {"v_fma_f64", {{0, 0}, {0, 0}, {0, 1}}, ~std::uint64_t{0}},
    {"v_cvt_f64_u32", {{7, 0}}, 0},
};

TEST(AmdTracking, OnlyBitsThatCanDifferAreUndefined) {
    for (const Tracked &tracked : tracked_cases)
        EXPECT_EQ(find_operation(tracked.name)->function({}, tracked.sources).result.undefined, tracked.undefined)
            << tracked.name;
}

struct TrackedFlag {
    const char *name;
    std::vector<Value> sources;
    bool undefined;
};

const TrackedFlag tracked_flags[] = {
    {"v_cmp_lt_u32", {{0, 0xff}, {0x100, 0}}, false},
    {"v_cmp_lt_u32", {{0, 0xff}, {0x80, 0}}, true},
    {"v_cmp_lt_i32", {{0, 0x80000000}, {5, 0}}, false},
    {"v_cmp_ge_u64", {{0x100, 0xff}, {0x100, 0}}, false},
    {"v_cmp_eq_u32", {{0x100, 0xff}, {0x200, 0}}, false},
    {"v_cmp_eq_u32", {{0x100, 0xff}, {0x110, 0}}, true},
    {"v_cmp_lt_f32", {{0, 1}, {0, 0}}, true},
    {"v_add_co_u32", {{0, 0x80000000}, {1, 0}}, true},
    {"s_and_b32", {{0, 0xff}, {0x100, 0}}, false},
    {"s_or_b32", {{0, 0xff}, {0x100, 0}}, false},
    {"s_bitcmp1_b32", {{0, 0xff}, {8, 0}}, false},
    {"s_bitcmp1_b32", {{0, 0xff}, {7, 0}}, true},
    {"v_div_scale_f32", {{0x3f800000, 1}, {0x3f800000, 0}, {0x3f800000, 0}}, true},
};

TEST(AmdTracking, OutcomesOfComparesAreUndefinedIfTheyCanDiffer) {
    for (const TrackedFlag &tracked : tracked_flags)
        EXPECT_EQ(find_operation(tracked.name)->function({}, tracked.sources).flag.undefined, tracked.undefined)
            << tracked.name;
}

} // namespace
} // namespace isovmaf::amd
