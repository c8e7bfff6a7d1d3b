// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/scaled_source.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frame/frame_pool.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::scaled_source_test {
namespace {

using ::testing::HasSubstr;
using namespace testing;

Result<std::unique_ptr<FrameSource>> scaled(const TemporaryFolder &folder, const std::vector<Frame> &frames, int width,
                                            int height, ScaleFilter filter = ScaleFilter::bicubic) {
    auto source = open_source(folder.write("a.yuv", raw_bytes(frames)), {.stated = frames.front().format()});
    return make_scaled_source(*std::move(source), width, height, filter);
}

/// A frame whose planes are flat, at 1/4, 1/2 and 3/4 of the range.
Frame flat_frame(const VideoFormat &format) {
    FramePool pool(format);
    const WritableFrame frame = pool.take();
    for (int p = 0; p < format.plane_count(); p++)
        for (int y = 0; y < format.plane_height(p); y++) {
            std::byte *row =
                frame.data[static_cast<std::size_t>(p)] + y * frame.stride_bytes[static_cast<std::size_t>(p)];
            const int level = (p + 1) << (format.bit_depth - 2);
            for (int x = 0; x < format.plane_width(p); x++)
                if (format.bit_depth == 8)
                    reinterpret_cast<std::uint8_t *>(row)[x] = static_cast<std::uint8_t>(level);
                else
                    reinterpret_cast<std::uint16_t *>(row)[x] = static_cast<std::uint16_t>(level);
        }
    return frame.frame;
}

TEST(ScaledSource, FlatPicturesStayFlat) {
    const TemporaryFolder folder;
    for (const ScaleFilter filter : {ScaleFilter::bilinear, ScaleFilter::bicubic, ScaleFilter::lanczos})
        for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
            for (const int bits : {8, 9, 10, 12, 14, 16})
                for (const auto &[width, height] : {std::pair{48, 40}, std::pair{31, 21}, std::pair{2, 2}}) {
                    const VideoFormat from{33, 17, chroma, bits}, to{width, height, chroma, bits};
                    const auto source = scaled(folder, {flat_frame(from)}, width, height, filter);
                    ASSERT_TRUE(source) << source.error().message;
                    EXPECT_EQ((*source)->info().format, to);
                    const auto frame = (*source)->read();
                    ASSERT_TRUE(frame && *frame);
                    EXPECT_TRUE(same_frame(**frame, flat_frame(to)))
                        << scale_filter_name(filter) << " " << static_cast<int>(chroma) << " " << bits << " " << width;
                }
}

TEST(ScaledSource, FiltersDiffer) {
    const TemporaryFolder folder;
    const auto frames = clip_frames({.width = 64, .height = 48}, 1);
    std::vector<Frame> results;
    for (const ScaleFilter filter : {ScaleFilter::bilinear, ScaleFilter::bicubic, ScaleFilter::lanczos})
        results.push_back(**(*scaled(folder, frames, 101, 77, filter))->read());
    EXPECT_FALSE(same_frame(results[0], results[1]));
    EXPECT_FALSE(same_frame(results[1], results[2]));
    EXPECT_TRUE(same_frame(results[1], **(*scaled(folder, frames, 101, 77))->read()));
}

TEST(ScaledSource, RefusesWhatItCannotScale) {
    const TemporaryFolder folder;
    const auto frames = clip_frames({.width = 64, .height = 48}, 1);
    EXPECT_THAT(scaled(folder, frames, 0, 48).error().message, HasSubstr("the frame width has to be from 1"));
    EXPECT_THAT(scaled(folder, frames, 64, 1).error().message, HasSubstr("too small to have chroma"));
    const auto eleven = clip_frames({.width = 64, .height = 48, .bit_depth = 11}, 1);
    EXPECT_THAT(scaled(folder, eleven, 32, 32).error().message, HasSubstr("64x48 4:2:0 11-bit to 32x32"));
}

} // namespace
} // namespace isovmaf::scaled_source_test
