// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/parallel.hpp"

#include <atomic>
#include <chrono>
#include <latch>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::testing::parallel_test {
namespace {

TEST(ForEachNumber, CallsOnceForEach) {
    for (const std::size_t threads : {0U, 1U, 2U, 16U})
        for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
            std::vector<std::atomic<int>> calls(count);
            for_each_number(count, threads, [&](std::size_t number) { calls[number]++; });
            for (const std::atomic<int> &of_number : calls)
                EXPECT_EQ(of_number, 1);
        }
}

/// With fewer threads the latch would never open. One thread more would find a number while the others sleep.
TEST(ForEachNumber, WorksOnSeveralThreadsAndNoMore) {
    constexpr std::size_t threads = 4;
    std::latch all_work(threads);
    std::mutex mutex;
    std::set<std::thread::id> seen;
    for_each_number(100, threads, [&](std::size_t number) {
        if (number < threads)
            all_work.arrive_and_wait();
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
    });
    EXPECT_EQ(seen.size(), threads);
    EXPECT_TRUE(seen.contains(std::this_thread::get_id()));
}

} // namespace
} // namespace isovmaf::testing::parallel_test
