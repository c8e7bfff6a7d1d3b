// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/turned_source.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::turned_source_test {
namespace {

using ::testing::HasSubstr;

/// One frame, and what the file says about how it is shown.
class OneFrame final : public FrameSource {
  public:
    OneFrame(const Frame &frame, int rotation, bool mirrored) : frame_(frame) {
        info_.format = frame.format();
        info_.name = "a.mp4";
        info_.colour.rotation = rotation;
        info_.colour.mirrored = mirrored;
        info_.colour.sample_aspect_ratio = Rational{4, 3};
        info_.colour.chroma_location = "left";
    }

    const SourceInfo &info() const override { return info_; }
    Result<std::optional<Frame>> read() override { return frame_; }
    void cancel() override {}

  private:
    Frame frame_;
    SourceInfo info_;
};

/// A picture whose samples are numbered in each plane.
Result<std::unique_ptr<FrameSource>> turn(const VideoFormat &format, int rotation, bool mirrored) {
    const Frame numbered =
        testing::stored_frame(format, [&](int p, int x, int y) { return y * stored_width(format, p) + x; });
    return make_turned_source(std::make_unique<OneFrame>(numbered, rotation, mirrored));
}

/// The rows of a plane as text: "0 1 2 / 3 4 5".
std::string text_of(const Frame &frame, int p) {
    std::string text;
    const Plane plane = frame.stored_plane(p);
    for (int y = 0; y < plane.height; y++)
        for (int x = 0; x < plane.width; x++)
            text += fmt::format("{}{}",
                                x > 0   ? " "
                                : y > 0 ? " / "
                                        : "",
                                frame.format().bit_depth == 8 ? plane.row<std::uint8_t>(y)[x]
                                                              : plane.row<std::uint16_t>(y)[x]);
    return text;
}

/// What ffmpeg's filters of these names do with the rows "0 1 2" and "3 4 5".
TEST(TurnedSource, ShowsPicturesAsPlayersDo) {
    struct Case {
        int rotation;
        bool mirrored;
        const char *filter, *rows;
    };
    for (const auto &[rotation, mirrored, filter, rows] : {
             Case{90, false, "transpose=clock", "3 0 / 4 1 / 5 2"},
             Case{180, false, "hflip,vflip", "5 4 3 / 2 1 0"},
             Case{270, false, "transpose=cclock", "2 5 / 1 4 / 0 3"},
             Case{0, true, "vflip", "3 4 5 / 0 1 2"},
             Case{90, true, "transpose=cclock_flip", "0 3 / 1 4 / 2 5"},
             Case{180, true, "hflip", "2 1 0 / 5 4 3"},
             Case{270, true, "transpose=clock_flip", "5 2 / 4 1 / 3 0"},
         })
        for (const int bits : {8, 10}) {
            const auto source = turn({3, 2, Chroma::k444, bits}, rotation, mirrored);
            ASSERT_TRUE(source) << source.error().message;
            const Frame frame = **(*source)->read();
            EXPECT_EQ(frame.format(), (*source)->info().format);
            for (int p = 0; p < 3; p++)
                EXPECT_EQ(text_of(frame, p), rows) << rotation << (mirrored ? " mirrored" : "");
            EXPECT_EQ((*source)->info().conversions.at(0).filter, filter);
            EXPECT_EQ(rotation_text((*source)->info().colour), "none");
        }
}

TEST(TurnedSource, TurnsTheShapeOfSamplesAndOddChroma) {
    const auto source = turn({5, 3, Chroma::k420}, 90, false);
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_EQ((*source)->info().format, (VideoFormat{.width = 3, .height = 5}));
    EXPECT_EQ((*source)->info().colour.sample_aspect_ratio, (Rational{3, 4}));
    EXPECT_EQ((*source)->info().colour.chroma_location, "");
    EXPECT_EQ(text_of(**(*source)->read(), 1), "3 0 / 4 1 / 5 2");
}

TEST(TurnedSource, LeavesUprightPicturesAlone) {
    const auto source = turn({4, 2}, 0, false);
    ASSERT_TRUE(source);
    EXPECT_THAT((*source)->info().conversions, ::testing::IsEmpty());
}

TEST(TurnedSource, RefusesWhatNoFormatHolds) {
    EXPECT_THAT(turn({4, 2}, 45, false).error().message, HasSubstr("cannot turn a.mp4 by 45 degrees: only multiples"));
    EXPECT_THAT(turn({4, 2, Chroma::k422, 10}, 90, false).error().message, HasSubstr("with 420p10 or 444p10"));
    EXPECT_TRUE(turn({4, 2, Chroma::k422}, 180, false));
}

} // namespace
} // namespace isovmaf::turned_source_test
