// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/manifest/row.hpp"

#include <gtest/gtest.h>

namespace isovmaf::testing::failure_text_test {
namespace {

using namespace batch;

TEST(FailureText, NamesAreThoseOfTheRow) {
    const std::string hidden = hide_names("/a/r.y4m is 8x8, /a/r.y4m.mkv is 4x4", "/a/r.y4m", "/a/r.y4m.mkv");
    EXPECT_EQ(hidden, "{reference} is 8x8, {distorted} is 4x4");
    EXPECT_EQ(show_names(hidden, {.line = 2, .reference = "r.y4m", .distorted = "d.mkv"}),
              "r.y4m is 8x8, d.mkv is 4x4");
    EXPECT_EQ(hide_names("no memory", "", ""), "no memory");
}

} // namespace
} // namespace isovmaf::testing::failure_text_test
