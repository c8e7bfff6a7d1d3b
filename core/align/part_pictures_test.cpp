// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/part_pictures.hpp"

#include <random>

#include <gtest/gtest.h>

#include "align/alignment.hpp"

namespace isovmaf::part_pictures_test {

namespace {

constexpr int reach = 11;

Thumbnail noise(unsigned seed) {
    std::minstd_rand random(seed + 1);
    Thumbnail picture;
    for (std::int16_t &sample : picture.samples)
        sample = static_cast<std::int16_t>(random() % 8000) - 4000;
    return picture;
}

struct Seen {
    OffsetCosts costs{reach};
    WideSearch wide;

    explicit Seen(std::size_t first = 0) : wide(first) {}

    /// The distorted video is two frames late.
    void see(std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; n++) {
            const Thumbnail reference = noise(static_cast<unsigned>(n) + 2),
                            distorted = noise(static_cast<unsigned>(n));
            costs.add(reference, distorted);
            wide.add(reference, distorted);
        }
    }
};

std::vector<std::byte> part_of(std::size_t begin, std::size_t end) {
    Seen seen(begin);
    seen.see(begin, end);
    return encode_part(begin, seen.costs, seen.wide);
}

/// The parts end with these pairs.
Seen joined(const std::vector<std::size_t> &ends) {
    Seen all;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        EXPECT_TRUE(append_part(part_of(begin, end), all.costs, all.wide)) << begin << " to " << end;
        begin = end;
    }
    return all;
}

/// Whether the two say the same. Bytes of the whole have all costs, and the pictures that are kept.
void expect_same(const Seen &seen, const Seen &whole) {
    EXPECT_EQ(encode_part(0, seen.costs, seen.wide), encode_part(0, whole.costs, whole.wide));
    EXPECT_EQ(seen.wide.pairs(), whole.wide.pairs());
}

TEST(PartPictures, JoinedPartsAreTheWhole) {
    Seen whole;
    whole.see(0, 60);
    for (const std::vector<std::size_t> &ends : {std::vector<std::size_t>{60},
                                                 {1, 60},
                                                 {59, 60},
                                                 {10, 21, 60},
                                                 {11, 22, 60},
                                                 {12, 24, 36, 60},
                                                 {5, 6, 7, 60},
                                                 {30, 60}})
        expect_same(joined(ends), whole);
}

TEST(PartPictures, TheRestCanBeSeenFrameByFrame) {
    Seen whole, seen = joined({7, 40});
    whole.see(0, 60);
    seen.see(40, 60);
    expect_same(seen, whole);
    EXPECT_EQ(find_alignment(seen.costs).front().offset, 2);
}

TEST(PartPictures, PicturesBehindThoseOfTheWideSearchAreAtTheEndsOfPartsAlone) {
    constexpr std::size_t end = WideSearch::most_pairs + 70;
    Seen whole;
    whole.see(0, end);
    expect_same(joined({WideSearch::most_pairs - 5, WideSearch::most_pairs + 8, end}), whole);
    constexpr std::size_t pair_bytes = 2 * sizeof(Thumbnail::samples), costs_bytes = 2 * (2 * reach + 2);
    EXPECT_LT(part_of(WideSearch::most_pairs, end).size(), 64 + 70 * costs_bytes + 2 * reach * pair_bytes);
}

TEST(PartPictures, DamageAndOtherPartsAreRefused) {
    const std::vector<std::byte> part = part_of(0, 30);
    const auto refused = [](std::vector<std::byte> bytes, std::size_t before) {
        Seen seen;
        seen.see(0, before);
        const Result<void> added = append_part(bytes, seen.costs, seen.wide);
        return !added && added.error().code == ErrorCode::corrupt_data && seen.costs.frames() == before;
    };
    EXPECT_FALSE(refused(part, 0));
    EXPECT_TRUE(refused(part, 3)) << "not the next one";
    EXPECT_TRUE(refused({}, 0));
    EXPECT_TRUE(refused({part.begin(), part.end() - 1}, 0));
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{9}, std::size_t{17}, std::size_t{25}, std::size_t{33}, part.size() - 1}) {
        std::vector<std::byte> damaged = part;
        damaged[at] ^= std::byte{1};
        EXPECT_TRUE(refused(damaged, 0)) << at;
    }
}

} // namespace

} // namespace isovmaf::part_pictures_test
