// SPDX-License-Identifier: BSD-2-Clause-Patent
// The stand-in reveals mistakes of kernels without a sanitizer.
#include <gmock/gmock.h>

#include "host/sanitizer.hpp"
#include "host/tests/fault_runner.hpp"

namespace isovmaf {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr const char *orders[] = {"forward", "reverse", "shuffle"};
constexpr const char *waves[] = {"32", "64"};
constexpr std::int32_t sum_of_numbers = 255 * 256 / 2;

std::vector<std::int32_t> sums_of_neighbours() {
    std::vector<std::int32_t> sums;
    for (int i = 0; i < 256; i++)
        sums.push_back((i + 1) % 256 + (i + 255) % 256);
    return sums;
}

std::string failure_of(const Device &device, const std::string &kernel) {
    try {
        (void)run_block(device, kernel);
    } catch (const std::exception &failure) {
        return failure.what();
    }
    return "";
}

TEST(Faults, NeighboursAreRightInEveryLaneOrder) {
    for (const char *const wave : waves)
        for (const char *const order : orders)
            EXPECT_EQ(run_block(open_host(wave, order), "neighbours"), sums_of_neighbours()) << wave << ", " << order;
}

#if !defined(ISOVMAF_HOST_TSAN) // ThreadSanitizer would end the process: see tsan_test.cpp

TEST(Faults, AMissingBarrierShowsInEveryLaneOrder) {
    for (const char *const order : orders)
        EXPECT_NE(run_block(open_host("32", order), "neighbours_without_barrier"), sums_of_neighbours()) << order;
}

TEST(Faults, AMissingBarrierOnOneSideShowsInOneOfTwoOrders) {
    const auto right_threads = [](const char *order, const char *kernel, int neighbour) {
        const std::vector<std::int32_t> found = run_block(open_host("32", order), kernel);
        int right = 0;
        for (int i = 2; i < 254; i++) // shared memory starts with zeros
            right += found[static_cast<std::size_t>(i)] == 2 * (i + neighbour);
        return right;
    };
    EXPECT_EQ(right_threads("forward", "left_without_barrier", -1), 252);
    EXPECT_EQ(right_threads("forward", "right_without_barrier", 1), 0);
    EXPECT_EQ(right_threads("reverse", "left_without_barrier", -1), 0);
    EXPECT_EQ(right_threads("reverse", "right_without_barrier", 1), 252);
    for (const auto &[kernel, neighbour] : {std::pair{"left_without_barrier", -1}, {"right_without_barrier", 1}}) {
        const int right = right_threads("shuffle", kernel, neighbour);
        EXPECT_GT(right, 252 / 4) << kernel;
        EXPECT_LT(right, 252 * 3 / 4) << kernel;
    }
}

#endif

TEST(Faults, AReductionOfFixedWidthShowsAtTheOther) {
    for (const char *const order : orders) {
        EXPECT_EQ(run_block(open_host("64", order), "sum_of_wide_waves").front(), sum_of_numbers) << order;
        EXPECT_NE(run_block(open_host("32", order), "sum_of_wide_waves").front(), sum_of_numbers) << order;
        EXPECT_EQ(run_block(open_host("64", order), "sum_of_waves").front(), sum_of_numbers) << order;
        EXPECT_EQ(run_block(open_host("32", order), "sum_of_waves").front(), sum_of_numbers) << order;
    }
}

TEST(Faults, ABarrierThatSomeThreadsMissFailsTheLaunch) {
    for (const char *const wave : waves)
        for (const char *const order : orders) {
            const Device device = open_host(wave, order);
            EXPECT_THAT(failure_of(device, "barrier_of_some"),
                        HasSubstr("kernel barrier_of_some, block (0, 0, 0): of its 256 threads 255 wait at a barrier, "
                                  "0 at a shuffle and 1 have left"))
                << wave << ", " << order;
            EXPECT_EQ(run_block(device, "neighbours"), sums_of_neighbours()) << "in another queue, afterwards";
        }
}

TEST(Faults, AShuffleThatSomeLanesMissFailsTheLaunch) {
    for (const char *const order : orders) {
        const Device device = open_host("32", order);
        EXPECT_THAT(failure_of(device, "shuffle_of_some"),
                    HasSubstr("of its 256 threads 225 wait at a barrier, 31 at a shuffle and 0 have left"))
            << order;
        EXPECT_EQ(run_block(device, "neighbours"), sums_of_neighbours()) << "in another queue, afterwards";
    }
}

#if !defined(ISOVMAF_HOST_ASAN) // AddressSanitizer would end the process: see asan_test.cpp

TEST(Faults, AReadBeyondABufferFindsNoPlausibleValue) {
    const Device device = open_host("32", "forward");
    const std::vector<std::int32_t> read = run_block(device, "reads_beyond");
    EXPECT_EQ(read[254], 255);
    EXPECT_EQ(static_cast<std::uint32_t>(read[255]), 0xb5b5b5b5u);
}

TEST(Faults, AWriteBeyondABufferFailsTheLaunch) {
    const Device device = open_host("32", "forward");
    EXPECT_THAT(failure_of(device, "writes_beyond"), HasSubstr("kernel writes_beyond wrote outside a buffer of 1024"));
}

#endif

} // namespace
} // namespace isovmaf
