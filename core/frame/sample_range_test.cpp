// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/sample_range.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frame/frame_pool.hpp"

namespace isovmaf::sample_range_test {
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

/// What check_samples says, and that a copy that looks at its rows says the same.
Result<void> check(const Frame &frame, int plane_count = 3) {
    Result<void> checked = check_samples(frame, "a", 7, plane_count);
    const Result<Frame> copied = FramePool(frame.format()).copy_checked(frame, "a", 7, plane_count);
    EXPECT_EQ(checked ? "" : checked.error().message, copied ? "" : copied.error().message);
    return checked;
}

TEST(SampleRange, TakesTheLargestSampleOfABitDepthAndNoLargerOne) {
    for (const int bits : {9, 10, 11, 12, 14, 15}) {
        const VideoFormat format{.width = 70, .height = 4, .bit_depth = bits};
        const std::uint32_t largest = (1U << bits) - 1;
        for (int p = 0; p < format.plane_count(); p++)
            for (const int x : {0, 16, format.plane_width(p) - 1}) {
                const int y = format.plane_height(p) - 1;
                EXPECT_TRUE(check(frame_with(format, p, x, y, largest).frame)) << bits << " bit";
                for (const std::uint32_t sample : {largest + 1, largest + 2, 2 * largest, 2 * largest + 1, 0xffffu}) {
                    const Result<void> checked = check(frame_with(format, p, x, y, sample).frame);
                    ASSERT_FALSE(checked) << sample << " at " << bits << " bit";
                    EXPECT_EQ(checked.error().code, ErrorCode::corrupt_data);
                    EXPECT_THAT(checked.error().message, HasSubstr("frame 7 of a has samples above"));
                }
            }
    }
}

TEST(SampleRange, NamesTheRowAndThePlane) {
    const VideoFormat format{.width = 6, .height = 4, .bit_depth = 10};
    EXPECT_EQ(
        check(frame_with(format, 2, 1, 1, 1024).frame).error().message,
        "frame 7 of a has samples above 1023 in row 1 of plane 2, too large for 10 bit; check the bit depth of the "
        "video");
}

TEST(SampleRange, EverySampleOf16BitsIsOne) {
    const VideoFormat format{.width = 6, .height = 4, .bit_depth = 16};
    EXPECT_TRUE(check(frame_with(format, 0, 5, 3, 0xffff).frame));
}

TEST(SampleRange, PlanesThatNobodyReadsMayHoldAnything) {
    const VideoFormat format{.width = 6, .height = 4, .bit_depth = 10};
    EXPECT_TRUE(check(frame_with(format, 1, 0, 0, 0xffff).frame, 1));
    EXPECT_FALSE(check(frame_with(format, 1, 0, 0, 0xffff).frame, 2));
}

TEST(SampleRange, OnlyPlanesThatAreKeptAreCopied) {
    for (const int bits : {8, 10}) {
        const VideoFormat format{.width = 6, .height = 4, .bit_depth = bits};
        FramePool from(format), to(format);
        const auto filled = [&](FramePool &pool, int byte) {
            const WritableFrame frame = pool.take();
            for (int p = 0; p < 3; p++)
                std::memset(
                    frame.data[static_cast<std::size_t>(p)], byte,
                    static_cast<std::size_t>(frame.stride_bytes[static_cast<std::size_t>(p)] * format.plane_height(p)));
            return frame.frame;
        };
        const Frame frame = filled(from, 2);
        (void)filled(to, 3); // the pool gives this memory out again
        const Frame copied = to.copy_checked(frame, "a", 0, 1, 1).value();
        EXPECT_EQ(*copied.plane(0).row<std::uint8_t>(0), 2);
        EXPECT_EQ(*copied.plane(1).row<std::uint8_t>(0), 3);
    }
}

TEST(SampleRange, FramesThatWereCheckedAreNotLookedAtAgain) {
    const VideoFormat format{.width = 6, .height = 4, .bit_depth = 10};
    Frame frame = frame_with(format, 0, 0, 0, 0xffff).frame;
    frame.set_samples_checked();
    EXPECT_TRUE(check(frame));
    EXPECT_TRUE(FramePool(format).copy(frame).samples_checked());
}

/// P010: ten bits in the upper part of 16 hold no larger sample, and six bits further down they do.
TEST(SampleRange, ShiftedSamplesAreLookedAtAfterTheShift) {
    const VideoFormat format{.width = 6, .height = 4, .chroma = Chroma::k400, .bit_depth = 10};
    const WritableFrame stored = frame_with(format, 0, 3, 2, 0xffff);
    const auto shifted = [&](int shift) {
        const Frame frame(format, stored.frame.owner(), {stored.data[0]}, {stored.stride_bytes[0]}, ChromaEdge::absent,
                          {SampleLayout{.shift = shift}});
        return FramePool(format).copy_checked(frame, "a", 0, 1).has_value();
    };
    EXPECT_TRUE(shifted(6));
    EXPECT_FALSE(shifted(5));
}

} // namespace
} // namespace isovmaf::sample_range_test
