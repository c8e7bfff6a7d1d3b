// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/pipe_group.hpp"

#include <array>
#include <condition_variable>
#include <cstdio>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf::pipe_group_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

std::string varied_bytes(std::size_t count, int seed) {
    std::string bytes(count, '\0');
    for (std::size_t i = 0; i < count; i++)
        bytes[i] = static_cast<char>(i * 7 + i / 251 + static_cast<std::size_t>(seed));
    return bytes;
}

/// Named pipes "a" and "b", and what is said about them.
class PipeGroupTest : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const std::string &path : paths_)
            ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    }

    /// Opens pipes one after the other as a process does that feeds them, and closes them at the end.
    struct Writer {
        explicit Writer(const std::vector<std::string> &paths) {
            for (const std::string &path : paths)
                files.push_back(std::fopen(path.c_str(), "w"));
        }
        Writer(const Writer &) = delete;
        Writer &operator=(const Writer &) = delete;
        ~Writer() {
            for (std::FILE *file : files)
                std::fclose(file);
        }
        void write(std::size_t file, std::string_view bytes) const {
            std::fwrite(bytes.data(), 1, bytes.size(), files[file]);
            std::fflush(files[file]);
        }
        std::vector<std::FILE *> files;
    };

    /// All of a pipe up to its end, in reads of `step` bytes.
    std::string read_all(PipeGroup &group, std::size_t pipe, std::size_t step = 100'000) {
        std::string all, part(step, '\0');
        for (;;) {
            const auto got = group.read(pipe, std::as_writable_bytes(std::span(part)), cancelled_, log_);
            if (!got || *got == 0)
                return got ? all : got.error().message;
            all.append(part, 0, *got);
        }
    }

    /// Waits until so much is said.
    void wait_for_text(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return said_.size() >= count; });
    }

    const testing::TemporaryFolder folder_;
    const std::vector<std::string> paths_{folder_.file("a"), folder_.file("b")};
    std::atomic<bool> cancelled_ = false;
    std::mutex mutex_; ///< guards `said_`
    std::condition_variable changed_;
    std::vector<std::string> said_;
    const LogSink log_ = [this](Severity, std::string_view text) {
        const std::lock_guard lock(mutex_);
        said_.emplace_back(text);
        changed_.notify_all();
    };
};

TEST_F(PipeGroupTest, OneProcessOpensThemInEitherOrder) {
    for (const bool backwards : {false, true}) {
        PipeGroup group(paths_);
        std::thread process([&] {
            const Writer writer(backwards ? std::vector{paths_[1], paths_[0]} : paths_);
            for (const char *text : {"one ", "two "})
                for (const std::size_t file : {0U, 1U})
                    writer.write(file, text);
        });
        const std::size_t a = *group.take(paths_[0]), b = *group.take(paths_[1]);
        EXPECT_EQ(read_all(group, a), "one two ");
        EXPECT_EQ(read_all(group, b), "one two ");
        process.join();
    }
    EXPECT_THAT(said_, IsEmpty());
}

/// Far more than a pipe holds, one pipe after the other.
TEST_F(PipeGroupTest, WhatIsWrittenToOthersIsKept) {
    const std::array contents{varied_bytes(1'000'000, 1), varied_bytes(700'001, 2)};
    for (const bool side_by_side : {false, true}) {
        PipeGroup group(paths_);
        std::thread process([&] {
            const Writer writer(paths_);
            writer.write(0, contents[0]);
            writer.write(1, contents[1]);
        });
        const std::size_t a = *group.take(paths_[0]), b = *group.take(paths_[1]);
        std::string first;
        std::thread reader;
        if (side_by_side)
            reader = std::thread([&] { first = read_all(group, a, 999); });
        EXPECT_EQ(read_all(group, b), contents[1]);
        if (side_by_side)
            reader.join();
        else
            first = read_all(group, a, 999);
        EXPECT_EQ(first, contents[0]);
        process.join();
    }
}

TEST_F(PipeGroupTest, AReaderSaysWhatItWaitsFor) {
    PipeGroup group(paths_, {.patience = 1ms});
    std::thread process([&] {
        wait_for_text(1);
        const Writer writer({paths_[0]});
        wait_for_text(2);
        writer.write(0, "begun");
    });
    EXPECT_EQ(read_all(group, *group.take(paths_[0])), "begun");
    process.join();
    EXPECT_THAT(said_, ElementsAre(fmt::format("waiting for {}: no process has opened it for writing", paths_[0]),
                                   HasSubstr(paths_[0] + ": nothing came for ")));
}

TEST_F(PipeGroupTest, AReaderSaysThatOthersAreFull) {
    const std::string content = varied_bytes(400'000, 3);
    PipeGroup group(paths_, {.patience = 100ms, .kept_bytes = 100'000});
    std::thread process([&] {
        const Writer writer(paths_);
        writer.write(0, content);
    });
    std::thread canceller([&] {
        wait_for_text(1);
        cancelled_ = true;
    });
    const std::size_t a = *group.take(paths_[0]), b = *group.take(paths_[1]);
    EXPECT_THAT(read_all(group, b), HasSubstr("was stopped"));
    canceller.join();
    EXPECT_THAT(said_.front(), HasSubstr(fmt::format("; 0.1 MiB of {} are kept meanwhile, and no more: ", paths_[0])));
    cancelled_ = false;
    EXPECT_EQ(read_all(group, a), content);
    process.join();
}

TEST_F(PipeGroupTest, AllReadsEndWhenTheGroupIsCancelled) {
    PipeGroup group(paths_);
    const std::size_t a = *group.take(paths_[0]);
    std::thread canceller([&] { group.cancel(); });
    EXPECT_THAT(read_all(group, a), HasSubstr(paths_[0] + " was stopped"));
    canceller.join();
}

/// As bash gives one for <(command), which may have ended before anybody reads.
TEST_F(PipeGroupTest, APipeWithoutANameEndsWithItsWriter) {
    for (const std::string text : {"short", ""}) {
        std::array<int, 2> ends;
        ASSERT_EQ(pipe(ends.data()), 0);
        ASSERT_EQ(write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
        close(ends[1]);
        const std::string path = fmt::format("/dev/fd/{}", ends[0]);
        PipeGroup group({path});
        EXPECT_EQ(read_all(group, *group.take(path)), text);
        close(ends[0]);
    }
}

TEST_F(PipeGroupTest, FilesAndRepeatedNamesAreNoPipes) {
    const std::string file = folder_.write("file", "text");
    PipeGroup group({file, folder_.path(), folder_.file("none"), paths_[0], paths_[0], "/dev/zero"});
    EXPECT_FALSE(group.take(file));
    EXPECT_FALSE(group.take(folder_.path()));
    EXPECT_FALSE(group.take(folder_.file("none")));
    EXPECT_TRUE(group.take(paths_[0]));
    EXPECT_FALSE(group.take(paths_[0]));
    EXPECT_TRUE(group.take("/dev/zero"));
}

} // namespace
} // namespace isovmaf::pipe_group_test
