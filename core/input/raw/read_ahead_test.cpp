// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/read_ahead.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "input/raw/planar_reader.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::read_ahead_test {
namespace {

using namespace testing;

constexpr VideoFormat format{.width = 34, .height = 22, .bit_depth = 10};
constexpr int frame_count = 40, readers = 3;

/// What the system does for a call of preadv, the `call`-th one. A plain function has no other place for its state.
std::atomic<int> call;
std::atomic<std::int64_t> fault_at; ///< a byte of the file

ssize_t read_a_few_bytes(int descriptor, const iovec *parts, int, off_t offset) {
    return pread(descriptor, parts->iov_base,
                 std::min<std::size_t>(parts->iov_len, 1 + static_cast<unsigned>(call++) % 50), offset);
}

ssize_t read_parts_of_rows(int descriptor, const iovec *parts, int count, off_t offset) {
    return preadv(descriptor, parts, std::min(count, 1 + call++ % 3), offset);
}

ssize_t read_with_interruptions(int descriptor, const iovec *parts, int count, off_t offset) {
    errno = EINTR;
    return call++ % 3 == 0 ? preadv(descriptor, parts, count, offset) : -1;
}

/// Reads that reach the byte `fault_at`.
bool reaches_fault(const iovec *parts, int count, off_t offset) {
    std::int64_t end = offset;
    for (int i = 0; i < count; i++)
        end += static_cast<std::int64_t>(parts[i].iov_len);
    return offset <= fault_at && fault_at < end;
}

ssize_t fail_at_fault(int descriptor, const iovec *parts, int count, off_t offset) {
    errno = EIO;
    return reaches_fault(parts, count, offset) ? -1 : preadv(descriptor, parts, count, offset);
}

ssize_t end_at_fault(int descriptor, const iovec *parts, int count, off_t offset) {
    return reaches_fault(parts, count, offset) ? 0 : preadv(descriptor, parts, count, offset);
}

/// A file of frames, and the hashes of their luma.
class ReadAheadTest : public ::testing::Test {
  protected:
    ReadAheadTest()
        : frames_(clip_frames(format, frame_count)), path_(folder_.write("a.yuv", raw_bytes(frames_))),
          descriptor_(open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
        call = 0;
    }
    ~ReadAheadTest() override { close(descriptor_); }

    static constexpr std::size_t part_of(int frame) { return static_cast<std::size_t>(frame); }

    [[nodiscard]] EvenFrames even_frames(decltype(&preadv) read, BlockHashes *hashes) const {
        return {.descriptor = descriptor_,
                .distance = stored_frame_bytes(format),
                .count = frame_count,
                .format = format,
                .planes = 1,
                .hashes = hashes,
                .read = read};
    }

    [[nodiscard]] static BlockLayout layout() {
        return {frame_count * stored_frame_bytes(format), 0, stored_frame_bytes(format), stored_frame_bytes(format, 1)};
    }

    /// How many frames come, which have to be those of the file, and which of them have no hash.
    std::pair<int, std::vector<std::size_t>> read_all(decltype(&preadv) read, BlockHashes &hashes) {
        int count = 0;
        {
            FramePool pool(format, ChromaEdge::present, 1);
            ReadAhead ahead(even_frames(read, &hashes), pool, readers);
            for (auto frame = ahead.next(); frame; frame = ahead.next(), count++) {
                const Plane luma = frame->plane(0), expected = frames_[static_cast<std::size_t>(count)].plane(0);
                for (int y = 0; y < format.height; y++)
                    EXPECT_TRUE(std::equal(luma.row<std::uint16_t>(y), luma.row<std::uint16_t>(y) + format.width,
                                           expected.row<std::uint16_t>(y)))
                        << "frame " << count << ", row " << y;
            }
        }
        std::vector<std::size_t> missing;
        for (std::size_t part = 0; part < frame_count; part++)
            if (hashes.is_missing(part))
                missing.push_back(part);
        return {count, std::move(missing)};
    }

    /// Hashes what is missing, as who ends a reading does.
    std::string digest(BlockHashes &hashes) {
        const std::string bytes = raw_bytes(frames_);
        for (std::size_t part = 0; part < layout().parts(); part++) {
            if (!hashes.is_missing(part))
                continue;
            const ByteRange range = hashes.layout().part(part);
            ContentHash hash;
            hash.add(std::as_bytes(std::span(bytes)).subspan(range.offset, range.bytes));
            hashes.set(part, hash);
        }
        return hashes.digest();
    }

    std::string expected_digest() {
        BlockHashes none(layout());
        return digest(none);
    }

    TemporaryFolder folder_;
    const std::vector<Frame> frames_;
    const std::string path_;
    const int descriptor_;
};

TEST_F(ReadAheadTest, ReadsThatGiveLessThanWasAskedForChangeNothing) {
    for (const auto read : {preadv, read_a_few_bytes, read_parts_of_rows, read_with_interruptions}) {
        BlockHashes hashes(layout());
        EXPECT_EQ(read_all(read, hashes), std::pair(frame_count, std::vector<std::size_t>()));
        EXPECT_EQ(digest(hashes), expected_digest());
    }
}

/// Frames after it may have been read, and have hashes: those of what is in the file.
TEST_F(ReadAheadTest, AFrameThatCannotBeReadIsLeftAndHasNoHash) {
    const auto bytes = static_cast<std::int64_t>(stored_frame_bytes(format));
    for (const auto read : {fail_at_fault, end_at_fault})
        for (const int frame : {0, 17, frame_count - 1})
            for (const std::int64_t at : {std::int64_t{0}, bytes / 3}) {
                fault_at = frame * bytes + at;
                BlockHashes hashes(layout());
                const auto [count, missing] = read_all(read, hashes);
                EXPECT_EQ(count, frame);
                EXPECT_EQ(missing.front(), part_of(frame));
                EXPECT_EQ(digest(hashes), expected_digest());
            }
}

TEST_F(ReadAheadTest, AFileThatIsCutWhileItIsReadEndsWithItsLastWholeFrame) {
    for (const std::uint64_t left : {stored_frame_bytes(format) - 1, std::uint64_t{10}}) { // of frame 20; luma is read
        std::filesystem::resize_file(path_, 20 * stored_frame_bytes(format) + left);
        BlockHashes hashes(layout());
        const auto [count, missing] = read_all(preadv, hashes);
        EXPECT_EQ(count, 20);
        EXPECT_EQ(missing.size(), static_cast<std::size_t>(frame_count - 20));
    }
}

/// Samples above the bit depth are for who reads in order to name.
TEST_F(ReadAheadTest, AFrameWithALargeSampleIsLeftAndHasNoHash) {
    const std::uint16_t large = 1024;
    const int writer = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_EQ(pwrite(writer, &large, sizeof large, static_cast<off_t>(9 * stored_frame_bytes(format) + 100)), 2);
    close(writer);
    BlockHashes hashes(layout());
    const auto [count, missing] = read_all(preadv, hashes);
    EXPECT_EQ(count, 9);
    EXPECT_EQ(missing.front(), part_of(9));
}

} // namespace
} // namespace isovmaf::read_ahead_test
