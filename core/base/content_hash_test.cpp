// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/content_hash.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::content_hash_test {
namespace {

std::vector<std::byte> content(std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; i++)
        bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
    return bytes;
}

/// Adds the bytes in pieces of `piece`.
std::string hash(std::span<const std::byte> bytes, std::size_t piece) {
    ContentHash hash;
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size())))
        hash.add(bytes.first(std::min(piece, bytes.size())));
    return hash.hex();
}

std::string hash(std::string_view text) { return hash(std::as_bytes(std::span(text)), text.size() + 1); }

TEST(ContentHash, IsThatOfXxhsum) { // xxhsum -H2
    EXPECT_EQ(hash(""), "99aa06d3014798d86001c324468d497f");
    EXPECT_EQ(hash("a"), "a96faf705af16834e6c632b61e964e1f");
    EXPECT_EQ(hash("abc"), "06b05ab6733a618578af5f94892f3950");
    EXPECT_EQ(hash("Nobody inspects the spammish repetition"), "a32c6f55b80b5f449f1a957522431b91");
    EXPECT_EQ(hash(content(1000), 1000), "99e59016b5d18a3f1a86fba1101018cf");
}

TEST(ContentHash, DoesNotDependOnHowBytesArrive) {
    for (const std::size_t size : {0U, 5U, 240U, 1024U, 1025U, 5000U}) {
        const auto bytes = content(size);
        for (const std::size_t piece : {1U, 63U, 256U, 1000U, 1024U})
            EXPECT_EQ(hash(bytes, piece), hash(bytes, size + 1)) << size << " in pieces of " << piece;
    }
}

TEST(ContentHash, EveryByteCountsInBothHalves) {
    auto bytes = content(5009);
    const std::string expected = hash(bytes, bytes.size());
    for (const std::size_t i : {std::size_t{0}, std::size_t{1023}, std::size_t{1024}, bytes.size() - 1}) {
        bytes[i] ^= std::byte{1};
        const std::string changed = hash(bytes, bytes.size());
        EXPECT_NE(changed.substr(0, 16), expected.substr(0, 16)) << i;
        EXPECT_NE(changed.substr(16), expected.substr(16)) << i;
        bytes[i] ^= std::byte{1};
    }
    bytes.push_back(std::byte{0});
    EXPECT_NE(hash(bytes, bytes.size()), expected);
}

} // namespace
} // namespace isovmaf::content_hash_test
