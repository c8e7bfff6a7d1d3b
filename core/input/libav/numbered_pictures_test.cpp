// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/numbered_pictures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf::numbered_pictures_test {
namespace {

using isovmaf::testing::TemporaryFolder;
using ::testing::HasSubstr;

std::string error_of(const std::string &pattern) {
    const auto first = first_picture(pattern);
    return first ? "found" : first.error().message;
}

TEST(NumberedPictures, HaveAPattern) {
    for (const char *path : {"%d.png", "a/b%4d.png", "b%04d"})
        EXPECT_TRUE(is_picture_pattern(path)) << path;
    for (const char *path : {"", "%", "100%", "%s.png", "a%04", "%-4d.png"})
        EXPECT_FALSE(is_picture_pattern(path)) << path;
}

TEST(NumberedPictures, BeginWithTheLowestNumber) {
    const TemporaryFolder folder;
    for (const char *name : {"a1001.png", "a1003.png", "a1002.png", "a07.png", "a10010.png.txt", "b0.png", "a.png"})
        folder.write(name, "");
    EXPECT_EQ(first_picture(folder.file("a%04d.png")), 1001);
    EXPECT_EQ(error_of(folder.file("a%02d.png")),
              "the pictures " + folder.file("a%02d.png") +
                  " have the numbers 7 to 1003, but number 8 is missing; numbers have to follow one another");
    EXPECT_EQ(first_picture(folder.file("b%d.png")), 0);
}

TEST(NumberedPictures, MayNotExist) {
    const TemporaryFolder folder;
    EXPECT_THAT(error_of(folder.file("c%d.png")), HasSubstr("no picture has such a numbered name"));
    EXPECT_THAT(error_of(folder.file("none/c%d.png")), HasSubstr("no picture has such a numbered name"));
}

} // namespace
} // namespace isovmaf::numbered_pictures_test
