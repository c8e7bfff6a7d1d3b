// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/self_test.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "device/self_test_known.hpp"
#include "device/testing/plugin_folder.hpp"

namespace isovmaf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The devices of the plugin "broken", in the order of its meson.build.
const std::pair<std::uint32_t, const char *> defects[] = {
    {0, "f32 product and sum in two roundings"},
    {1, "f64 product and sum in two roundings"},
    {2, "arithmetic shift of a negative i64"},
    {3, "sum of 33 i32 in a block of 64"},
    {4, "64-bit atomic sum over blocks"},
    {5, "fill and 2-D copy, row 0, byte 301: found 0x93"},
    {6, "fill and 2-D copy, row 0, byte 301: found 0x0"},
    {7, "arithmetic shift of a negative i32"},
    {8, "it has no such kernel"},
};

class SelfTest : public ::testing::Test {
  protected:
    Result<SelfTestReport> run(const std::string &plugin, std::uint32_t index) const {
        const auto opened = Plugin::open(folder_.path() / ("libvmaf_" + plugin + ".so"));
        const Result<Device> device = Device::open(*opened, index);
        return self_test(*device);
    }

    testing::PluginFolder folder_;
};

TEST_F(SelfTest, ASoundDevicePasses) {
    folder_.add("sound");
    const Result<SelfTestReport> passed = run("sound", 0);
    ASSERT_TRUE(passed) << passed.error().message;
    EXPECT_EQ(passed->f32_fault, "");
}

TEST_F(SelfTest, EveryDefectIsFoundAndNamed) {
    folder_.add("broken");
    for (const auto &[index, probe] : defects) {
        const Result<SelfTestReport> passed = run("broken", index);
        ASSERT_FALSE(passed) << probe;
        EXPECT_THAT(passed.error().message, AllOf(HasSubstr("of broken (Fake GPU) is not used"), HasSubstr(probe)));
    }
}

TEST_F(SelfTest, DefectsOfSharedMemoryAndAtomicsAreFound) {
    folder_.add("careless");
    EXPECT_THAT(run("careless", 0).error().message, HasSubstr("self-test failed: bytes in shared memory: found"));
    EXPECT_THAT(run("careless", 1).error().message,
                HasSubstr("32-bit atomic or over blocks: found 0xff, expected 0xf"));
}

TEST_F(SelfTest, AFailureTellsWhatWasFoundAndExpected) {
    folder_.add("broken");
    const Result<SelfTestReport> passed = run("broken", 0);
    ASSERT_FALSE(passed);
    EXPECT_EQ(passed.error().code, ErrorCode::device_failed);
    EXPECT_THAT(passed.error().message, HasSubstr("with operands 0x3f800800, 0x3f800800, 0xbf801000: found 0x33800000, "
                                                  "expected 0x0"));
}

TEST_F(SelfTest, ADeviceWithoutExactF32PassesAndIsMarked) {
    folder_.add("inexact");
    for (const auto &[index, fault] :
         {std::pair{0u, "f32 sum with operands 0x1, 0x1, 0x0: found 0x0, expected 0x2"},
          {1u, "f32 product and sum in two roundings with operands 0x3f800800"},
          {2u, "f32 square root with operands 0x40000000"},
          {3u, "quick f32 sum with operands 0x1, 0x1, 0x0: found 0x100000002, expected"}}) {
        const Result<SelfTestReport> passed = run("inexact", index);
        ASSERT_TRUE(passed) << passed.error().message;
        EXPECT_THAT(passed->f32_fault, HasSubstr(fault));
    }
}

TEST(KnownAnswers, TheHostGivesThem) {
    for (const std::span<const KnownAnswer> answers : {known_answers(), known_f32_answers()})
        for (const KnownAnswer &answer : answers)
            EXPECT_EQ(self_test_result(answer.probe), answer.expected)
                << fmt::format("{} with operands {:#x}, {:#x}", answer.name, answer.probe.a, answer.probe.b);
}

} // namespace
} // namespace isovmaf
