// SPDX-License-Identifier: BSD-2-Clause-Patent
// The counters on kernels of test_kernels.cu with known counts.
#include "hip/testing/amd/counters.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace isovmaf::counters_test {
namespace {

using namespace amd;

struct Words {
    std::uint32_t added = 0, limit = ~0u;
};

class CountersOfCode : public ::testing::Test {
  protected:
    CountersOfCode() {
        memory_.add(out_.data(), sizeof out_, true);
        memory_.add(in_.data(), sizeof in_, false);
    }

    int launches_ = 1;

    /// The counts of `launches_` launches of `groups` groups of 64 threads. The first argument is `out_`.
    template <class... Arguments>
    KernelCounts counts(const char *name, std::uint32_t groups, Arguments... arguments) {
        const Kernel *const kernel = program_.find(name);
        lanes_ = kernel->lanes;
        void *out = out_.data();
        void *const values[] = {&out, &arguments...};
        const Launch launch{kernel, {groups, 1, 1}, {64, 1, 1}, gather_arguments(*kernel, values)};
        Counters counters(program_);
        Settings settings;
        settings.observer = &counters;
        for (int i = 0; i < launches_; i++) {
            counters.begin(launch);
            execute(program_, launch, memory_, settings);
        }
        return counters.kernels().at(kernel);
    }

    [[nodiscard]] const std::uint32_t *in() const { return in_.data(); }
    [[nodiscard]] std::uint64_t waves_of_a_group() const { return 64 / lanes_; }
    [[nodiscard]] bool has_dual() const { return program_.code().generation() > Generation::gfx1030; }

  private:
    static std::string code_object() {
        std::ifstream file(std::getenv("ISOVMAF_TEST_CODE_OBJECT"), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    const Program program_{code_object()};
    Memory memory_;
    unsigned lanes_ = 64;
    alignas(64) std::array<std::uint64_t, 64> out_{};
    alignas(64) std::array<std::uint32_t, 64 * 32> in_{};
};

TEST_F(CountersOfCode, InstructionsHaveTheirClass) {
    const KernelCounts counted = counts("has_each_class", 3);
    EXPECT_EQ(counted.launches, 1);
    EXPECT_EQ(counted.groups, 3);
    ASSERT_EQ(counted.waves, 3 * waves_of_a_group());
    EXPECT_EQ(counted.of(InstructionClass::multiplication), 2 * counted.waves);
    EXPECT_EQ(counted.of(InstructionClass::transcendental), 3 * counted.waves);
    EXPECT_EQ(counted.of(InstructionClass::transcendental_f64), counted.waves);
    EXPECT_EQ(counted.of(InstructionClass::vector_f64), 2 * counted.waves);
    EXPECT_EQ(counted.of(InstructionClass::vector_64) / counted.waves, 1);
    EXPECT_GE(counted.of(InstructionClass::vector_32), counted.waves) << "v_mul_hi_u32_u24";
    EXPECT_GE(counted.of(InstructionClass::control), 6 * counted.waves) << "5 x s_nop, s_endpgm";
    EXPECT_LE(counted.of(InstructionClass::control), 16 * counted.waves);
    EXPECT_EQ(counted.of(InstructionClass::scalar_memory), counted.waves);
    EXPECT_EQ(counted.of(InstructionClass::global_memory), counted.waves);
    EXPECT_EQ(counted.of(InstructionClass::local_memory), 0);
    EXPECT_GE(counted.of(InstructionClass::dual), has_dual() ? counted.waves : 0);
}

TEST_F(CountersOfCode, BanksConflict) {
    constexpr std::pair<std::uint32_t, std::uint32_t> word_strides[] = {{0, 1}, {1, 1}, {2, 2},
                                                                        {3, 1}, {8, 8}, {32, 32}};
    for (const auto &[stride, cycles] : word_strides) {
        const KernelCounts words = counts("strides_in_local", 1, Words{stride});
        EXPECT_EQ(words.of(InstructionClass::local_memory), 2 * waves_of_a_group());
        EXPECT_EQ(words.local_passes, 4) << "a write and a read of 64 words each";
        EXPECT_EQ(words.local_conflicts, 4 * (cycles - 1)) << stride;
    }
    constexpr std::pair<std::uint32_t, std::uint32_t> pair_strides[] = {{0, 1}, {1, 1}, {2, 2}, {16, 16}};
    for (const auto &[stride, cycles] : pair_strides) {
        const KernelCounts pairs = counts("strides_in_local_pairs", 1, Words{stride});
        EXPECT_EQ(pairs.local_passes, 8) << stride;
        EXPECT_EQ(pairs.local_conflicts, 8 * (cycles - 1)) << stride;
    }
}

TEST_F(CountersOfCode, LinesAreCountedOncePerInstruction) {
    constexpr std::uint64_t written = 4;
    const KernelCounts contiguous = counts("strides_in_global", 1, in(), Words{1});
    EXPECT_EQ(contiguous.global_bytes, 2 * 64 * 4);
    EXPECT_EQ(contiguous.global_lines, 4 + written);
    EXPECT_EQ(counts("strides_in_global", 1, in(), Words{4}).global_lines, 16 + written);
    EXPECT_EQ(counts("strides_in_global", 1, in(), Words{32}).global_lines, 64 + written);
    EXPECT_EQ(counts("strides_in_global", 1, in() + 1, Words{1}).global_lines, 4 + waves_of_a_group() + written);
    EXPECT_EQ(counts("strides_in_global", 1, in(), Words{0}).global_lines, waves_of_a_group() + written);
    EXPECT_EQ(contiguous.launch_lines, 4 + written);
    EXPECT_EQ(counts("strides_in_global", 1, in(), Words{0}).launch_lines, 1 + written);
    EXPECT_EQ(counts("strides_in_global", 3, in(), Words{0}).launch_lines, 1 + written) << "all groups write the same";
    launches_ = 2;
    EXPECT_EQ(counts("strides_in_global", 3, in(), Words{0}).launch_lines, 2 * (1 + written));
    launches_ = 1;
    const KernelCounts few = counts("strides_in_global", 1, in(), Words{32, 5});
    EXPECT_EQ(few.global_bytes, 2 * 5 * 4);
    EXPECT_EQ(few.global_lines, 5 + 1);
}

TEST_F(CountersOfCode, MisalignedAccessesAreCounted) {
    const auto offset = [&](std::uintptr_t bytes) { return reinterpret_cast<std::uintptr_t>(in()) + bytes; };
    EXPECT_EQ(counts("strides_in_global", 1, offset(0), Words{1}).global_misaligned, 0);
    EXPECT_EQ(counts("strides_in_global", 1, offset(4), Words{1}).global_misaligned, 0);
    EXPECT_EQ(counts("strides_in_global", 1, offset(1), Words{1}).global_misaligned, 64);
    EXPECT_EQ(counts("strides_in_global", 1, offset(2), Words{1, 5}).global_misaligned, 5);
    EXPECT_EQ(counts("offsets_in_local_pairs", 1, Words{0}).local_misaligned, 0);
    EXPECT_EQ(counts("offsets_in_local_pairs", 1, Words{8}).local_misaligned, 0);
    EXPECT_EQ(counts("offsets_in_local_pairs", 1, Words{4}).local_misaligned, 2 * 64);
    EXPECT_EQ(counts("strides_in_local", 1, Words{1}).local_misaligned, 0) << "a word is aligned to four bytes";
}

} // namespace
} // namespace isovmaf::counters_test
