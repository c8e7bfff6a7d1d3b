// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "simd/level.hpp"

#include <gtest/gtest.h>

namespace isovmaf::level_test {
namespace {

TEST(CpuLevel, UsableLevelsRiseFromScalar) {
    const auto levels = usable_cpu_levels();
    ASSERT_FALSE(levels.empty());
    EXPECT_EQ(levels.front(), CpuLevel::scalar);
    for (std::size_t i = 1; i < levels.size(); i++)
        EXPECT_LT(levels[i - 1], levels[i]);
}

TEST(CpuLevel, NamesAreRead) {
    for (const CpuLevel level : usable_cpu_levels())
        EXPECT_EQ(*parse_cpu_level(cpu_level_name(level)), level);
    EXPECT_EQ(*parse_cpu_level("auto"), newest_cpu_level());
}

TEST(CpuLevel, OtherNamesAreRefusedWithThoseThatWork) {
    const auto unknown = parse_cpu_level("mmx");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(unknown.error().message.find("auto or one of scalar"), std::string::npos) << unknown.error().message;
#if defined(__x86_64__)
    const auto foreign = parse_cpu_level("neon");
    ASSERT_FALSE(foreign);
    EXPECT_EQ(foreign.error().code, ErrorCode::unsupported);
#endif
}

TEST(CpuLevel, ATableGivesTheNewestFunctionsUpToTheCap) {
    const int old_functions = 0, new_functions = 0;
    const LevelEntry<int> table[] = {
        {CpuLevel::scalar, nullptr}, {CpuLevel::sse4, &old_functions}, {CpuLevel::avx512, &new_functions}};
    EXPECT_EQ(newest_entry<int>(table, CpuLevel::scalar), nullptr);
    EXPECT_EQ(newest_entry<int>(table, CpuLevel::sse4)->functions, &old_functions);
    EXPECT_EQ(newest_entry<int>(table, CpuLevel::avx2)->functions, &old_functions);
    EXPECT_EQ(newest_entry<int>(table, CpuLevel::avx512)->functions, &new_functions);
}

} // namespace
} // namespace isovmaf::level_test
