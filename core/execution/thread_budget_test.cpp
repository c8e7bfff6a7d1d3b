// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "execution/thread_budget.hpp"

#include <gtest/gtest.h>

namespace isovmaf::thread_budget_test {
namespace {

TEST(ThreadBudget, OneExtractionHasAllProcessors) {
    const ThreadBudget cpu = budget_of({}, 16), device = budget_of({.device = true}, 16);
    EXPECT_EQ(cpu.extractors, 16);
    EXPECT_EQ(cpu.readers, 1);
    EXPECT_EQ(cpu.decoders, 16);
    EXPECT_EQ(cpu.hashers, 8);
    EXPECT_EQ(device.copiers, 8);
    EXPECT_EQ(device.readers, 6) << "two files: 12 of 16";
}

TEST(ThreadBudget, ExtractionsShare) {
    const ThreadBudget two = budget_of({.extractions = 2, .device = true}, 16);
    EXPECT_EQ(two.extractors, 8);
    EXPECT_EQ(two.readers, 3) << "four files: 12 of 16";
    EXPECT_EQ(two.decoders, 8);
    EXPECT_EQ(budget_of({.threads = 6, .extractions = 4}, 16).extractors, 1);
}

TEST(ThreadBudget, TheUserLimitsExtractorsAndReaders) {
    const ThreadBudget budget = budget_of({.threads = 4, .device = true}, 64);
    EXPECT_EQ(budget.extractors, 4);
    EXPECT_EQ(budget.copiers, 4);
    EXPECT_EQ(budget.readers, 2);
    EXPECT_EQ(budget.decoders, 64) << "libavcodec's threads are not the user's";
    EXPECT_EQ(budget_of({.threads = 64, .device = true}, 64).readers, 8);
    EXPECT_EQ(budget_of({.threads = 100}, 4).extractors, 100) << "asked for";
}

TEST(ThreadBudget, ProcessesShareWhatNobodyAskedFor) {
    EXPECT_EQ(budget_of({.processes = 4}, 16).extractors, 4);
    EXPECT_EQ(budget_of({.threads = 6, .processes = 4}, 16).extractors, 6);
}

TEST(ThreadBudget, NothingHasNoThread) {
    const ThreadBudget budget = budget_of({.extractions = 9, .processes = 5, .device = true}, 1);
    for (const int threads : {budget.extractors, budget.copiers, budget.readers, budget.decoders, budget.hashers})
        EXPECT_EQ(threads, 1);
}

} // namespace
} // namespace isovmaf::thread_budget_test
