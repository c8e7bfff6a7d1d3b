// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/staging.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batch/store/files.hpp"

namespace isovmaf::testing::staging_test {
namespace {

using namespace batch;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

bool never() { return false; }

class StagingTest : public ::testing::Test {
  protected:
    StagingTest() {
        std::string name = (std::filesystem::temp_directory_path() / "staging-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        for (const char *const file : {"a", "b", "c"})
            std::ofstream(path(file)) << std::string(100, file[0]);
    }
    ~StagingTest() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string &name) const { return folder_ / name; }

    std::unique_ptr<Staging> make(std::uint64_t bytes) {
        auto staging = Staging::create({folder_ / "stage", bytes},
                                       [this](Severity, std::string_view text) { warnings_.emplace_back(text); });
        EXPECT_TRUE(staging) << staging.error().message;
        return *std::move(staging);
    }

    /// Names of the files that have copies.
    std::vector<std::string> copies() const {
        std::vector<std::string> names;
        for (const auto &entry : std::filesystem::recursive_directory_iterator(folder_ / "stage"))
            if (entry.is_regular_file())
                names.push_back(entry.path().filename());
        std::ranges::sort(names);
        return names;
    }

    std::filesystem::path folder_;
    std::vector<std::string> warnings_;
};

TEST_F(StagingTest, FilesAreCopiedOnceAndRemovedAtTheEnd) {
    const auto staging = make(1000);
    const std::string pair[] = {path("a"), path("b")}, same[] = {path("a"), path("a")};
    {
        const auto files = staging->take(pair, never);
        ASSERT_TRUE(files) << files.error().message;
        EXPECT_EQ(*read_file(files->path_of(path("b"))), std::string(100, 'b'));
        EXPECT_EQ(files->with_own_paths(files->path_of(path("a")) + " is damaged"), path("a") + " is damaged");
        const auto again = staging->take(same, never);
        EXPECT_EQ(again->path_of(path("a")), files->path_of(path("a")));
    }
    EXPECT_THAT(copies(), ElementsAre("a", "b")); // for units that come later
    OrderedBlocks hashed(100);
    const std::string content(100, 'b');
    hashed.add(std::as_bytes(std::span(content)));
    EXPECT_EQ(staging->digest(*look_at(path("b"))), hashed.hashes().digest());
    EXPECT_EQ(staging->digest(*look_at(path("c"))), std::nullopt);
}

TEST_F(StagingTest, UnusedCopiesGiveWay) {
    const auto staging = make(250);
    for (const char *const name : {"a", "b", "a", "c"}) {
        const std::string file[] = {path(name)};
        ASSERT_TRUE(staging->take(file, never));
    }
    EXPECT_THAT(copies(), ElementsAre("a", "c"));
    const std::string all[] = {path("a"), path("b"), path("c")};
    const auto files = staging->take(all, never);
    ASSERT_TRUE(files);
    EXPECT_EQ(files->path_of(path("a")), path("a"));
    ASSERT_EQ(warnings_.size(), 1U);
    EXPECT_THAT(warnings_[0], HasSubstr("is not copied"));
}

TEST_F(StagingTest, UnitsWaitForRoom) {
    const auto staging = make(250);
    const std::string first[] = {path("a"), path("b")}, second[] = {path("b"), path("c")};
    std::optional<StagedFiles> files = *staging->take(first, never);
    std::atomic<bool> taken = false;
    std::jthread other([&] { taken = staging->take(second, never).has_value(); });
    EXPECT_FALSE(staging->take(second, [] { return true; }));
    EXPECT_EQ(staging->take(second, never, Staging::NoRoom::leave)->path_of(path("c")), path("c"));
    EXPECT_FALSE(taken);
    files.reset();
    other.join();
    EXPECT_TRUE(taken);
    EXPECT_THAT(copies(), ElementsAre("b", "c"));
    EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(StagingTest, AFileThatChangedIsCopiedAgain) {
    const auto staging = make(1000);
    const std::string file[] = {path("a")};
    ASSERT_TRUE(staging->take(file, never));
    std::ofstream(path("a")) << "changed";
    EXPECT_EQ(staging->digest(*look_at(path("a"))), std::nullopt);
    EXPECT_EQ(*read_file(staging->take(file, never)->path_of(path("a"))), "changed");
    std::filesystem::remove(path("a"));
    EXPECT_EQ(staging->take(file, never).error().code, ErrorCode::not_found);
}

TEST_F(StagingTest, WhatKilledProcessesLeftIsRemoved) {
    const pid_t child = fork();
    if (child == 0) {
        const std::string file[] = {path("a")};
        const auto staging = make(1000);
        const auto files = staging->take(file, never);
        _exit(files ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_THAT(copies(), ElementsAre("a"));
    const auto mine = make(1000);
    EXPECT_THAT(copies(), IsEmpty());
    const auto other = make(1000); // does not take the folder of a process that lives
    const std::string file[] = {path("b")};
    EXPECT_TRUE(mine->take(file, never));
    EXPECT_THAT(copies(), ElementsAre("b"));
}

} // namespace
} // namespace isovmaf::testing::staging_test
