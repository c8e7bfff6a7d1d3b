// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/execution_wish.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"
#include "base/testing/variable.hpp"
#include "simd/level.hpp"

namespace isovmaf::capi::execution_wish_test {
namespace {

using isovmaf::testing::Variable;
using ::testing::HasSubstr;

Result<ExecutionWish> wish(const char *backend, const char *device, std::uint64_t gpumask = 0) {
    const isovmaf::testing::TemporaryFolder no_plugins;
    const Variable a("ISOVMAF_BACKEND", backend), b("ISOVMAF_DEVICE", device),
        c("ISOVMAF_BACKEND_DIR", no_plugins.path().c_str());
    return execution_wish({VMAF_LOG_LEVEL_NONE, 0, 0, 0, gpumask});
}

TEST(ExecutionWish, IsAGpuIfThereIsOneByDefault) {
    EXPECT_EQ(wish(nullptr, nullptr)->options.backend, "auto");
    EXPECT_EQ(wish("", nullptr)->options.backend, "auto");
    EXPECT_EQ(wish(nullptr, "3")->options.devices, std::vector{3});
    EXPECT_EQ(wish(nullptr, "2,0")->options.devices, (std::vector{2, 0}));
    EXPECT_TRUE(wish(nullptr, "all")->options.all_devices);
    EXPECT_EQ(wish("cpu-ref", nullptr)->options.backend, "cpu-ref");
    EXPECT_EQ(wish("cpu", nullptr)->why, "ISOVMAF_BACKEND is cpu");
}

TEST(ExecutionWish, AGpumaskForbidsGpus) {
    const Result<ExecutionWish> forbidden = wish(nullptr, "3", 1);
    EXPECT_EQ(forbidden->options.backend, "cpu");
    EXPECT_TRUE(forbidden->options.devices.empty());
    EXPECT_THAT(forbidden->why, HasSubstr("gpumask"));
    EXPECT_EQ(wish("cpu-ref", nullptr, 1)->options.backend, "cpu-ref");
    EXPECT_THAT(wish("cuda", nullptr, 1).error().message, HasSubstr("forbids GPUs with a gpumask of 0x1"));
}

TEST(ExecutionWish, WhatCannotBeHadIsRefused) {
    EXPECT_THAT(wish("cuda", nullptr).error().message, HasSubstr("backend cuda was not found"));
    EXPECT_THAT(wish("cuda,cpu", nullptr).error().message, HasSubstr("backend cuda was not found"));
    EXPECT_THAT(wish("cpu,cpu", nullptr).error().message, HasSubstr("ISOVMAF_BACKEND"));
    EXPECT_THAT(wish("cpu", "0").error().message, HasSubstr("unset one of them"));
    for (const char *const device : {"-1", "x", "1.5", "99999999"})
        EXPECT_THAT(wish(nullptr, device).error().message, HasSubstr("ISOVMAF_DEVICE takes a number")) << device;
}

TEST(CpuLevelWithout, TakesAwayInstructionSets) {
    EXPECT_EQ(cpu_level_without(0), cpu_level_name(newest_cpu_level()));
    EXPECT_EQ(cpu_level_without(1), "scalar");
    EXPECT_EQ(cpu_level_without(~std::uint64_t{0}), "scalar");
    EXPECT_EQ(cpu_level_without(0xffffffff00000000), cpu_level_name(newest_cpu_level())); // 32 bits count
    const auto usable = [](CpuLevel level) {
        return std::ranges::find(usable_cpu_levels(), level) != usable_cpu_levels().end();
    };
    const std::string below_avx2 = usable(CpuLevel::sse4) ? "sse4" : "scalar";
    if (usable(CpuLevel::avx2)) {
        EXPECT_EQ(cpu_level_without(16), "avx2");
        EXPECT_EQ(cpu_level_without(8 + 16), below_avx2);
        EXPECT_EQ(cpu_level_without(4), "scalar");
    }
}

} // namespace
} // namespace isovmaf::capi::execution_wish_test
