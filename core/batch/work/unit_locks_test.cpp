// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_locks.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <csignal>
#include <filesystem>
#include <functional>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "base/testing/temporary_folder.hpp"
#include "batch/store/files.hpp"
#include "batch/work/at_work.hpp"

namespace isovmaf::testing::unit_locks_test {
namespace {

using batch::AtWork;
using batch::LockFile;
using batch::RunFolder;
using batch::UnitLocks;
using ::testing::HasSubstr;

RunFolder folder_at(const TemporaryFolder &place) {
    RunFolder folder = *RunFolder::create(place.path() / "run", {.version = "1"});
    EXPECT_TRUE(folder.settle({.version = "1", .rows = "rows-1.jsonl"}));
    return folder;
}

UnitLocks open(const RunFolder &folder, const batch::Shard &shard = {}) {
    auto locks = UnitLocks::open(folder, shard);
    EXPECT_TRUE(locks) << locks.error().message;
    return *std::move(locks);
}

/// The exit code of another process that calls `function`, which says whether all is well.
int in_process(const std::function<bool()> &function) {
    const pid_t child = fork();
    if (child == 0)
        _exit(function() ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

/// How many files of locks a run folder has.
std::ptrdiff_t lock_files(const RunFolder &folder) {
    struct stat status {};
    stat(folder.path().c_str(), &status);
    const std::string start = fmt::format("{:x}-{:x}-", status.st_dev, status.st_ino);
    const std::filesystem::directory_iterator files(fmt::format("/tmp/isovmaf-{}", geteuid()));
    return std::ranges::count_if(files,
                                 [&](const auto &file) { return file.path().filename().string().starts_with(start); });
}

TEST(UnitLocks, OneOfManyTakesAUnit) {
    const TemporaryFolder place;
    const RunFolder folder = folder_at(place);
    UnitLocks a = open(folder), b = open(folder);
    EXPECT_TRUE(*a.take(7));
    EXPECT_FALSE(*b.take(7));
    EXPECT_TRUE(*b.take(6));
    EXPECT_EQ(a.count_elsewhere(), 1U);
    EXPECT_FALSE(b.has_ended(7));
    a.give_back(7, false);
    EXPECT_FALSE(b.has_ended(7));
    EXPECT_TRUE(*b.take(7));
    EXPECT_EQ(a.count_elsewhere(), 2U);
    b.give_back(7, true);
    EXPECT_TRUE(a.has_ended(7));
}

TEST(UnitLocks, ShardsAndOtherRowsHaveOthers) {
    const TemporaryFolder place;
    RunFolder folder = folder_at(place);
    UnitLocks whole = open(folder), first = open(folder, {0, 2}), second = open(folder, {1, 2});
    EXPECT_TRUE(*whole.take(0));
    EXPECT_TRUE(*first.take(0));
    EXPECT_TRUE(*second.take(0));
    EXPECT_EQ(first.count_elsewhere(), 1U);
    ASSERT_TRUE(folder.settle({.version = "1", .rows = "rows-2.jsonl"}));
    EXPECT_TRUE(*open(folder).take(0));
}

TEST(UnitLocks, TheKernelFreesThoseOfAProcessThatIsKilled) {
    const TemporaryFolder place;
    const RunFolder folder = folder_at(place);
    UnitLocks locks = open(folder);
    const int status = in_process([&] {
        UnitLocks own = open(folder);
        return *own.take(3) && raise(SIGKILL) == 0;
    });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_TRUE(*locks.take(3));
}

TEST(UnitLocks, TheNextProcessRemovesTheFileOfOneThatWasKilled) {
    const TemporaryFolder place, elsewhere;
    const RunFolder folder = folder_at(place), other = folder_at(elsewhere);
    in_process([&] {
        const UnitLocks own = open(folder);
        return raise(SIGKILL) == 0;
    });
    const UnitLocks locks = open(other); // or any other process of this user
    EXPECT_EQ(lock_files(folder), 0);
    EXPECT_EQ(lock_files(other), 1);
}

TEST(UnitLocks, TheSameFolderHasTheSameLocksByAnyPath) {
    const TemporaryFolder place;
    const RunFolder folder = folder_at(place);
    std::filesystem::create_directory_symlink("run", place.path() / "link");
    UnitLocks a = open(folder), b = open(*RunFolder::open(place.path() / "link"));
    EXPECT_TRUE(*a.take(0));
    EXPECT_FALSE(*b.take(0));
}

TEST(UnitLocks, TheLastProcessRemovesTheFile) {
    const TemporaryFolder place;
    const RunFolder folder = folder_at(place);
    {
        const UnitLocks a = open(folder);
        { const UnitLocks b = open(folder); }
        EXPECT_EQ(lock_files(folder), 1);
    }
    EXPECT_EQ(lock_files(folder), 0);
}

TEST(UnitLocks, ResultsAreWrittenByOneOfThoseThatWait) {
    const TemporaryFolder place;
    const RunFolder folder = folder_at(place);
    UnitLocks a = open(folder), b = open(folder);
    EXPECT_TRUE(*a.begin_results());
    std::jthread writer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        a.end_results();
    });
    EXPECT_FALSE(*b.begin_results()) << "they were written while b waited";
    UnitLocks later = open(folder);
    EXPECT_TRUE(*later.begin_results()) << "its inputs may have changed since";
}

/// AtWork::begin on a host with this name.
Result<std::unique_ptr<AtWork>> begin(const std::filesystem::path &folder, const char *host,
                                      AtWork::Who who = AtWork::Who::processes, bool take_over = false) {
    setenv("ISOVMAF_HOST", host, 1);
    return AtWork::begin(folder, who, take_over);
}

class AtWorkTest : public ::testing::Test {
  protected:
    ~AtWorkTest() override {
        unsetenv("ISOVMAF_HOST");
        unsetenv("SLURM_JOB_ID");
    }

    /// A process on the host "a" works on the folder, and is killed.
    void kill_on_a() {
        const int status = in_process([&] { return begin(place_.path(), "a") && raise(SIGKILL) == 0; });
        EXPECT_TRUE(WIFSIGNALED(status));
    }

    [[nodiscard]] bool has_note() const { return std::filesystem::exists(place_.path() / "at-work.json"); }

    const TemporaryFolder place_;
};

TEST_F(AtWorkTest, ProcessesOfAHostShareAFolderAndTheLastOneTidiesUp) {
    auto a = begin(place_.path(), "a");
    auto b = begin(place_.path(), "a");
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(has_note());
    a->reset();
    EXPECT_TRUE(has_note());
    b->reset();
    EXPECT_FALSE(has_note());
}

/// Each would find the other, and leave the files to it.
TEST_F(AtWorkTest, OfThoseThatEndAtTheSameTimeTheLastOneTidiesUp) {
    const RunFolder folder = folder_at(place_);
    setenv("ISOVMAF_HOST", "a", 1);
    constexpr int rounds = 100, processes = 3;
    std::barrier together(processes);
    std::atomic<int> failed = 0, left = 0;
    const auto work = [&] { // locks belong to open files, so threads meet as processes do
        for (int round = 0; round < rounds; round++) {
            auto at_work = AtWork::begin(folder.path(), AtWork::Who::processes, false);
            failed += at_work ? 0 : 1;
            together.arrive_and_wait();
            if (at_work)
                at_work->reset();
            together.arrive_and_wait();
            left += std::filesystem::exists(folder.path() / "at-work.json") || lock_files(folder) > 0;
            together.arrive_and_wait();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < processes; i++)
            threads.emplace_back(work);
    }
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(left, 0);
}

TEST_F(AtWorkTest, ASecondHostIsToldWhoWorksThere) {
    auto a = begin(place_.path(), "a");
    ASSERT_TRUE(a);
    const auto b = begin(place_.path(), "b");
    ASSERT_FALSE(b);
    EXPECT_THAT(b.error().message, HasSubstr("processes of host a (process "));
    EXPECT_THAT(b.error().message, HasSubstr("--take-over"));
    setenv("ISOVMAF_HOST", "a", 1);
    a->reset();
    EXPECT_TRUE(begin(place_.path(), "b"));
}

TEST_F(AtWorkTest, AKilledProcessKeepsOutOtherHostsUntilTheyTakeOver) {
    kill_on_a();
    EXPECT_FALSE(begin(place_.path(), "b"));
    EXPECT_TRUE(begin(place_.path(), "a"));
    kill_on_a();
    EXPECT_TRUE(begin(place_.path(), "b", AtWork::Who::processes, true));
}

TEST_F(AtWorkTest, AJobOfSlurmGoesOnOnAnotherHost) {
    setenv("SLURM_JOB_ID", "17", 1);
    kill_on_a();
    EXPECT_TRUE(begin(place_.path(), "b"));
    kill_on_a();
    setenv("SLURM_JOB_ID", "18", 1);
    EXPECT_FALSE(begin(place_.path(), "b"));
}

TEST_F(AtWorkTest, AnMpiJobIsAlone) {
    auto job = begin(place_.path(), "a", AtWork::Who::mpi_job);
    ASSERT_TRUE(job);
    for (const AtWork::Who who : {AtWork::Who::mpi_job, AtWork::Who::processes}) {
        const auto other = begin(place_.path(), "a", who);
        ASSERT_FALSE(other);
        EXPECT_THAT(other.error().message, HasSubstr("an MPI job on host a (process "));
    }
    job->reset();
    auto process = begin(place_.path(), "a");
    ASSERT_TRUE(process);
    EXPECT_FALSE(begin(place_.path(), "a", AtWork::Who::mpi_job));
}

TEST_F(AtWorkTest, ANoteThatCannotBeReadKeepsOut) {
    ASSERT_TRUE(batch::replace_file(place_.path() / "at-work.json", "{"));
    EXPECT_FALSE(begin(place_.path(), "b"));
    EXPECT_TRUE(begin(place_.path(), "b", AtWork::Who::processes, true));
}

} // namespace
} // namespace isovmaf::testing::unit_locks_test
