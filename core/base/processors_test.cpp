// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/processors.hpp"

#include <sched.h>

#include <thread>

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(Processors, OnlyThoseCountThatTheThreadMayUse) {
    EXPECT_GE(usable_processors(), 1);
    EXPECT_LE(usable_processors(), static_cast<int>(std::thread::hardware_concurrency()));
    int bound = 0;
    std::thread([&] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        bound = usable_processors();
    }).join();
    EXPECT_EQ(bound, 1);
}

} // namespace
} // namespace isovmaf
