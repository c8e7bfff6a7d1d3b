// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/run_folder.hpp"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf::testing::run_folder_test {
namespace {

using namespace batch;

/// More text than is read at a time, in short and long rows.
TEST(RowTable, VisitsWhatRowGives) {
    const TemporaryFolder folder;
    std::string text;
    constexpr std::size_t count = 600;
    for (std::size_t i = 0; i < count; i++)
        text += *encode_row({.line = static_cast<std::int64_t>(i),
                             .reference = std::string(i % 100 == 50 ? 100'000 : i, 'r'),
                             .distorted = "d"}) +
                '\n';
    const RowTable rows = *RowTable::open(folder.write("rows.jsonl", text));
    ASSERT_EQ(rows.size(), count);
    std::size_t next = 0;
    ASSERT_TRUE(rows.visit([&](std::size_t i, const Row &row) -> Result<void> {
        EXPECT_EQ(i, next++);
        EXPECT_EQ(row.line, static_cast<std::int64_t>(i));
        EXPECT_EQ(row.reference, rows.row(i)->reference);
        return {};
    }));
    EXPECT_EQ(next, count);
}

TEST(RowTable, VisitingEndsWithTheFirstFailure) {
    const TemporaryFolder folder;
    const std::string line = *encode_row({.line = 2, .reference = "r", .distorted = "d"}) + '\n';
    const RowTable rows = *RowTable::open(folder.write("rows.jsonl", line + line + line));
    const Result<void> visited = rows.visit([&](std::size_t i, const Row &) -> Result<void> {
        return i < 1 ? Result<void>() : fail(ErrorCode::io, fmt::format("row {}", i));
    });
    EXPECT_EQ(visited.error().message, "row 1");
}

} // namespace
} // namespace isovmaf::testing::run_folder_test
