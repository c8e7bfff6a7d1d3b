// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/content_blocks.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <thread>

#include <gtest/gtest.h>

namespace isovmaf::content_blocks_test {

namespace {

std::vector<std::byte> content(std::size_t size) {
    std::vector<std::byte> bytes(size);
    std::mt19937 random(7);
    std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
    return bytes;
}

void add_part(BlockHashes &hashes, std::size_t part, const std::vector<std::byte> &bytes) {
    const auto [offset, count] = hashes.layout().part(part);
    ContentHash hash;
    hash.add(std::span(bytes).subspan(offset, count));
    hashes.set(part, hash);
}

std::string digest_of(const BlockLayout &layout, const std::vector<std::byte> &bytes) {
    BlockHashes hashes(layout);
    for (std::size_t part = 0; part < layout.parts(); part++)
        add_part(hashes, part, bytes);
    return hashes.digest();
}

constexpr std::uint64_t file_bytes = 200'003;

/// Frames of 1,000 bytes behind a header of 77, of which 600 count.
constexpr BlockLayout frames{file_bytes, 77, 1000, 600};

TEST(BlockHashes, PartsMayComeInAnyOrderAndFromAnyThread) {
    const auto bytes = content(file_bytes);
    BlockHashes hashes(frames);
    EXPECT_EQ(hashes.count_missing(), frames.parts());
    {
        std::vector<std::jthread> threads;
        for (std::size_t first = 0; first < 3; first++)
            threads.emplace_back([&, first] {
                for (std::size_t part = frames.parts() - 1 - first; part < frames.parts(); part -= 3)
                    add_part(hashes, part, bytes);
            });
    }
    EXPECT_EQ(hashes.count_missing(), 0U);
    EXPECT_EQ(hashes.digest(), digest_of(frames, bytes));
}

/// A hash for each frame would take a hundred gigabytes.
TEST(BlockHashes, OfALongFileTakeMemoryForThePartsThatHaveOne) {
    const BlockLayout tiny_frames{std::uint64_t{1} << 42, 0, 1000, 600};
    BlockHashes hashes(tiny_frames);
    const std::size_t last = tiny_frames.parts() - 1;
    for (const std::size_t part : {std::size_t{0}, std::size_t{1}, std::size_t{4095}, last}) {
        EXPECT_TRUE(hashes.is_missing(part)) << part;
        hashes.set(part, {});
        EXPECT_FALSE(hashes.is_missing(part)) << part;
    }
    hashes.set(last, {});
    EXPECT_EQ(hashes.count_missing(), tiny_frames.parts() - 4) << "one came twice";
    for (const std::size_t part : {std::size_t{2}, std::size_t{4094}, std::size_t{4096}, last - 1})
        EXPECT_TRUE(hashes.is_missing(part)) << part;
}

TEST(BlockHashes, EveryByteThatIsCoveredCountsAndNoOther) {
    auto bytes = content(file_bytes);
    const std::string expected = digest_of(frames, bytes);
    const std::map<std::size_t, bool> covered{
        {0, true},        {76, true},      {77, true},      {700, true}, // the head
        {65'535, true},   {66'076, false}, {66'077, true},  {66'676, true},        {66'677, false},
        {199'076, false}, {199'077, true}, {199'500, true}, {file_bytes - 1, true}}; // the tail
    for (const auto &[at, counts] : covered) {
        bytes[at] ^= std::byte{1};
        EXPECT_EQ(digest_of(frames, bytes) != expected, counts) << at;
        bytes[at] ^= std::byte{1};
    }
}

TEST(BlockHashes, EqualBytesInOtherPlacesHaveAnotherDigest) {
    const std::vector<std::byte> zeros(file_bytes);
    std::vector<std::string> digests;
    for (const BlockLayout &layout :
         {frames, whole_file(file_bytes), whole_file(file_bytes - 1), BlockLayout{file_bytes, 77, 1000, 601},
          BlockLayout{file_bytes, 77, 1001, 600}, BlockLayout{file_bytes, 78, 1000, 600}})
        digests.push_back(digest_of(layout, zeros));
    std::ranges::sort(digests);
    EXPECT_EQ(std::ranges::adjacent_find(digests), digests.end());
}

TEST(BlockHashes, ExchangedBlocksHaveAnotherDigest) {
    auto bytes = content(file_bytes);
    const std::string expected = digest_of(frames, bytes);
    std::swap_ranges(bytes.begin() + 100'077, bytes.begin() + 100'677, bytes.begin() + 110'077);
    EXPECT_NE(digest_of(frames, bytes), expected);
}

TEST(BlockHashes, ADigestSaysItsLayout) {
    const auto bytes = content(file_bytes);
    EXPECT_EQ(layout_of(digest_of(frames, bytes)), frames);
    EXPECT_FALSE(is_of_whole_file(digest_of(frames, bytes)));
    EXPECT_TRUE(is_of_whole_file(digest_of(whole_file(file_bytes), bytes)));
    const std::string hex(32, '0');
    EXPECT_TRUE(layout_of("xxh3-128/9/1/3/2:" + hex));
    for (const std::string &wrong :
         {"xxh3-128:" + hex, "xxh3-128/9/1/3:" + hex, "xxh3-128/9/10/3/2:" + hex, "xxh3-128/9/1/0/0:" + hex,
          "xxh3-128/9/1/3/0:" + hex, "xxh3-128/9/1/3/4:" + hex, "xxh3-128/9/1/3/2:" + hex + "0",
          "xxh3-128/-9/1/3/2:" + hex, "sampled:" + hex, std::string("xxh3-128/9/1/3/2")})
        EXPECT_FALSE(layout_of(wrong)) << wrong;
}

TEST(OrderedBlocks, GiveTheDigestOfTheWholeFile) {
    constexpr std::size_t block = 1 << 20;
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, block - 1, block, 2 * block + 5}) {
        const auto bytes = content(size);
        for (const std::size_t piece : {std::size_t{70'001}, block, 3 * block}) {
            OrderedBlocks ordered(size);
            for (std::span rest(bytes); !rest.empty(); rest = rest.subspan(std::min(piece, rest.size())))
                ordered.add(rest.first(std::min(piece, rest.size())));
            ordered.add(std::as_bytes(std::span("behind the end")));
            ASSERT_EQ(ordered.hashes().count_missing(), 0U) << size;
            EXPECT_EQ(ordered.hashes().digest(), digest_of(whole_file(size), bytes)) << size << " by " << piece;
        }
    }
}

TEST(OrderedBlocks, WhatDoesNotComeIsMissing) {
    OrderedBlocks ordered(std::uint64_t{3} << 20);
    ordered.add(content((1 << 20) + 1));
    EXPECT_EQ(ordered.hashes().count_missing(), 4U);
    EXPECT_FALSE(ordered.hashes().is_missing(0));
}

} // namespace

} // namespace isovmaf::content_blocks_test
