// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/converted_source.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::converted_source_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace testing;

/// A frame whose planes each hold all samples of `bit_depth` bits once, in order.
Frame ramp(int bit_depth) {
    const VideoFormat format{1 << (bit_depth / 2), 1 << (bit_depth - bit_depth / 2), Chroma::k444, bit_depth};
    return stored_frame(format, [&](int, int x, int y) { return y * format.width + x; });
}

int sample(const Frame &frame, int plane, int index) {
    const Plane &p = frame.plane(plane);
    const int y = index / p.width, x = index % p.width;
    return frame.format().bit_depth == 8 ? p.row<std::uint8_t>(y)[x] : p.row<std::uint16_t>(y)[x];
}

std::unique_ptr<FrameSource> ramp_source(const TemporaryFolder &folder, int bit_depth) {
    const Frame frame = ramp(bit_depth);
    return *open_source(folder.write("a.yuv", raw_bytes({frame})), {.stated = frame.format()});
}

TEST(RangeSource, RoundsWhatH273Says) {
    const TemporaryFolder folder;
    for (const int bits : {8, 10, 12, 16}) {
        const double top = std::exp2(bits) - 1, step = std::exp2(bits - 8);
        const auto full = make_range_source(ramp_source(folder, bits), "full");
        EXPECT_EQ(full->info().colour.range, "full");
        EXPECT_THAT(full->info().conversions,
                    ElementsAre(Conversion{"range from limited to full, rounded to nearest"}));
        const Frame widened = **full->read();
        for (int v = 0; v < 1 << bits; v += bits == 16 ? 7 : 1) {
            const double luma = (v - 16 * step) * top / (219 * step), chroma = (v - 128 * step) * top / (224 * step);
            ASSERT_EQ(sample(widened, 0, v), std::clamp(std::round(luma), 0.0, top)) << bits << " " << v;
            for (const int p : {1, 2})
                ASSERT_EQ(sample(widened, p, v), std::clamp(std::round(chroma) + 128 * step, 0.0, top)) << bits << v;
        }
        // Back from full range nothing is lost: limited samples are coarser.
        SourceInfo info = full->info();
        const Frame narrowed =
            **make_range_source(make_range_source(ramp_source(folder, bits), "full"), "limited")->read();
        for (int v = static_cast<int>(16 * step); v <= static_cast<int>(235 * step); v += 3) {
            ASSERT_EQ(sample(narrowed, 0, v), v) << bits;
            ASSERT_EQ(sample(narrowed, 1, v), v) << bits;
        }
    }
}

TEST(RangeSource, LeavesTheRangeThatIsWanted) {
    const TemporaryFolder folder;
    const auto source = make_range_source(ramp_source(folder, 8), "limited");
    EXPECT_TRUE(source->info().conversions.empty());
    EXPECT_TRUE(same_frame(**source->read(), ramp(8)));
}

TEST(DeeperSource, MultipliesByAPowerOfTwo) {
    const TemporaryFolder folder;
    const auto source = *make_deeper_source(ramp_source(folder, 8), 10);
    EXPECT_EQ(source->info().format.bit_depth, 10);
    EXPECT_THAT(source->info().conversions,
                ElementsAre(Conversion{"bit depth from 8 to 10, samples times 4", "format=yuv444p10le"}));
    const Frame frame = **source->read();
    for (int v = 0; v < 256; v++)
        for (const int p : {0, 1, 2})
            ASSERT_EQ(sample(frame, p, v), 4 * v);
    EXPECT_FALSE(source->read()->has_value());
    EXPECT_EQ(sample(**(*make_deeper_source(ramp_source(folder, 10), 16))->read(), 1, 1023), 1023 * 64);
    EXPECT_THAT(make_deeper_source(ramp_source(folder, 10), 8).error().message, HasSubstr("bits would be lost"));
}

TEST(DeeperSource, KeepsWhatFullRangeMeans) {
    const TemporaryFolder folder;
    for (const auto &[from, to] : {std::pair{8, 9}, {8, 10}, {8, 12}, {8, 16}, {9, 10}, {10, 12}, {12, 16}}) {
        const double old_top = std::exp2(from) - 1, top = std::exp2(to) - 1;
        const auto source = make_deeper_full_source(ramp_source(folder, from), to);
        EXPECT_EQ(source->info().format.bit_depth, to);
        EXPECT_THAT(source->info().conversions,
                    ElementsAre(Conversion{"bit depth of full range from " + std::to_string(from) + " to " +
                                           std::to_string(to) + ", samples times " + std::to_string((1 << to) - 1) +
                                           "/" + std::to_string((1 << from) - 1) + ", rounded to nearest"}));
        const Frame frame = **source->read();
        for (int v = 0; v < 1 << from; v++) {
            ASSERT_EQ(sample(frame, 0, v), std::round(v * top / old_top)) << from << " " << to << " " << v;
            const double chroma = std::round((v - std::exp2(from - 1)) * top / old_top) + std::exp2(to - 1);
            for (const int p : {1, 2})
                ASSERT_EQ(sample(frame, p, v), std::clamp(chroma, 0.0, top)) << from << " " << to << " " << v;
        }
        EXPECT_FALSE(source->read()->has_value());
    }
    EXPECT_TRUE(make_deeper_full_source(ramp_source(folder, 8), 8)->info().conversions.empty());
}

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

} // namespace isovmaf::converted_source_test
