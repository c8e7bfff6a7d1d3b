// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernel that counts samples above the bit depth, on the plugin that ISOVMAF_TEST_PLUGIN names.
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "content/patterns.hpp"
#include "device/picture.hpp"
#include "device/testing/test_device.hpp"

namespace isovmaf::sample_range_gpu_test {
namespace {

/// What the kernel adds to a count that is 5 before.
std::int64_t counted(const Device &device, const Frame &frame, int plane_count) {
    const VideoFormat &format = frame.format();
    const PictureLayout layout(format, format.plane_count());
    std::vector<std::byte> staged(layout.bytes(), std::byte{0xff}); // too large between the rows
    for (int p = 0; p < format.plane_count(); p++)
        layout.stage(frame.plane(p), p, staged.data());
    Queue queue = value_of(device.create_queue());
    const Buffer memory = testing::upload<std::byte>(device, queue, staged);
    const std::array<std::int64_t, 2> before{7, 5};
    const Buffer counts = testing::upload<std::int64_t>(device, queue, before);
    Recorder recorder(device);
    record_sample_check(recorder, format, plane_count, layout.at(memory.at(0)), counts.at(0), 1);
    testing::run(recorder, queue);
    const auto after = testing::download<std::int64_t>(device, queue, counts, before.size());
    EXPECT_EQ(after[0], 7) << "another count";
    return after[1] - before[1];
}

std::int64_t expected(const Frame &frame, int plane_count) {
    std::int64_t large = 0;
    for (int p = 0; p < plane_count; p++) {
        const Plane plane = frame.plane(p);
        for (int y = 0; y < plane.height; y++)
            for (int x = 0; x < plane.width; x++)
                large += plane.row<std::uint16_t>(y)[x] > largest_sample(frame.format()) ? 1 : 0;
    }
    return large;
}

TEST(SampleRangeKernel, CountsEverySampleAboveTheBitDepthOnce) {
    const Device device = testing::open_test_device();
    for (const int bits : {9, 10, 12, 15})
        for (const int width : {1, 3, 255, 257, 1025, 2049}) {
            const VideoFormat format{width, 6, Chroma::k444, bits};
            const Frame noise = random_frame(format, 1, default_poison, [](std::uint32_t v) { return v & 0xffff; }),
                        largest = constant_frame(format, largest_sample(format)),
                        above = constant_frame(format, largest_sample(format) + 1);
            for (const int planes : {1, 3}) {
                EXPECT_EQ(counted(device, noise, planes), expected(noise, planes)) << bits << " " << width;
                EXPECT_EQ(counted(device, largest, planes), 0);
                EXPECT_EQ(counted(device, above, planes), std::int64_t{planes} * width * 6);
            }
        }
}

TEST(SampleRangeKernel, SkipsChromaWithoutSamples) {
    const Device device = testing::open_test_device();
    const Frame thin = constant_frame({1, 6, Chroma::k420, 10}, 1024);
    EXPECT_EQ(counted(device, thin, 3), 6);
}

} // namespace
} // namespace isovmaf::sample_range_gpu_test
