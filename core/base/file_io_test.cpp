// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/file_io.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf::file_io_test {
namespace {

TEST(ReadWholeFile, ReplacesTheTextByAllBytes) {
    const testing::TemporaryFolder folder;
    const std::string bytes = std::string(200'000, 'x') + '\0' + "end\n";
    std::string text = "before";
    EXPECT_EQ(read_whole_file(folder.write("a", bytes), text), 0);
    EXPECT_EQ(text, bytes);
    EXPECT_EQ(read_whole_file(folder.write("b", ""), text), 0);
    EXPECT_EQ(text, "");
}

TEST(ReadWholeFile, StopsAfterTheLimit) {
    const testing::TemporaryFolder folder;
    const std::string path = folder.write("a", std::string(1'000'000, 'x'));
    std::string text;
    EXPECT_EQ(read_whole_file(path, text, 1'000'000), 0);
    EXPECT_EQ(text.size(), 1'000'000u);
    EXPECT_EQ(read_whole_file(path, text, 100'000), 0);
    EXPECT_GT(text.size(), 100'000u);
    EXPECT_LT(text.size(), 1'000'000u);
}

TEST(ReadWholeFile, ReturnsWhatTheSystemSays) {
    const testing::TemporaryFolder folder;
    std::string text;
    EXPECT_EQ(read_whole_file(folder.file("absent"), text), ENOENT);
    EXPECT_EQ(read_whole_file(folder.path().string(), text), EISDIR);
}

TEST(WriteAllAt, PutsBytesWhereTheyBelong) {
    const testing::TemporaryFolder folder;
    const std::string path = folder.write("a", "0123456789");
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC), reader = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const std::string bytes = "ab";
    EXPECT_EQ(write_all_at(descriptor, std::as_bytes(std::span(bytes)), 12), 0);
    EXPECT_EQ(write_all_at(descriptor, std::as_bytes(std::span(bytes)), 3), 0);
    EXPECT_EQ(write_all_at(reader, std::as_bytes(std::span(bytes)), 0), EBADF);
    close(reader);
    close(descriptor);
    std::string text;
    EXPECT_EQ(read_whole_file(path, text), 0);
    EXPECT_EQ(text, std::string("012ab56789\0\0ab", 14));
}

} // namespace
} // namespace isovmaf::file_io_test
