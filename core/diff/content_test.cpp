// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/content.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "content/patterns.hpp"

namespace isovmaf::diff::content_test {
namespace {

constexpr Chroma every_chroma[] = {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444};

std::uint32_t sample(const Frame &frame, int plane, int x, int y) {
    const Plane &from = frame.plane(plane);
    return frame.format().bytes_per_sample() == 1 ? from.row<std::uint8_t>(y)[x] : from.row<std::uint16_t>(y)[x];
}

template <class Visitor>
void for_every_sample(const Frame &frame, Visitor visit) {
    for (int p = 0; p < frame.format().plane_count(); p++)
        for (int y = 0; y < frame.format().plane_height(p); y++)
            for (int x = 0; x < frame.format().plane_width(p); x++)
                visit(p, x, y, sample(frame, p, x, y));
}

/// FNV-1a of all samples.
std::uint64_t checksum(const Frame &frame) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for_every_sample(frame, [&](int, int, int, std::uint32_t value) { hash = (hash ^ value) * 0x100000001b3; });
    return hash;
}

std::uint64_t checksum(const Content &content) {
    std::uint64_t hash = 0;
    for (int n = 0; n < content.frames; n++) {
        const FramePair pair = value_of(make_frame(content, n));
        hash = hash * 31 + checksum(pair.reference) * 7 + checksum(pair.distorted);
    }
    return hash;
}

std::set<std::uint32_t> levels_of(const Frame &frame) {
    std::set<std::uint32_t> levels;
    for_every_sample(frame, [&](int, int, int, std::uint32_t value) { levels.insert(value); });
    return levels;
}

constexpr VideoFormat byte{.width = 131, .height = 67}, word{.width = 121, .height = 34, .bit_depth = 12};

FramePair frame(std::string_view fill, const VideoFormat &format, int index = 0, std::uint32_t seed = 1) {
    return value_of(make_frame({std::string(fill), format, seed}, index));
}

bool one_of(std::string_view fill, std::initializer_list<std::string_view> fills) {
    return std::find(fills.begin(), fills.end(), fill) != fills.end();
}

struct Known {
    std::string_view fill;
    std::uint64_t byte, word; ///< checksums of 3 frames of seed 1 and of seed 2
};

constexpr Known known[] = {
    {"clip", 0x047e9cc69b928797, 0x6ae3cb4b95e6034d},
    {"zero", 0x45dca481d2a54db8, 0xa07930453a408f68},
    {"max", 0x4eecd05344133460, 0xa6889b1de319d6d8},
    {"zero-max", 0xa6fea9fc00d30a8d, 0xc13b1da04f5bb856},
    {"max-zero", 0xedcacad915e5778b, 0x85c6adc2cdfeadea},
    {"flat", 0xe89a126bc900b21f, 0x736bc58691b5b7a8},
    {"alternating-frames", 0xf206eef226c4ec89, 0x06036779af5912c2},
    {"alternating-columns", 0xae1feb650169afc5, 0x5bb2106e20841bfa},
    {"alternating-rows", 0x4cb4874e490e6685, 0xcc52459961c86f3e},
    {"checkerboard-1", 0xa9b3357f1c35be63, 0xcfc2b83c3dd4ae8e},
    {"checkerboard-2", 0x34856bc1a527c107, 0x748f6f548364b072},
    {"checkerboard-3", 0xa28dd26bccf0e397, 0x9ac4d6ff1999f924},
    {"checkerboard-7", 0xf7b7ef1f1c94d923, 0xef7b1f89d761dfaa},
    {"checkerboard-8", 0x618b87d06239de43, 0xd8f8749eaac6ee09},
    {"checkerboard-16", 0xc65f0f04ab122843, 0x041114687d7fbbc1},
    {"checkerboard-31", 0xa22fb3edfd256c99, 0x56e181a6401e2400},
    {"checkerboard-64", 0x8bbadeeae8a1ad7b, 0x1590c811e730c1ff},
    {"ramp-horizontal", 0x2782638c7d67cfee, 0xfb61cf17dcce9b2c},
    {"ramp-vertical", 0x35c5d3d52cb86004, 0xf7a2ded6704433b4},
    {"ramp-diagonal", 0xe3630e34166267c2, 0x9788c13628518b5d},
    {"ramp-wrapping", 0x40695c0cf94fbabb, 0x3784677c88982744},
    {"impulse-single", 0x0b5339c98a110e56, 0x830cbdf9c9288aef},
    {"impulse-corners", 0xf9f174fbcff81b58, 0xcc8522ff44eb6c70},
    {"impulse-borders", 0xf5c102927af24049, 0x56c5b6278062e2a5},
    {"impulse-seams-7", 0x24273ce6551ee002, 0xcfaa0c7cc23e0cff},
    {"impulse-seams-8", 0x37782b8529e219fe, 0xc9275ef7f54deb9c},
    {"impulse-seams-16", 0xd3c4ae7bedeae582, 0x5d07ae3acf9d7c09},
    {"impulse-seams-32", 0x120b48f0080aed8d, 0xa00d0399088e998e},
    {"impulse-seams-60", 0x9e6dae7aa64b63aa, 0xc2c7e62203dd8664},
    {"impulse-seams-64", 0x2d8cb8044a6e7f95, 0x868222429fd9e83c},
    {"impulse-seams-112", 0x2c272b67149bbc10, 0xaa9320a6f872dd3c},
    {"noise", 0x64aaaa79ff4a8291, 0x1ccefd9fa85837c9},
    {"noise-saturated", 0x0326e18b0c97d77f, 0xf0653f4e690d43b5},
    {"noise-constant", 0xfd9b43d0b7e1bf8b, 0xb1bc5f2aa5602b38},
    {"constant-noise", 0xeb213366ea308a8d, 0xb9439208b8ed8118},
    {"identical", 0xd604f137af7f4860, 0x5b25d6b04cc89ce8},
    {"off-by-one", 0x20248c4d5f942295, 0x069503ca7882ed86},
    {"grain", 0x383c92768ca0d0a1, 0x9add9cb4a4ef95d7},
    {"grain-flat", 0xdf5f807a1312c1d5, 0x98178d438ec80138},
    {"grain-black", 0x24d5695eed052ba1, 0x80b7497191d075d7},
    {"grain-white", 0x2583c0a6dd9ff677, 0xde7360998bf0bd47},
    {"sparse", 0xbc8faaacfa67a4b6, 0x1995532dd2c2c424},
    {"bytes-swapped", 0x12acdd537168dccb, 0x167a5bbadf2e3c92},
    {"bytes-carry", 0x0345f9ff2db314df, 0xf5e85add78a34db5},
    {"bytes-apart", 0x328ae9a01b910d31, 0x16e186464d4457e8},
};

TEST(Content, IsTheSameOnEveryMachine) {
    ASSERT_EQ(std::size(known), content_names().size());
    for (std::size_t i = 0; i < std::size(known); i++) {
        const std::string fill(known[i].fill);
        EXPECT_EQ(fill, content_names()[i]);
        const std::uint64_t bytes = checksum({fill, byte, 1, 3}), words = checksum({fill, word, 2, 3});
        EXPECT_TRUE(bytes == known[i].byte && words == known[i].word)
            << fmt::format("{{\"{}\", {:#018x}, {:#018x}}},", fill, bytes, words);
    }
}

TEST(Content, HasSamplesOfItsFormat) {
    for (const std::string_view fill : content_names())
        for (const Chroma chroma : every_chroma)
            for (int bits = 8; bits <= 16; bits++)
                for (const auto &[width, height] : {std::pair{33, 18}, std::pair{1, 1}, std::pair{2, 65}}) {
                    const VideoFormat format{width, height, chroma, bits};
                    const FramePair pair = frame(fill, format, bits % 3);
                    for (const Frame *picture : {&pair.reference, &pair.distorted}) {
                        ASSERT_EQ(picture->format(), format) << fill;
                        std::uint32_t all = 0;
                        for_every_sample(*picture, [&](int, int, int, std::uint32_t value) { all |= value; });
                        EXPECT_LT(all, 1u << bits) << fill << " of " << bits << " bit";
                    }
                }
}

TEST(Content, RowsLieInPoison) {
    for (const std::string_view fill : content_names())
        if (fill != "clip") {
            const FramePair pair = frame(fill, byte);
            for (const Frame *picture : {&pair.reference, &pair.distorted})
                for (int p = 0; p < 3; p++)
                    for (const int x : {-1, byte.plane_width(p)})
                        EXPECT_EQ(sample(*picture, p, x, 0), default_poison) << fill;
        }
}

TEST(Content, ChangesWithTimeAndSeed) {
    for (const std::string_view fill : content_names())
        if (!one_of(fill, {"zero", "max", "zero-max", "max-zero"}))
            for (const VideoFormat &format : {byte, word}) {
                const auto hash = [&](int index, std::uint32_t seed) {
                    const FramePair pair = frame(fill, format, index, seed);
                    return checksum(pair.reference) * 7 + checksum(pair.distorted);
                };
                EXPECT_NE(hash(0, 1), hash(1, 1)) << fill;
                EXPECT_NE(hash(0, 1), hash(0, 2)) << fill;
            }
}

TEST(Content, DistortedPicturesDiffer) {
    for (const std::string_view fill : content_names()) {
        const FramePair pair = frame(fill, byte);
        EXPECT_EQ(checksum(pair.reference) == checksum(pair.distorted), one_of(fill, {"zero", "max", "identical"}))
            << fill;
        EXPECT_NE(pair.reference.plane(0).data, pair.distorted.plane(0).data) << fill;
    }
}

TEST(Content, HasTheLevelsThatNamesPromise) {
    using Levels = std::set<std::uint32_t>;
    const std::pair<std::string_view, std::pair<Levels, Levels>> fills[] = {
        {"zero", {{0}, {0}}},
        {"max", {{4095}, {4095}}},
        {"zero-max", {{0}, {4095}}},
        {"max-zero", {{4095}, {0}}},
        {"alternating-columns", {{0, 4095}, {0, 4095}}},
        {"checkerboard-7", {{0, 4095}, {0, 4095}}},
        {"noise-saturated", {{0, 4095}, {0, 4095}}},
        {"grain", {{2048, 2049}, {2048, 2049}}},
        {"grain-flat", {{2048, 2049}, {2048}}},
        {"grain-black", {{0, 1}, {0, 1}}},
        {"grain-white", {{4094, 4095}, {4094, 4095}}},
        {"bytes-swapped", {{0x001, 0x100}, {0x001, 0x100}}},
        {"bytes-carry", {{0x0ff, 0x100}, {0x0ff, 0x100}}},
        {"sparse",
         {{0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048},
          {0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}}},
    };
    for (const auto &[fill, levels] : fills) {
        const FramePair pair = frame(fill, {.width = 131, .height = 67, .bit_depth = 12});
        EXPECT_EQ(levels_of(pair.reference), levels.first) << fill;
        EXPECT_EQ(levels_of(pair.distorted), levels.second) << fill;
    }
    EXPECT_EQ(levels_of(frame("bytes-swapped", byte).reference), (Levels{0x01, 0x10}));
    EXPECT_GT(levels_of(frame("noise", byte).reference).size(), 250u);
    EXPECT_EQ(levels_of(frame("ramp-wrapping", byte).reference).size(), 256u);
    EXPECT_EQ(*levels_of(frame("ramp-diagonal", word).reference).rbegin(), 4095u);
}

TEST(Content, CheckerboardsHaveTheirPitch) {
    for (const int pitch : {1, 2, 3, 7, 8, 16, 31, 64})
        for (const int index : {0, 1}) {
            const FramePair pair = frame(fmt::format("checkerboard-{}", pitch), {.width = 200, .height = 200}, index);
            for (int y = 0; y + pitch < 200; y++)
                for (int x = 0; x + pitch < 200; x++) {
                    const std::uint32_t here = sample(pair.reference, 0, x, y);
                    ASSERT_EQ(here + sample(pair.reference, 0, x + pitch, y), 255u) << pitch;
                    ASSERT_EQ(here + sample(pair.reference, 0, x, y + pitch), 255u) << pitch;
                    ASSERT_EQ(sample(pair.distorted, 0, x, y),
                              index == 0 ? sample(pair.reference, 0, x + 1, y) : 255 - here)
                        << pitch;
                }
        }
}

TEST(Content, ImpulsesLieOnBothSidesOfSeams) {
    for (const int pitch : {7, 8, 16, 32, 60, 64, 112}) {
        std::set<int> columns, rows;
        for (int index = 0; index < 3; index++) {
            const FramePair pair = frame(fmt::format("impulse-seams-{}", pitch), {.width = 240, .height = 240}, index);
            for (int i = 1; i < 240; i++) { // row and column 0 lie on no seam but those that cross them
                if (sample(pair.reference, 0, i, 0) != sample(pair.distorted, 0, i, 0))
                    columns.insert(i);
                if (sample(pair.reference, 0, 0, i) != sample(pair.distorted, 0, 0, i))
                    rows.insert(i);
            }
        }
        std::set<int> seams;
        for (int seam = pitch; seam <= 240; seam += pitch)
            for (const int beside : {-1, 0, 1})
                if (seam + beside < 240)
                    seams.insert(seam + beside);
        EXPECT_EQ(columns, seams) << pitch;
        EXPECT_EQ(rows, seams) << pitch;
    }
}

TEST(Content, ImpulsesLieAtCornersAndBorders) {
    const auto impulses = [](std::string_view fill, int index) {
        std::set<std::pair<int, int>> places;
        const FramePair pair = frame(fill, byte, index);
        for_every_sample(pair.reference, [&](int plane, int x, int y, std::uint32_t value) {
            if (plane == 0 && value != sample(pair.distorted, 0, x, y))
                places.insert({x, y});
        });
        return places;
    };
    std::set<std::pair<int, int>> borders;
    for (int index = 0; index < 6; index++) {
        EXPECT_EQ(impulses("impulse-single", index).size(), 1u);
        EXPECT_EQ(impulses("impulse-corners", index),
                  (std::set<std::pair<int, int>>{{0, 0}, {130, 0}, {0, 66}, {130, 66}}));
        borders.merge(impulses("impulse-borders", index));
    }
    EXPECT_EQ(borders.size(), 2u * 131 + 2 * 65);
    for (const auto &[x, y] : borders)
        EXPECT_TRUE(x == 0 || x == 130 || y == 0 || y == 66) << x << ", " << y;
}

TEST(Content, PairsOfNoiseAreRelated) {
    for (int index = 0; index < 2; index++) {
        const FramePair close = frame("off-by-one", word, index), apart = frame("bytes-apart", word, index),
                        swapped = frame("bytes-swapped", word, index);
        for_every_sample(close.reference, [&](int p, int x, int y, std::uint32_t value) {
            EXPECT_EQ(value ^ sample(close.distorted, p, x, y), 1u);
        });
        for_every_sample(apart.reference, [&](int p, int x, int y, std::uint32_t value) {
            EXPECT_EQ(value & (index == 0 ? 0x0ffu : 0xf00u), 0u);
            EXPECT_EQ(sample(apart.distorted, p, x, y) & (index == 0 ? 0xf00u : 0x0ffu), 0u);
        });
        for_every_sample(swapped.reference, [&](int p, int x, int y, std::uint32_t value) {
            EXPECT_EQ(value + sample(swapped.distorted, p, x, y), 0x101u);
        });
    }
}

TEST(Content, NamesAndSummariesAreThere) {
    std::set<std::string_view> names, summaries;
    for (const std::string_view fill : content_names()) {
        names.insert(fill);
        summaries.insert(content_summary(fill));
        EXPECT_TRUE(content_summary(fill).ends_with(".")) << fill;
    }
    EXPECT_EQ(names.size(), content_names().size());
    EXPECT_EQ(summaries.size(), content_names().size());
    EXPECT_EQ(content_summary("nothing"), "");
}

TEST(Content, RefusesWhatDoesNotExist) {
    const auto unknown = make_frame({"checkerbord", byte}, 0);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::not_found);
    EXPECT_NE(unknown.error().message.find("\"checkerbord\""), std::string::npos);
    for (const std::string_view fill : content_names())
        EXPECT_NE(unknown.error().message.find(fill), std::string::npos) << fill;
    EXPECT_FALSE(make_frame({"noise", {.width = 0, .height = 1}}, 0));
    EXPECT_FALSE(make_frame({"noise", {.width = 1, .height = 1, .bit_depth = 17}}, 0));
    EXPECT_FALSE(make_frame({"noise", byte}, -1));
}

TEST(Content, IsDescribedInALine) {
    EXPECT_EQ(describe({"checkerboard-7", {131, 67, Chroma::k420, 10}, 3, 4}),
              "checkerboard-7 of seed 3, 131x67, 4:2:0, 10 bit, 4 frames");
    EXPECT_EQ(describe({"noise", {1, 2, Chroma::k400, 8}, 4294967295, 1}),
              "noise of seed 4294967295, 1x2, 4:0:0, 8 bit, 1 frame");
}

} // namespace
} // namespace isovmaf::diff::content_test
