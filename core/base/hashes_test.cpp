// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/hashes.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::hashes_test {

namespace {

std::string hash(std::initializer_list<std::string_view> pieces) {
    Sha256 sha256;
    for (const std::string_view piece : pieces)
        sha256.add(std::as_bytes(std::span(piece)));
    return std::move(sha256).hex();
}

TEST(Sha256, HasTheValuesOfTheStandard) {
    EXPECT_EQ(hash({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hash({"abc"}), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hash({"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"}),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(hash({std::string(1'000'000, 'a')}), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesHashAsTheWholeDoes) {
    std::string text;
    for (int length = 0; length < 200; length++, text += static_cast<char>(length * 7)) {
        const std::string_view whole = text;
        for (const std::size_t cut : {std::size_t{0}, whole.size() / 3, whole.size() / 2, whole.size()})
            EXPECT_EQ(hash({whole.substr(0, cut), "", whole.substr(cut)}), hash({whole})) << length << ", " << cut;
    }
}

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

std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0) {
    return xxh64(std::as_bytes(std::span(text)), seed);
}

// Values that xxHash's own tests and other implementations publish.
TEST(Xxh64, GivesThePublishedHashes) {
    EXPECT_EQ(hash64(""), 0xef46db3751d8e999u);
    EXPECT_EQ(hash64("a"), 0xd24ec4f1a98c6e5bu);
    EXPECT_EQ(hash64("abc"), 0x44bc2cf5ad770999u);
    EXPECT_EQ(hash64("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1u); // more than one stripe
    EXPECT_EQ(hash64("xxhash", 20141025), 0xb559b98d844e0635u);
}

TEST(Xxh64, EveryByteAndTheSeedCount) {
    std::string bytes(75, 'x'); // two stripes, one 8-byte step, three single bytes
    const std::uint64_t expected = hash64(bytes);
    EXPECT_NE(hash64(bytes, 1), expected);
    for (char &byte : bytes) {
        byte ^= 1;
        EXPECT_NE(hash64(bytes), expected);
        byte ^= 1;
    }
}

} // namespace

} // namespace isovmaf::hashes_test
