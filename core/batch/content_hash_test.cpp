// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/content_hash.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/xxh64.hpp"

namespace isovmaf::testing::content_hash_test {
namespace {

using namespace batch;

constexpr std::size_t chunk = std::size_t{1} << 18;

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
    return std::move(hash).hex();
}

TEST(ContentHash, DoesNotDependOnHowBytesArrive) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{5}, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 77}) {
        const auto bytes = content(size);
        const std::string expected = hash(bytes, size + 1);
        EXPECT_EQ(expected.size(), 32u);
        for (const std::size_t piece : {std::size_t{1000}, chunk / 2, chunk - 3, chunk, chunk + 3, 2 * chunk})
            EXPECT_EQ(hash(bytes, piece), expected) << size << " in pieces of " << piece;
    }
}

TEST(ContentHash, EveryByteCountsInBothHalves) {
    auto bytes = content(2 * chunk + 9);
    const std::string expected = hash(bytes, bytes.size());
    for (const std::size_t i : {std::size_t{0}, chunk - 1, chunk, 2 * chunk, bytes.size() - 1}) {
        bytes[i] ^= std::byte{1};
        const std::string changed = hash(bytes, bytes.size());
        EXPECT_NE(changed.substr(0, 16), expected.substr(0, 16)) << i;
        EXPECT_NE(changed.substr(16), expected.substr(16)) << i;
        bytes[i] ^= std::byte{1};
    }
    bytes.push_back(std::byte{0});
    EXPECT_NE(hash(bytes, bytes.size()), expected);
}

TEST(ContentHash, HalvesAreXxh64) {
    const auto bytes = content(100);
    EXPECT_EQ(hash(bytes, 100).substr(0, 16), fmt::format("{:016x}", xxh64(bytes, 0)));
    EXPECT_EQ(hash(bytes, 100).substr(16), fmt::format("{:016x}", xxh64(bytes, 1)));
}

} // namespace
} // namespace isovmaf::testing::content_hash_test
