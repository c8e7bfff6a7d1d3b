// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/files.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/testing/temporary_folder.hpp"
#include "batch/store/process_name.hpp"

namespace isovmaf::testing::files_test {
namespace {

using namespace batch;

std::size_t count_files(const TemporaryFolder &folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

TEST(NewFile, AppearsWholeOrNotAtAll) {
    const TemporaryFolder folder;
    {
        NewFile left = *NewFile::create(folder.path() / "a");
        ASSERT_TRUE(left.write("half"));
        EXPECT_FALSE(std::filesystem::exists(folder.path() / "a"));
    }
    EXPECT_EQ(count_files(folder), 0U);
    ASSERT_TRUE(replace_file(folder.path() / "a", "old"));
    ASSERT_TRUE(replace_file(folder.path() / "a", "new"));
    EXPECT_EQ(*read_file(folder.path() / "a"), "new");
    EXPECT_EQ(count_files(folder), 1U);
}

TEST(NewFile, WhatAKilledProcessLeavesIsRemoved) {
    const TemporaryFolder folder;
    const NewFile own = *NewFile::create(folder.path() / "own");
    const pid_t child = fork();
    if (child == 0) {
        const NewFile left = *NewFile::create(folder.path() / "left");
        _exit(0); // runs no destructor
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    ASSERT_TRUE(replace_file(folder.path() / "whole", "text"));
    EXPECT_EQ(count_files(folder), 3U);
    ASSERT_TRUE(remove_unfinished_files(folder.path()));
    EXPECT_EQ(count_files(folder), 2U);
    std::filesystem::remove(folder.path() / "whole");
    const auto file = std::filesystem::directory_iterator(folder.path())->path();
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
    ASSERT_TRUE(remove_unfinished_files(folder.path()));
    EXPECT_EQ(count_files(folder), 0U);
}

TEST(UniqueName, TellsWhetherItsProcessHasEnded) {
    const std::string own = unique_name();
    EXPECT_NE(own, unique_name());
    EXPECT_FALSE(is_of_ended_process(own));
    const std::string process = fmt::format("-{}-", getpid());
    std::string other = own;
    EXPECT_TRUE(is_of_ended_process(other.replace(other.rfind(process), process.size(), "-99999999-")));
    EXPECT_FALSE(is_of_ended_process("x" + other)); // another host
    EXPECT_FALSE(is_of_ended_process("another-1-2"));
}

TEST(FileFailed, SaysWhatToDoWhenTheDiskIsFull) {
    EXPECT_THAT(file_failed("write", "f", ENOSPC).value().message, ::testing::HasSubstr("make space there"));
    EXPECT_EQ(file_failed("write", "f", EIO).value().message, "cannot write f: Input/output error");
}

} // namespace
} // namespace isovmaf::testing::files_test
