// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/xxh64.hpp"

#include <string_view>

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

std::uint64_t hash(std::string_view text, std::uint64_t seed = 0) {
    return xxh64(std::as_bytes(std::span(text)), seed);
}

// Values that xxHash's own tests and other implementations publish.
TEST(Xxh64, GivesThePublishedHashes) {
    EXPECT_EQ(hash(""), 0xef46db3751d8e999u);
    EXPECT_EQ(hash("a"), 0xd24ec4f1a98c6e5bu);
    EXPECT_EQ(hash("abc"), 0x44bc2cf5ad770999u);
    EXPECT_EQ(hash("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1u); // more than one stripe
    EXPECT_EQ(hash("xxhash", 20141025), 0xb559b98d844e0635u);
}

TEST(Xxh64, EveryByteAndTheSeedCount) {
    std::string bytes(75, 'x'); // two stripes, one 8-byte step, three single bytes
    const std::uint64_t expected = hash(bytes);
    EXPECT_NE(hash(bytes, 1), expected);
    for (char &byte : bytes) {
        byte ^= 1;
        EXPECT_NE(hash(bytes), expected);
        byte ^= 1;
    }
}

} // namespace
} // namespace isovmaf
