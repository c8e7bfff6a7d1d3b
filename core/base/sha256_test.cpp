// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/sha256.hpp"

#include <string_view>

#include <gtest/gtest.h>

namespace isovmaf {
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

} // namespace
} // namespace isovmaf
