// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/pictures.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "diff/testing/pictures_sample.hpp"
#include "frame/testing/add_samples.hpp"

namespace isovmaf::diff::pictures_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A sample that tells where it is, in the low bits as in the high ones.
std::uint32_t sample_at(const VideoFormat &format, int plane, int x, int y) {
    return static_cast<std::uint32_t>((plane * 7919 + y * 251 + x) * 40503) & largest_sample(format);
}

Frame telling_frame(const VideoFormat &format) {
    return painted_frame(format, default_poison,
                         [&](int plane, int x, int y) { return sample_at(format, plane, x, y); });
}

std::uint32_t read_sample(const Frame &frame, int plane, int x, int y) {
    const Plane &from = frame.plane(plane);
    return frame.format().bytes_per_sample() == 1 ? from.row<std::uint8_t>(y)[x] : from.row<std::uint16_t>(y)[x];
}

/// `found` holds the samples of a telling frame from the crop's corner on, with `keep_bits` of them.
void expect_part(const Frame &found, const VideoFormat &whole, const Crop &crop, std::uint32_t keep_bits) {
    VideoFormat part = whole;
    part.width = crop.width;
    part.height = crop.height;
    ASSERT_EQ(found.format(), part);
    for (int p = 0; p < part.plane_count(); p++) {
        ASSERT_EQ(found.plane(p).width, part.plane_width(p));
        ASSERT_EQ(found.plane(p).height, part.plane_height(p));
        const int left = p == 0 ? crop.left : crop.left >> part.chroma_shift_x();
        const int top = p == 0 ? crop.top : crop.top >> part.chroma_shift_y();
        for (int y = 0; y < part.plane_height(p); y++)
            for (int x = 0; x < part.plane_width(p); x++)
                ASSERT_EQ(read_sample(found, p, x, y), sample_at(whole, p, left + x, top + y) & keep_bits)
                    << plane_name(p) << " at " << x << ", " << y;
    }
}

/// One hash per picture, reference and distorted in turn.
std::vector<std::string> hashes(const Pictures &pictures) {
    std::vector<std::string> all;
    PairStream stream = pictures.open().value();
    while (std::optional<FramePair> pair = stream().value())
        for (const Frame &frame : {pair->reference, pair->distorted}) {
            EXPECT_EQ(frame.format(), pictures.format);
            Sha256 sha256;
            add_samples(sha256, frame);
            all.push_back(std::move(sha256).hex());
        }
    EXPECT_FALSE(stream().value()) << "after the end comes nothing";
    return all;
}

const VideoFormat clip_format{.width = 21, .height = 18, .chroma = Chroma::k420, .bit_depth = 10};
constexpr std::int64_t clip_frames = 7;

Pictures clip() { return sample_pictures(clip_format, clip_frames); }

TEST(ReducedFrame, HoldsTheSamplesOfTheCropInEveryPlane) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 10, 16})
            for (const Crop &crop : {Crop{7, 5, 4, 6}, Crop{17, 11, 0, 0}, Crop{1, 1, 16, 10}}) {
                const VideoFormat format{.width = 17, .height = 11, .chroma = chroma, .bit_depth = bits};
                expect_part(reduce(telling_frame(format), crop, 0xffff), format, crop, 0xffff);
            }
}

TEST(ReducedFrame, KeepsTheBitsOfEverySample) {
    for (const int bits : {8, 16}) {
        const VideoFormat format{.width = 9, .height = 6, .chroma = Chroma::k422, .bit_depth = bits};
        for (const std::uint32_t keep_bits : {0x0u, 0x1u, 0x55u, 0xff00u, 0xffffu}) {
            expect_part(reduce(telling_frame(format), std::nullopt, keep_bits), format, {9, 6, 0, 0}, keep_bits);
            expect_part(reduce(telling_frame(format), Crop{4, 3, 2, 1}, keep_bits), format, {4, 3, 2, 1}, keep_bits);
        }
    }
}

TEST(ReducedFrame, ReadsBottomUpPictures) {
    const VideoFormat format{.width = 4, .height = 5, .chroma = Chroma::k400};
    const Frame upright = telling_frame(format);
    const std::ptrdiff_t stride = upright.plane(0).stride_bytes;
    const Frame flipped(format, upright.owner(), {upright.plane(0).data + 4 * stride}, {-stride});
    const Frame part = reduce(flipped, Crop{2, 2, 1, 0}, 0xffff);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++)
            EXPECT_EQ(read_sample(part, 0, x, y), sample_at(format, 0, 1 + x, 4 - y));
}

TEST(ReducedPair, IsItselfWhenNothingIsCut) {
    const FramePair pair = noise_pair(clip_format, 1);
    const FramePair same = reduce(pair, {.skip = 3, .count = 2});
    EXPECT_EQ(same.reference.owner(), pair.reference.owner());
    EXPECT_EQ(same.distorted.owner(), pair.distorted.owner());
}

TEST(ReducedPair, BothPicturesAreCut) {
    const FramePair pair = noise_pair(clip_format, 1);
    const Reduction reduction{.crop = Crop{6, 4, 2, 8}, .keep_bits = 0x3f0};
    const FramePair part = reduce(pair, reduction);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 6; x++) {
            EXPECT_EQ(read_sample(part.reference, 0, x, y), read_sample(pair.reference, 0, 2 + x, 8 + y) & 0x3f0);
            EXPECT_EQ(read_sample(part.distorted, 0, x, y), read_sample(pair.distorted, 0, 2 + x, 8 + y) & 0x3f0);
        }
}

TEST(ReducedPictures, AreTheFramesFromSkipOnUpToCount) {
    const std::vector<std::string> all = hashes(clip());
    ASSERT_THAT(all, SizeIs(2 * clip_frames));
    for (const std::int64_t skip : {0, 1, 6, 7, 9})
        for (const std::optional<std::int64_t> count : {std::optional<std::int64_t>{}, {0}, {1}, {3}, {20}}) {
            const std::int64_t begin = std::min(skip, clip_frames);
            const std::int64_t end = std::min(skip + count.value_or(clip_frames), clip_frames);
            const std::vector<std::string> expected(all.begin() + 2 * begin, all.begin() + 2 * std::max(begin, end));
            const Pictures some = reduce(clip(), {.skip = skip, .count = count}).value();
            EXPECT_EQ(hashes(some), expected) << skip << ", " << count.value_or(-1);
            EXPECT_EQ(hashes(some), expected) << "read once more";
        }
}

/// Every pair of reductions of a list.
const std::vector<Reduction> &reductions() {
    static const std::vector<Reduction> all{
        {},
        {.skip = 2},
        {.count = 3},
        {.skip = 1, .count = 4},
        {.skip = 5, .count = 2},
        {.crop = Crop{13, 11, 2, 4}},
        {.crop = Crop{8, 9, 4, 2}},
        {.keep_bits = 0x2ff},
        {.keep_bits = 0x1f8},
        {.skip = 1, .count = 2, .crop = Crop{12, 11, 6, 0}, .keep_bits = 0x3c3},
    };
    return all;
}

TEST(ReducedPictures, TwoReductionsAreOneCombined) {
    for (const Reduction &first : reductions())
        for (const Reduction &then : reductions()) {
            const Pictures once = reduce(clip(), first).value();
            const Result<Pictures> nested = reduce(once, then);
            const Reduction both = combine(first, then);
            ASSERT_EQ(nested.has_value(), !then.crop || check_crop(once.format, *then.crop).has_value());
            if (!nested)
                continue;
            EXPECT_EQ(nested->reduction, both);
            const Pictures combined = reduce(clip(), both).value();
            EXPECT_EQ(nested->format, combined.format);
            EXPECT_EQ(hashes(*nested), hashes(combined)) << options_of(combined);
            EXPECT_EQ(options_of(*nested), options_of(combined));
            EXPECT_EQ(describe(*nested), describe(combined));
        }
}

TEST(ReducedPictures, CombinedCountsAreNeverNegative) {
    const Reduction none = combine({.count = 3}, {.skip = 5});
    EXPECT_EQ(none.skip, 5);
    EXPECT_EQ(none.count, 0);
    EXPECT_THAT(hashes(reduce(clip(), none).value()), IsEmpty());
}

TEST(ReducedPictures, ACropOutsideIsRefused) {
    const Pictures once = reduce(clip(), {.crop = Crop{12, 10, 2, 2}}).value();
    EXPECT_FALSE(reduce(once, {.crop = Crop{14, 10, 0, 0}})) << "it would fit the whole picture";
    EXPECT_FALSE(reduce(clip(), {.crop = Crop{4, 4, 1, 0}}));
}

TEST(ReducedPictures, FailuresOfTheSourceComeThrough) {
    Pictures broken = clip();
    broken.open = []() -> Result<PairStream> { return fail(ErrorCode::io, "no such disk"); };
    EXPECT_EQ(reduce(broken, {.skip = 1}).value().open().error().message, "no such disk");
    broken.open = []() -> Result<PairStream> {
        return []() -> Result<std::optional<FramePair>> { return fail(ErrorCode::io, "the disk is gone"); };
    };
    for (const std::int64_t skip : {0, 2}) {
        PairStream stream = reduce(broken, {.skip = skip, .crop = Crop{4, 4, 0, 0}}).value().open().value();
        EXPECT_EQ(stream().error().message, "the disk is gone");
    }
}

TEST(ReducedPictures, AreDescribedAndRepeatable) {
    const auto both = [](const Reduction &reduction) {
        const Pictures reduced = reduce(clip(), reduction).value();
        return std::vector{describe(reduced), options_of(reduced)};
    };
    EXPECT_THAT(both({}), ElementsAre("squares", "--squares"));
    EXPECT_THAT(both({.skip = 2}), ElementsAre("squares, frames from 2", "--squares --skip 2"));
    EXPECT_THAT(both({.skip = 2, .count = 3}),
                ElementsAre("squares, frames from 2 to 4", "--squares --skip 2 --frame_cnt 3"));
    EXPECT_THAT(both({.count = 3}), ElementsAre("squares, frames from 0 to 2", "--squares --frame_cnt 3"));
    EXPECT_THAT(both({.crop = Crop{8, 6, 2, 4}}), ElementsAre("squares, 8x6 at (2, 4)", "--squares --crop 8x6+2+4"));
    EXPECT_THAT(both({.keep_bits = 0x3f0}),
                ElementsAre("squares, bits 0x3f0 of samples", "--squares --keep_bits 0x3f0"));
}

TEST(ReducedPictures, TheOptionOfACropIsTheCrop) {
    const Crop crop{8, 6, 2, 4};
    const std::string options = options_of(reduce(clip(), {.crop = crop}).value());
    EXPECT_EQ(parse_crop(options.substr(options.rfind(' ') + 1)).value(), crop);
}

} // namespace
} // namespace isovmaf::diff::pictures_test
