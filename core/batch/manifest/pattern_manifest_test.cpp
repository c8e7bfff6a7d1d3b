// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/manifest/pattern_manifest.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"
#include "batch/testing/manifest_rows.hpp"

namespace isovmaf::testing::pattern_manifest_test {
namespace {

using namespace batch;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PatternManifest : public ::testing::Test {
  protected:
    void touch(const std::string &name) const { folder_.write(name, name); }
    std::string path(const std::string &name) const { return folder_.file(name); }

    Result<std::vector<ManifestRow>> rows(const std::string &pattern, const PairRule &rule) const {
        return all_rows(find_pairs(path(pattern), rule));
    }

    TemporaryFolder folder_;
};

TEST_F(PatternManifest, FilesAreInOrderAndNamesAreFilledIn) {
    for (const char *const name : {"b.mkv", "B.mkv", "a.mkv", "a.y4m"})
        touch(name);
    const auto found = rows("*.mkv", {.reference = "{dir}/src/{stem}.y4m", .label = "{name}"});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->size(), 3U);
    EXPECT_EQ((*found)[0].fields.at("distorted"), std::vector{path("B.mkv")});
    EXPECT_EQ((*found)[1].fields.at("reference"), std::vector{path("src/a.y4m")});
    EXPECT_EQ((*found)[2].fields.at("label"), std::vector<std::string>{"b.mkv"});
    EXPECT_EQ((*found)[2].line, 3);
    EXPECT_FALSE((*found)[2].fields.contains("bit_rate"));
}

TEST_F(PatternManifest, GroupsOfALadder) {
    for (const char *const name : {"clip_1080p_4500k.mp4", "clip_2_540p_900k.mp4", "notes.mp4"})
        touch(name);
    const auto found = rows(
        "*.mp4", {.reference = "{1}.y4m", .match = R"((.+)_(\d+p)_(\d+)k\.mp4)", .label = "{2}", .bit_rate = "{3}"});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->size(), 3U);
    EXPECT_EQ((*found)[1].fields.at("reference"), std::vector<std::string>{"clip_2.y4m"});
    EXPECT_EQ((*found)[1].fields.at("bit_rate"), std::vector<std::string>{"900"});
    EXPECT_EQ((*found)[0].fields.at("label"), std::vector<std::string>{"1080p"});
    EXPECT_THAT((*found)[2].problem, HasSubstr("does not match"));
}

TEST_F(PatternManifest, AFileIsNotItsOwnReference) {
    touch("a.y4m");
    touch("b.y4m");
    std::filesystem::create_symlink(path("b.y4m"), path("c.mkv"));
    for (const std::string reference : {"{dir}/./a.y4m", "{dir}/{name}", "{dir}/c.mkv"}) {
        const auto found = rows(reference.ends_with("mkv") ? "b.*" : "a.*", {.reference = reference});
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_THAT((*found)[0].problem, HasSubstr("the file itself"));
    }
}

TEST_F(PatternManifest, RulesThatCannotBeUnderstood) {
    touch("a.mkv");
    const auto message = [&](const std::string &pattern, const PairRule &rule) {
        const auto found = rows(pattern, rule);
        return found ? "" : found.error().message;
    };
    EXPECT_THAT(message("*.mp4", {.reference = "x"}), HasSubstr("no file matches"));
    EXPECT_THAT(message("**/*.mkv", {.reference = "x"}), HasSubstr("a * for each level"));
    EXPECT_THAT(message("*.mkv", {.reference = "{base}.y4m"}), HasSubstr("\"{base}\" is not known"));
    EXPECT_THAT(message("*.mkv", {.reference = "{stem"}), HasSubstr("\"{stem\" is not known"));
    EXPECT_THAT(message("*.mkv", {.reference = "{1}.y4m"}), HasSubstr("for the 0 groups"));
    EXPECT_THAT(message("*.mkv", {.reference = "{1}.y4m", .match = "(.*"}), HasSubstr("no regular expression"));
}

} // namespace
} // namespace isovmaf::testing::pattern_manifest_test
