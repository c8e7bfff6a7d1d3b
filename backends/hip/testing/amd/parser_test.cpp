// SPDX-License-Identifier: BSD-2-Clause-Patent
// What newer disassemblers write: halves of registers by name, constants behind the instruction, tables of bits, and
// pairs whose numbers change places or signs.
#include "hip/testing/amd/parser.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace isovmaf::parser_test {
namespace {

using namespace amd;

TEST(Parser, HalvesOfRegisters) {
    const Instruction product = parse_instruction("v_mad_u32_u16 v4, v1.h, s6, v5");
    EXPECT_EQ(product.sources[0].index, 1);
    EXPECT_EQ(product.sources[0].selection, Selection::word_1);
    EXPECT_EQ(product.sources[1].selection, Selection::dword);
    EXPECT_FALSE(product.sdwa); // writes a whole register

    // Some instructions say by op_sel again what the names say.
    for (const char *const text : {"v_mov_b16_e32 v7.h, v9.l", "v_mul_lo_u16 v7.h, v9.l, 56 op_sel:[0,0,1]"}) {
        const Instruction moved = parse_instruction(text);
        EXPECT_TRUE(moved.sdwa) << text;
        EXPECT_EQ(moved.destination.index, 7) << text;
        EXPECT_EQ(moved.destination_selection, Selection::word_1) << text;
        EXPECT_EQ(moved.unused, Unused::preserve) << text;
        EXPECT_EQ(moved.sources[0].selection, Selection::word_0) << text;
    }
    EXPECT_THROW(parse_instruction("v_mul_lo_u16 v7, v9, 56 op_sel:[0,0,1]"), std::runtime_error);
    EXPECT_EQ(parse_instruction("v_mad_u32_u16 v4, v1, s6, v5 op_sel:[1,0,0,0]").sources[0].selection,
              Selection::word_1);
}

TEST(Parser, ConstantsBehindTheInstruction) {
    EXPECT_EQ(parse_instruction("s_addc_u32 s7, s7, lit(0xffffffff)").sources[1].bits, 0xffffffffu);
}

/// Roots and their like of one number, in the place of all lanes'.
TEST(Parser, VectorInstructionsOfScalars) {
    const Instruction root = parse_instruction("v_s_sqrt_f32 s16, s15");
    EXPECT_EQ(root.execute, parse_instruction("s_mul_f32 s16, s15, s15").execute);
    EXPECT_EQ(root.destination.type, Operand::Type::scalar);
    EXPECT_NE(root.execute, parse_instruction("v_sqrt_f32 v16, s15").execute);
    EXPECT_THROW(parse_instruction("v_s_sqrt_f32 s16, -s15"), std::runtime_error);
}

TEST(Parser, TablesOfBits) {
    const Instruction looked_up = parse_instruction("v_bitop3_b32 v18, v16, s3, v17 bitop3:0x36");
    EXPECT_EQ(looked_up.source_count, 4);
    EXPECT_EQ(looked_up.sources[3].bits, 0x36u);
}

TEST(Parser, PairsChangePlacesAndSigns) {
    const Instruction sum = parse_instruction("v_pk_fma_f32 v[2:3], v[4:5], v[6:7], s[8:9] op_sel:[0,1,0] "
                                              "op_sel_hi:[1,1,0] neg_lo:[1,0,0] neg_hi:[0,0,1]");
    using Order = std::array<std::uint8_t, 2>;
    using Signs = std::array<bool, 2>;
    EXPECT_EQ(sum.sources[0].order, (Order{0, 1}));
    EXPECT_EQ(sum.sources[1].order, (Order{1, 1}));
    EXPECT_EQ(sum.sources[2].order, (Order{0, 0}));
    EXPECT_EQ(sum.sources[0].negative, (Signs{true, false}));
    EXPECT_EQ(sum.sources[1].negative, (Signs{false, false}));
    EXPECT_EQ(sum.sources[2].negative, (Signs{false, true}));
    EXPECT_THROW(parse_instruction("v_pk_add_u16 v2, v4, v6 op_sel_hi:[1,0]"), std::runtime_error);
}

TEST(Parser, ChoicesHaveSigns) {
    EXPECT_TRUE(parse_instruction("v_cndmask_b32_e64 v36, -v74, v34, vcc_lo").sources[0].negated);
    EXPECT_THROW(parse_instruction("v_add_co_ci_u32_e64 v36, vcc_lo, -v74, v34, vcc_lo"), std::runtime_error);
}

} // namespace
} // namespace isovmaf::parser_test
