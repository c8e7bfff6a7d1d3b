// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/cpu_quota.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "base/processors.hpp"
#include "base/testing/temporary_folder.hpp"

namespace isovmaf::cpu_quota_test {
namespace {

namespace fs = std::filesystem;

/// A root with the files that the kernel shows a process.
class CpuQuota : public ::testing::Test {
  protected:
    void put(const std::string &path, const std::string &text) {
        const fs::path whole = root_ / path;
        fs::create_directories(whole.parent_path());
        std::ofstream(whole) << text;
    }

    void put_group(const std::string &lines) { put("proc/self/cgroup", lines); }

    std::optional<int> quota() const { return processors_of_quota(root_); }

    const testing::TemporaryFolder temporary_;
    const fs::path root_ = temporary_.path();
};

TEST_F(CpuQuota, NoGroupHasOne) {
    EXPECT_EQ(quota(), std::nullopt) << "no file";
    put_group("0::/a/b\n");
    EXPECT_EQ(quota(), std::nullopt) << "no folder";
    put("sys/fs/cgroup/a/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    EXPECT_EQ(quota(), std::nullopt);
    put_group("3:cpuset:/\n2:cpu,cpuacct:/a\n1:name=systemd:/a\n");
    put("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/cpuset/cpu.cfs_quota_us", "100000\n");
    EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(CpuQuota, IsRoundedUp) {
    put_group("0::/a\n");
    for (const auto &[text, processors] :
         {std::pair("100000 100000\n", 1), std::pair("100001 100000\n", 2), std::pair("150000 100000\n", 2),
          std::pair("200000 100000\n", 2), std::pair("1000 100000\n", 1), std::pair("12800000 100000\n", 128),
          std::pair("40000 10000", 4), std::pair("300000\n", 3)}) {
        put("sys/fs/cgroup/a/cpu.max", text);
        EXPECT_EQ(quota(), processors) << text;
    }
    for (const char *text : {"", "0 100000", "100000 0", "many 100000", "-1 100000"}) {
        put("sys/fs/cgroup/a/cpu.max", text);
        EXPECT_EQ(quota(), std::nullopt) << text;
    }
}

TEST_F(CpuQuota, OfAGroupAboveCounts) {
    put_group("0::/jobs/job 7:a/step/task\n");
    put("sys/fs/cgroup/jobs/job 7:a/step/task/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/jobs/job 7:a/step/cpu.max", "800000 100000\n");
    EXPECT_EQ(quota(), 8);
    put("sys/fs/cgroup/jobs/cpu.max", "250000 50000\n");
    EXPECT_EQ(quota(), 5);
    put("sys/fs/cgroup/jobs/other/cpu.max", "100000 100000\n");
    EXPECT_EQ(quota(), 5) << "another job's";
    put("sys/fs/cgroup/jobs/job 7:a/step/task/cpu.max", "300000 100000\n");
    EXPECT_EQ(quota(), 3);
}

/// A container sees its own group at the root.
TEST_F(CpuQuota, OfAContainer) {
    put_group("0::/\n");
    put("sys/fs/cgroup/cpu.max", "200000 100000\n");
    EXPECT_EQ(quota(), 2);
    put_group("0::/../../sibling\n");
    EXPECT_EQ(quota(), 2) << "the group is outside";
    put_group("0::/docker/0123abcd/inner\n");
    EXPECT_EQ(quota(), 2) << "the path of the host, whose folders are not there";
    put("sys/fs/cgroup/inner/cpu.max", "100000 100000\n");
    EXPECT_EQ(quota(), 1);
}

TEST_F(CpuQuota, OfTheFirstVersion) {
    put_group("12:cpuset:/job\n4:cpu,cpuacct:/job/step\n1:name=systemd:/job\n0::/user.slice\n");
    put("sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "350000\n");
    put("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "50000\n");
    EXPECT_EQ(quota(), 7);
    put("sys/fs/cgroup/unified/user.slice/cpu.max", "600000 100000\n");
    EXPECT_EQ(quota(), 6) << "both versions side by side";
}

TEST_F(CpuQuota, OfTheFirstVersionByALink) {
    put_group("4:cpuacct,cpu:/docker/0123abcd\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota(), 4);
}

TEST_F(CpuQuota, BoundsTheUsableProcessors) {
    const int all = usable_processors(root_);
    EXPECT_EQ(all, static_cast<int>(usable_processor_numbers().size()));
    put_group("0::/a\n");
    put("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
    EXPECT_EQ(usable_processors(root_), 1);
    put("sys/fs/cgroup/a/cpu.max", "10000000000 100000\n");
    EXPECT_EQ(usable_processors(root_), all);
}

} // namespace
} // namespace isovmaf::cpu_quota_test
