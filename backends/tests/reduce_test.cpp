// SPDX-License-Identifier: BSD-2-Clause-Patent
// Compares portable/reduce.h, on the plugin of test kernels that ISOVMAF_TEST_PLUGIN names, with plain loops.
#include <algorithm>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "device/testing/test_device.hpp"
#include "tests/reduce_params.h"

namespace isovmaf {
namespace {

using namespace testing;

/// Element counts around multiples of `step` up to a block's size, and around two blocks.
std::vector<std::int32_t> counts_around(std::int32_t step, std::int32_t threads) {
    std::set<std::int32_t> counts{1, 2, 3};
    std::vector<std::int32_t> boundaries{2 * threads};
    for (std::int32_t boundary = step; boundary <= threads; boundary += step)
        boundaries.push_back(boundary);
    for (const std::int32_t boundary : boundaries)
        counts.insert({boundary - 1, boundary, boundary + 1, boundary + 3});
    return {counts.begin(), counts.end()};
}

template <class T>
void append_expected(std::span<const std::int64_t> elements, std::vector<std::int64_t> &results) {
    T least = static_cast<T>(elements[0]), greatest = least;
    std::uint64_t sum = 0;
    for (const std::int64_t element : elements) {
        const T value = static_cast<T>(element);
        sum += static_cast<std::uint64_t>(value);
        least = std::min(least, value);
        greatest = std::max(greatest, value);
    }
    results.insert(results.end(), {static_cast<std::int64_t>(static_cast<T>(sum)), static_cast<std::int64_t>(least),
                                   static_cast<std::int64_t>(greatest)});
}

std::vector<std::int64_t> expected_results(std::span<const std::int64_t> elements) {
    std::vector<std::int64_t> results;
    append_expected<std::int32_t>(elements, results);
    append_expected<std::uint32_t>(elements, results);
    append_expected<std::int64_t>(elements, results);
    append_expected<std::uint64_t>(elements, results);
    return results;
}

class Reduce : public ::testing::TestWithParam<std::int32_t> {
  protected:
    /// Reduces the first `count` elements, for each count.
    void expect_plain_results(const std::vector<std::int64_t> &elements, const std::vector<std::int32_t> &counts) {
        const Buffer on_device = upload<std::int64_t>(device_, queue_, elements);
        const std::size_t result_count = counts.size() * REDUCE_RESULTS;
        const Buffer results = value_of(device_.create_buffer(ISOVMAF_MEMORY_DEVICE, result_count * 8));
        const auto threads = static_cast<std::uint32_t>(GetParam());
        Recorder recorder(device_);
        for (std::size_t i = 0; i < counts.size(); i++)
            recorder.dispatch(fmt::format("reduce_{}", threads), {1, 1, 1}, {threads, 1, 1},
                              {on_device.at(0), results.at(0)}, ReduceParams{counts[i], static_cast<int>(i)});
        run(recorder, queue_);
        const std::vector<std::int64_t> found = download<std::int64_t>(device_, queue_, results, result_count);
        for (std::size_t i = 0; i < counts.size(); i++) {
            const auto begin = found.begin() + static_cast<std::ptrdiff_t>(i * REDUCE_RESULTS);
            EXPECT_EQ(std::vector<std::int64_t>(begin, begin + REDUCE_RESULTS),
                      expected_results({elements.data(), static_cast<std::size_t>(counts[i])}))
                << counts[i] << " elements";
        }
    }

    std::vector<std::int64_t> elements_ = std::vector<std::int64_t>(static_cast<std::size_t>(2 * GetParam() + 3));
    Device device_ = open_test_device();
    Queue queue_ = value_of(device_.create_queue());
};

TEST_P(Reduce, NoiseOverTheFullRange) {
    constexpr std::uint64_t seed = 20240611;
    std::mt19937_64 random(seed);
    std::ranges::generate(elements_, [&] { return static_cast<std::int64_t>(random()); });
    SCOPED_TRACE(fmt::format("seed {}", seed));
    expect_plain_results(elements_, counts_around(32, GetParam())); // around the end of every wave
}

TEST_P(Reduce, TheLastElementIsTheGreatest) {
    for (std::size_t i = 0; i < elements_.size(); i++)
        elements_[i] = static_cast<std::int64_t>(i) + 1;
    expect_plain_results(elements_, counts_around(GetParam() / 2, GetParam()));
}

TEST_P(Reduce, TheLastElementIsTheLeast) {
    for (std::size_t i = 0; i < elements_.size(); i++)
        elements_[i] = -static_cast<std::int64_t>(i) - 1;
    expect_plain_results(elements_, counts_around(GetParam() / 2, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(BlockSizes, Reduce, ::testing::Values(64, 128, 192, 256, 512, 1024));

} // namespace
} // namespace isovmaf
