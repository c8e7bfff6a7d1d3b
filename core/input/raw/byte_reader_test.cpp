// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/byte_reader.hpp"

#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::byte_reader_test {
namespace {

using namespace std::string_literals;
using testing::TemporaryFolder;

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

std::string read_text(ByteReader &reader, std::size_t count) {
    std::string text(count, '\0');
    text.resize(*reader.read(std::as_writable_bytes(std::span(text))));
    return text;
}

std::string varied_bytes(int count) {
    std::string bytes;
    for (int i = 0; i < count; i++)
        bytes += static_cast<char>(i * 7 + i / 251);
    return bytes;
}

TEST(ByteReader, PeekedBytesAreNotLost) {
    const TemporaryFolder folder;
    const auto reader = *ByteReader::open(folder.write("a", "abcdefgh"));
    EXPECT_EQ(text_of(*reader->peek(3)), "abc");
    EXPECT_EQ(reader->remaining(), 8u);
    EXPECT_EQ(read_text(*reader, 2), "ab");
    EXPECT_EQ(reader->remaining(), 6u);
    EXPECT_EQ(read_text(*reader, 100), "cdefgh");
    EXPECT_EQ(text_of(*reader->peek(1)), "");
}

TEST(ByteReader, ReadsMoreThanItsBufferHolds) {
    const std::string content = varied_bytes(300'000);
    const TemporaryFolder folder;
    const auto reader = *ByteReader::open(folder.write("a", content));
    EXPECT_EQ(read_text(*reader, 3), content.substr(0, 3));
    EXPECT_EQ(text_of(*reader->peek(ByteReader::peek_limit)), content.substr(3, ByteReader::peek_limit));
    EXPECT_EQ(read_text(*reader, 1'000'000), content.substr(3));
}

/// Whether they go through the buffer or not.
TEST(ByteReader, HashesWhatItReads) {
    const std::string content = varied_bytes(1'000'000);
    const TemporaryFolder folder;
    const std::string path = folder.write("a", content);
    OrderedBlocks expected(content.size());
    expected.add(std::as_bytes(std::span(content)));
    for (const std::size_t count : {1'000U, 70'000U, 2'000'000U}) {
        const auto hashed = std::make_shared<ReadContent>();
        const auto reader = *ByteReader::open(path, hashed);
        while (!read_text(*reader, count).empty())
            ;
        ASSERT_EQ(hashed->hashes(content.size()).count_missing(), 0U);
        EXPECT_EQ(hashed->hashes(content.size()).digest(), expected.hashes().digest());
    }
}

TEST(ByteReader, LinesEndAtALineFeedTheLimitOrTheEnd) {
    const std::string content = "one\n\nthreefold";
    ByteReader reader("memory", std::as_bytes(std::span(content)));
    const auto first = *reader.read_line(5);
    EXPECT_EQ(first.text, "one"s);
    EXPECT_TRUE(first.ended);
    const auto empty = *reader.read_line(5);
    EXPECT_TRUE(empty.text.empty());
    EXPECT_TRUE(empty.ended);
    const auto cut = *reader.read_line(5);
    EXPECT_EQ(cut.text, "three"s);
    EXPECT_FALSE(cut.ended);
    const auto last = *reader.read_line(5);
    EXPECT_EQ(last.text, "fold"s);
    EXPECT_FALSE(last.ended);
}

TEST(ByteReader, PipesAreReadAsTheyFill) {
    const TemporaryFolder folder;
    const std::string path = folder.file("pipe");
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&path] {
        FILE *pipe = fopen(path.c_str(), "w");
        for (const char *part : {"first li", "ne\nrest"}) {
            fputs(part, pipe);
            fflush(pipe);
            usleep(1000);
        }
        fclose(pipe);
    });
    const auto reader = *ByteReader::open(path);
    EXPECT_FALSE(reader->remaining());
    EXPECT_FALSE(reader->is_reopenable());
    EXPECT_EQ(reader->read_line(100)->text, "first line");
    EXPECT_EQ(read_text(*reader, 100), "rest");
    writer.join();
}

TEST(ByteReader, CancelEndsTheWaitForAPipe) {
    const TemporaryFolder folder;
    const std::string path = folder.file("pipe");
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    FILE *pipe = nullptr;
    std::thread opener([&] { pipe = fopen(path.c_str(), "w"); });
    const auto reader = *ByteReader::open(path);
    opener.join();
    std::thread canceller([&reader] {
        usleep(1000);
        reader->cancel();
    });
    const auto waited = reader->peek(1);
    ASSERT_FALSE(waited);
    EXPECT_EQ(waited.error().code, ErrorCode::interrupted);
    canceller.join();
    fclose(pipe);
}

} // namespace
} // namespace isovmaf::byte_reader_test
