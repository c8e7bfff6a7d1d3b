// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/allocator.hpp"

#include <cstdlib>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu_layer/api.hpp"

namespace isovmaf::gpu {
namespace {

using ::testing::HasSubstr;

struct Memory {
    std::size_t limit = 1 << 20, used = 0;
    std::map<void *, std::size_t> blocks;
};
Memory device; // the table's functions know no object

class AllocatorTest : public ::testing::Test {
  protected:
    AllocatorTest() {
        device = {};
        api_.hipMalloc = [](void **memory, std::size_t bytes) {
            if (device.used + bytes > device.limit)
                return hipErrorOutOfMemory;
            device.used += bytes;
            *memory = std::malloc(bytes);
            device.blocks.emplace(*memory, bytes);
            return hipSuccess;
        };
        api_.hipFree = [](void *memory) {
            device.used -= device.blocks.at(memory);
            device.blocks.erase(memory);
            std::free(memory);
            return hipSuccess;
        };
    }
    ~AllocatorTest() override { EXPECT_EQ(device.blocks.size(), 0u) << "memory was not given back"; }

    Api api_;
};

TEST_F(AllocatorTest, ClassesAreMultiplesOf256AndWasteAtMostAnEighthOfLargeSizes) {
    EXPECT_EQ(CachingAllocator::class_bytes(1), 512u);
    EXPECT_EQ(CachingAllocator::class_bytes(512), 512u);
    EXPECT_EQ(CachingAllocator::class_bytes(513), 1024u);
    std::uint64_t last = 0;
    for (std::uint64_t bytes = 4097; bytes < (std::uint64_t{1} << 40); bytes += bytes / 7 + 1) {
        const std::uint64_t size = CachingAllocator::class_bytes(bytes);
        EXPECT_GE(size, bytes);
        EXPECT_LE(size - bytes, bytes / 8);
        EXPECT_EQ(size % 256, 0u);
        EXPECT_EQ(CachingAllocator::class_bytes(size), size) << "a class is its own";
        EXPECT_GE(size, last);
        last = size;
    }
}

TEST_F(AllocatorTest, FreedMemoryServesTheSameClassAgain) {
    CachingAllocator allocator(api_, true);
    void *const first = allocator.allocate(10'000);
    allocator.free(first);
    EXPECT_EQ(allocator.allocate(9'800), first);
    EXPECT_EQ(allocator.statistics().allocations, 1u);
    void *const other = allocator.allocate(20'000);
    EXPECT_NE(other, first);
    EXPECT_EQ(allocator.statistics().allocations, 2u);
    allocator.free(first);
    allocator.free(other);
}

TEST_F(AllocatorTest, StatisticsTellInUseFromReserved) {
    CachingAllocator allocator(api_, true);
    void *const a = allocator.allocate(512);
    void *const b = allocator.allocate(1024);
    allocator.free(a);
    isovmaf_memory_statistics statistics = allocator.statistics();
    EXPECT_EQ(statistics.allocated_bytes, 1024u);
    EXPECT_EQ(statistics.allocated_peak_bytes, 1536u);
    EXPECT_EQ(statistics.reserved_bytes, 1536u);
    allocator.trim();
    statistics = allocator.statistics();
    EXPECT_EQ(statistics.reserved_bytes, 1024u);
    EXPECT_EQ(statistics.reserved_peak_bytes, 1536u);
    EXPECT_EQ(device.used, 1024u);
    allocator.free(b);
}

TEST_F(AllocatorTest, WhatIsCachedIsGivenBackBeforeMemoryRunsOut) {
    CachingAllocator allocator(api_, true);
    allocator.free(allocator.allocate(800'000));
    void *const large = allocator.allocate(1'000'000);
    EXPECT_EQ(device.blocks.size(), 1u);
    EXPECT_EQ(allocator.statistics().allocations, 3u) << "first try, failed try, retry";
    allocator.free(large);
}

TEST_F(AllocatorTest, RunningOutSaysHowMuchWasAskedFor) {
    CachingAllocator allocator(api_, true);
    void *const some = allocator.allocate(1024);
    try {
        (void)allocator.allocate(std::uint64_t{1} << 30);
        FAIL() << "there is no such memory";
    } catch (const FailedOutcome &failure) {
        EXPECT_EQ(failure.outcome().status, ISOVMAF_OUT_OF_MEMORY);
        EXPECT_THAT(failure.outcome().sentence, HasSubstr("1073741824 bytes"));
        EXPECT_THAT(failure.outcome().sentence, HasSubstr("1024 bytes are in use"));
    }
    EXPECT_EQ(allocator.statistics().allocated_bytes, 1024u);
    allocator.free(some);
}

TEST_F(AllocatorTest, WithoutCachingMemoryGoesBackAtOnce) {
    CachingAllocator allocator(api_, false);
    void *const memory = allocator.allocate(4099);
    EXPECT_EQ(device.used, 4099u) << "the size is not rounded";
    allocator.free(memory);
    EXPECT_EQ(device.used, 0u);
    EXPECT_EQ(allocator.statistics().reserved_bytes, 0u);
    EXPECT_EQ(allocator.statistics().allocated_bytes, 0u);
}

} // namespace
} // namespace isovmaf::gpu
