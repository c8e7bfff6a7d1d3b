// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/part_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::part_source_test {
namespace {

using ::testing::HasSubstr;
using namespace testing;

std::unique_ptr<FrameSource> source_of(const TemporaryFolder &folder, const std::vector<Frame> &frames) {
    return *open_source(folder.write("a.yuv", raw_bytes(frames)), {.stated = frames.front().format()});
}

TEST(PartSource, GivesAPartOfEveryFrame) {
    const TemporaryFolder folder;
    const Crop crop{20, 10, 6, 4};
    const auto frames = clip_frames({.width = 35, .height = 21}, 2);
    const auto source = *make_cropped_source(source_of(folder, frames), crop);
    EXPECT_EQ(source->info().format, (VideoFormat{.width = 20, .height = 10}));
    EXPECT_EQ(conversion_text(source->info().conversions.at(0)),
              "cropped from 35x21 to 20x10 at (6, 4), as ffmpeg -vf crop=20:10:6:4");
    for (const Frame &frame : frames)
        EXPECT_TRUE(same_frame(**source->read(), cropped(frame, crop)));
    EXPECT_FALSE(*source->read());
}

TEST(PartSource, RefusesAPartOutsideByName) {
    const TemporaryFolder folder;
    const auto source =
        make_cropped_source(source_of(folder, clip_frames({.width = 16, .height = 16}, 1)), {16, 16, 2, 0});
    EXPECT_THAT(source.error().message,
                HasSubstr("a.yuv: a crop of 16x16 at (2, 0) does not lie in pictures of 16x16"));
}

TEST(PartSource, GivesLumaAlone) {
    const TemporaryFolder folder;
    const auto frames = clip_frames({.width = 17, .height = 11, .bit_depth = 10}, 1);
    const auto source = make_luma_source(source_of(folder, frames));
    const VideoFormat grey{17, 11, Chroma::k400, 10};
    EXPECT_EQ(source->info().format, grey);
    const Plane &luma = frames.front().plane(0);
    EXPECT_TRUE(same_frame(**source->read(), Frame(grey, frames.front().owner(), {luma.data}, {luma.stride_bytes})));
}

} // namespace
} // namespace isovmaf::part_source_test
