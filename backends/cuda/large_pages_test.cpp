// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "cuda/large_pages.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace isovmaf::gpu::large_pages_test {
namespace {

constexpr std::size_t bytes = LargePages::page_bytes + 5000;

TEST(LargePages, AreZeroAlignedAndKnownUntilTheyAreGivenBack) {
    LargePages pages;
    auto *const one = static_cast<char *>(pages.map(bytes)), *const other = static_cast<char *>(pages.map(bytes));
    ASSERT_TRUE(one && other);
    for (char *const memory : {one, other}) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % LargePages::page_bytes, 0u);
        EXPECT_TRUE(std::all_of(memory, memory + bytes, [](char c) { return c == 0; }));
        EXPECT_TRUE(pages.has(memory));
    }
    std::fill_n(one, bytes, 'a');
    std::fill_n(other, bytes, 'b');
    EXPECT_FALSE(pages.has(one + 1));
    pages.unmap(one);
    EXPECT_FALSE(pages.has(one));
    EXPECT_TRUE(std::all_of(other, other + bytes, [](char c) { return c == 'b'; }));
    pages.unmap(other);
    EXPECT_NE(msync(other, 1, MS_ASYNC), 0) << "nothing is mapped any more";
}

TEST(LargePages, AreNotForLittleNorForMoreThanThereIs) {
    LargePages pages;
    EXPECT_EQ(pages.map(LargePages::page_bytes - 1), nullptr);
    EXPECT_EQ(pages.map(std::numeric_limits<std::size_t>::max() / 4), nullptr);
}

TEST(LargePages, AreNotThereInAForkedProcess) {
    LargePages pages;
    auto *const memory = static_cast<char *>(pages.map(bytes));
    ASSERT_TRUE(memory);
    std::fill_n(memory, bytes, 'a');
    const pid_t child = fork();
    if (child == 0) // something else may have taken the place
        _exit(msync(memory, 1, MS_ASYNC) == 0 && *memory == 'a' ? 1 : 0);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    pages.unmap(memory);
}

} // namespace
} // namespace isovmaf::gpu::large_pages_test
