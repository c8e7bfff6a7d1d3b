// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/planar_reader.hpp"

#include <algorithm>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "content/patterns.hpp"

namespace isovmaf::planar_reader_test {
namespace {

using ::testing::HasSubstr;

/// A frame of zeros but for one sample.
WritableFrame frame_with(const VideoFormat &format, int plane, int x, int y, std::uint32_t sample) {
    WritableFrame frame = FramePool(format).take();
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const Plane &to = frame.frame.plane(p);
        for (int row = 0; row < to.height; row++) {
            auto *const samples = reinterpret_cast<std::uint16_t *>(frame.data[i] + row * frame.stride_bytes[i]);
            std::fill_n(samples, to.width, std::uint16_t{0});
            if (p == plane && row == y)
                samples[x] = static_cast<std::uint16_t>(sample);
        }
    }
    return frame;
}

TEST(CheckSamples, TakesTheLargestSampleOfABitDepthAndNoLargerOne) {
    for (const int bits : {9, 10, 11, 12, 14, 15}) {
        const VideoFormat format{.width = 6, .height = 4, .bit_depth = bits};
        const std::uint32_t largest = largest_sample(format);
        for (int p = 0; p < format.plane_count(); p++) {
            const int x = format.plane_width(p) - 1, y = format.plane_height(p) - 1;
            EXPECT_TRUE(check_samples(frame_with(format, p, x, y, largest).frame, "a", 0)) << bits << " bit";
            for (const std::uint32_t sample : {largest + 1, largest + 2, 2 * largest, 2 * largest + 1, 0xffffu}) {
                const Result<void> checked = check_samples(frame_with(format, p, x, y, sample).frame, "a", 7);
                ASSERT_FALSE(checked) << sample << " at " << bits << " bit";
                EXPECT_THAT(checked.error().message, HasSubstr("frame 7 of a has samples above"));
            }
        }
    }
}

TEST(CheckSamples, EverySampleOf16BitsIsOne) {
    const VideoFormat format{.width = 6, .height = 4, .bit_depth = 16};
    EXPECT_TRUE(check_samples(frame_with(format, 0, 5, 3, 0xffff).frame, "a", 0));
}

} // namespace
} // namespace isovmaf::planar_reader_test
