// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/lease.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf::testing::lease_test {
namespace {

using batch::Leases;
using Seconds = std::chrono::seconds;

std::unique_ptr<Leases> make(const TemporaryFolder &folder, Seconds expiry = Seconds(60)) {
    auto leases = Leases::create(folder.path(), expiry);
    EXPECT_TRUE(leases) << leases.error().message;
    return *std::move(leases);
}

/// Makes a file look `seconds` older.
void age(const std::string &path, std::int64_t seconds) {
    struct stat status {};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    const timespec times[2]{status.st_atim, {status.st_mtim.tv_sec - seconds, status.st_mtim.tv_nsec}};
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST(Leases, OneOfManyTakesAUnit) {
    const TemporaryFolder folder;
    const auto a = make(folder), b = make(folder);
    EXPECT_TRUE(*a->take("u"));
    EXPECT_FALSE(*b->take("u"));
    EXPECT_FALSE(*a->take("u"));
    EXPECT_EQ(*b->count_live(), 1U);
    b->give_back("u"); // is not its own
    EXPECT_FALSE(*b->take("u"));
    a->give_back("u");
    EXPECT_TRUE(*b->take("u"));
    EXPECT_EQ(*b->count_live(), 1U);
}

TEST(Leases, EndWithTheirProcessAndLeaveNoFile) {
    const TemporaryFolder folder;
    {
        const auto a = make(folder);
        EXPECT_TRUE(*a->take("u"));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// A process that takes "u" and ends without giving it back.
pid_t dying_owner(const TemporaryFolder &folder) {
    const pid_t child = fork();
    if (child == 0) // _exit runs no destructor
        _exit(Leases::create(folder.path(), Seconds(3600)).value()->take("u").value() ? 0 : 1);
    return child;
}

TEST(Leases, OfADeadProcessAreTakenAtOnce) {
    const TemporaryFolder folder;
    const pid_t child = dying_owner(folder);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "u"));
    const auto a = make(folder, Seconds(3600));
    EXPECT_TRUE(*a->take("u"));
}

TEST(Leases, OfADeadProcessWhoseParentDoesNotWaitAreTakenAtOnce) {
    const TemporaryFolder folder;
    const pid_t child = dying_owner(folder);
    siginfo_t end{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(*make(folder, Seconds(3600))->take("u"));
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
}

TEST(Leases, OfDeadProcessesAreRemoved) {
    const TemporaryFolder folder;
    for (int i = 0; i < 2; i++)
        ASSERT_GT(waitpid(dying_owner(folder), nullptr, 0), 0);
    const auto a = make(folder);
    ASSERT_TRUE(*a->take("v"));
    std::ofstream(folder.path() / "w") << "other-1-2\nanother-boot pid:[1]\n1 2\n";
    ASSERT_TRUE(a->remove_stale());
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "u"));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "w"));
    EXPECT_EQ(*a->count_live(), 2U);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3); // two leases and the owner
}

/// The file that says who the owner is, of the only process that has one.
std::filesystem::path owner_file(const TemporaryFolder &folder) {
    for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
        if (entry.path().filename().string().starts_with(".owner-"))
            return entry.path();
    return {};
}

TEST(Leases, ALinkThatWasMadeWithoutAReplyIsTaken) {
    const TemporaryFolder folder;
    const auto a = make(folder);
    std::filesystem::create_hard_link(owner_file(folder), folder.path() / "u");
    EXPECT_TRUE(*a->take("u"));
    EXPECT_FALSE(*a->take("u"));
}

TEST(Leases, AProcessThatStoodStillTakesUnitsAgain) {
    const TemporaryFolder folder;
    const auto a = make(folder);
    ASSERT_TRUE(*a->take("u"));
    std::filesystem::remove(owner_file(folder)); // by those who took its leases away
    EXPECT_TRUE(*a->take("v"));
    const auto b = make(folder);
    EXPECT_FALSE(*b->take("v"));
    EXPECT_EQ(*b->count_live(), 2U);
}

/// A lease of a process on another host.
void foreign_lease(const TemporaryFolder &folder) {
    std::ofstream(folder.path() / "u") << "other-1-2\nanother-boot pid:[1]\n1 2\n";
}

TEST(Leases, OfOtherHostsExpireByTheFileSystemsClock) {
    const TemporaryFolder folder;
    const auto a = make(folder, Seconds(60));
    foreign_lease(folder);
    EXPECT_FALSE(*a->take("u"));
    age(folder.file("u"), 50);
    EXPECT_FALSE(*a->take("u"));
    EXPECT_EQ(*a->count_live(), 1U);
    age(folder.file("u"), 3600);
    EXPECT_EQ(*a->count_live(), 0U);
    EXPECT_TRUE(*a->take("u"));
    EXPECT_EQ(*a->count_live(), 1U);
}

TEST(Leases, AreRenewedWhileTheyAreHeld) {
    const TemporaryFolder folder;
    const auto a = make(folder, Seconds(1)), b = make(folder, Seconds(1));
    ASSERT_TRUE(*a->take("u"));
    age(folder.file("u"), 3600);
    for (int i = 0; i < 100 && *b->count_live() == 0; i++)
        usleep(20'000);
    EXPECT_EQ(*b->count_live(), 1U);
}

TEST(Leases, ALeaseThatWasTakenOverIsNotGivenBack) {
    const TemporaryFolder folder;
    const auto a = make(folder);
    ASSERT_TRUE(*a->take("u"));
    std::filesystem::remove(folder.path() / "u");
    foreign_lease(folder);
    a->give_back("u");
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "u"));
}

TEST(Leases, OfManyThatTakeAStaleOneOneGetsIt) {
    const TemporaryFolder folder;
    for (int round = 0; round < 50; round++) {
        std::vector<std::unique_ptr<Leases>> workers;
        for (int i = 0; i < 4; i++)
            workers.push_back(make(folder));
        foreign_lease(folder);
        age(folder.file("u"), 3600);
        std::atomic<int> takers = 0;
        {
            std::vector<std::jthread> threads;
            for (auto &worker : workers)
                threads.emplace_back([&] { takers += *worker->take("u"); });
        }
        EXPECT_EQ(takers, 1);
    }
}

} // namespace
} // namespace isovmaf::testing::lease_test
