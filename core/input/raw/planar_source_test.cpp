// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/planar_source.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/align.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::planar_source_test {
namespace {

using namespace testing;

constexpr VideoFormat format{.width = 8, .height = 6, .bit_depth = 10};
constexpr VideoFormat large_format{.width = 512, .height = 600, .bit_depth = 10}; ///< rows are read many at once

/// The frames as raw video and as Y4M, both with 25 frames per second.
std::vector<std::unique_ptr<FrameSource>> sources_of(const TemporaryFolder &folder, const std::vector<Frame> &frames) {
    StatedFormat stated = format;
    stated.frame_rate = Rational{25, 1};
    std::vector<std::unique_ptr<FrameSource>> sources;
    sources.push_back(*open_source(folder.write("a.yuv", raw_bytes(frames)), {.stated = stated}));
    sources.push_back(*open_source(folder.write("a.y4m", y4m_bytes("YUV4MPEG2 W8 H6 F25:1 C420p10", frames)), {}));
    return sources;
}

TEST(PlanarSource, TimesFramesByTheirNumber) {
    const TemporaryFolder folder;
    for (const auto &source : sources_of(folder, clip_frames(format, 4))) {
        EXPECT_EQ((**source->read()).seconds(), 0.0);
        EXPECT_EQ(*source->skip(2), 2);
        EXPECT_EQ((**source->read()).seconds(), 3 / 25.0);
        EXPECT_FALSE(source->read()->has_value());
        EXPECT_EQ(*source->skip(1), 0);
    }
}

TEST(PlanarSource, ReadsRowsThatFollowEachOther) {
    const TemporaryFolder folder;
    SourceOptions options;
    options.stated = large_format;
    const auto frames = clip_frames(large_format, 3);
    expect_frames(folder.write("a.yuv", raw_bytes(frames)), options, frames);
    expect_frames(folder.write("a.y4m", y4m_bytes("YUV4MPEG2 W512 H600 F25:1 C420p10", frames)), {}, frames);
}

/// Wherever it is, and though rows are looked at many at once.
TEST(PlanarSource, NamesTheRowOfALargeSample) {
    const TemporaryFolder folder;
    SourceOptions options;
    options.stated = large_format;
    for (const auto &[plane, row] : {std::pair{0, 0}, {0, 255}, {0, 256}, {0, 599}, {1, 0}, {2, 299}}) {
        const Frame frame = stored_frame(large_format, [plane = plane, row = row](int p, int x, int y) {
            return p == plane && x == 255 && y >= row ? 1024 : 1023;
        });
        const auto read = (*open_source(folder.write("a.yuv", raw_bytes({frame})), options))->read();
        ASSERT_FALSE(read);
        const std::string place = fmt::format("in row {} of plane {},", row, plane);
        EXPECT_NE(read.error().message.find(place), std::string::npos) << read.error().message;
    }
}

/// A frame that is cut short is not looked at.
TEST(PlanarSource, LooksAtWholeFrames) {
    const TemporaryFolder folder;
    const auto good = clip_frames(large_format, 1);
    const Frame bad = stored_frame(large_format, [](int, int, int) { return 1024; });
    std::string bytes = y4m_bytes("YUV4MPEG2 W512 H600 F25:1 C420p10", {good.front(), bad});
    bytes.pop_back();
    expect_frames(folder.write("a.y4m", bytes), {}, good);
}

TEST(PlanarSource, ReadsNoMoreAfterAnError) {
    const TemporaryFolder folder;
    const Frame good = clip_frames(format, 1).front();
    const Frame bad = stored_frame(format, [](int, int, int) { return 1024; });
    for (const auto &source : sources_of(folder, {bad, good})) {
        EXPECT_FALSE(source->read());
        EXPECT_FALSE(source->read()->has_value());
        EXPECT_EQ(*source->skip(1), 0);
    }
}

/// Y4M without parameters in the headers of frames.
std::string plain_y4m(const std::vector<Frame> &frames) {
    std::string bytes = "YUV4MPEG2 W8 H6 F25:1 C420p10\n";
    for (const Frame &frame : frames)
        bytes += "FRAME\n" + raw_bytes({frame});
    return bytes;
}

/// The file's source with so many readers, after `prepare`.
std::unique_ptr<FrameSource> prepared(const std::string &path, FrameNeeds needs) {
    SourceOptions options;
    options.allow_partial = true;
    if (path.ends_with(".yuv"))
        options.stated = format;
    std::unique_ptr<FrameSource> source = *open_source(path, options);
    EXPECT_TRUE(source->prepare(needs));
    return source;
}

/// What a source gives from first to last: the luma of each frame, and how it ends.
struct Reading {
    std::vector<std::vector<std::uint16_t>> luma;
    std::string end; ///< the error or the warning

    friend bool operator==(const Reading &, const Reading &) = default;
};

/// After `passed` frames were read.
Reading reading_of(FrameSource &source, std::int64_t passed = 0) {
    Reading reading;
    for (;;) {
        const auto frame = source.read();
        if (!frame || !*frame) {
            reading.end = frame ? source.end_warning() : frame.error().message;
            return reading;
        }
        const std::int64_t number = passed + static_cast<std::int64_t>(reading.luma.size());
        EXPECT_EQ((**frame).seconds(), source.info().timing.seconds_of(number));
        std::vector<std::uint16_t> luma;
        for (int y = 0; y < format.height; y++) {
            const auto *row = (**frame).plane(0).row<std::uint16_t>(y);
            luma.insert(luma.end(), row, row + format.width);
        }
        reading.luma.push_back(std::move(luma));
    }
}

/// Files that end well and badly, in frames that are read ahead and in order.
TEST(PlanarSource, SeveralReadersGiveWhatOneGives) {
    const TemporaryFolder folder;
    auto frames = clip_frames(format, 40);
    const std::string raw = raw_bytes(frames), y4m = plain_y4m(frames);
    std::string odd_header = y4m;
    odd_header.insert(odd_header.find("FRAME", odd_header.size() * 3 / 5) + 5, " Ip");
    std::string broken_header = y4m;
    broken_header[broken_header.find("FRAME", broken_header.size() / 2)] = 'f';
    frames[33] = stored_frame(format, [](int, int x, int y) { return x == 5 && y == 4 ? 1024 : 512; });
    const std::pair<std::string, std::string> files[] = {
        {"a.yuv", raw},
        {"cut.yuv", raw.substr(0, raw.size() - 1)},
        {"large.yuv", raw_bytes(frames)},
        {"a.y4m", y4m},
        {"cut.y4m", y4m.substr(0, y4m.size() - 20)},
        {"cut_header.y4m", y4m + "FRA"},
        {"odd.y4m", odd_header},
        {"broken.y4m", broken_header},
        {"large.y4m", plain_y4m(frames)},
    };
    for (const auto &[name, bytes] : files) {
        const std::string path = folder.write(name, bytes);
        for (const int planes : {1, 3}) {
            const Reading expected = reading_of(*prepared(path, {.planes = planes}));
            EXPECT_GE(expected.luma.size(), 20U) << name;
            for (const int readers : {2, 3, 8})
                EXPECT_EQ(reading_of(*prepared(path, {.planes = planes, .readers = readers})), expected)
                    << name << ", " << readers << " readers, " << planes << " planes";
        }
    }
}

TEST(PlanarSource, SeveralReadersPassOverFrames) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(format, 30);
    for (const std::string &path :
         {folder.write("a.yuv", raw_bytes(frames)), folder.write("a.y4m", plain_y4m(frames))}) {
        const auto source = prepared(path, {.readers = 3});
        std::size_t next = 0;
        for (const std::size_t skipped : {0U, 1U, 4U, 0U, 7U}) {
            EXPECT_EQ(*source->skip(static_cast<std::int64_t>(skipped)), static_cast<std::int64_t>(skipped));
            next += skipped;
            for (int i = 0; i < 2; i++)
                EXPECT_TRUE(same_frame(**source->read(), frames[next++])) << path;
        }
    }
}

/// Samples that nobody wants are not looked at.
TEST(PlanarSource, ReadsThePlanesThatAreWanted) {
    const TemporaryFolder folder;
    const std::vector<Frame> frames(9, stored_frame(format, [](int p, int, int) { return p == 2 ? 1024 : 1023; }));
    for (const std::string &path : {folder.write("a.yuv", raw_bytes(frames)), folder.write("a.y4m", plain_y4m(frames))})
        for (const int readers : {1, 3}) {
            EXPECT_EQ(reading_of(*prepared(path, {.planes = 2, .readers = readers})).luma.size(), 9U);
            const auto source = prepared(path, {.planes = 3, .readers = readers});
            const auto read = source->read();
            ASSERT_FALSE(read);
            EXPECT_NE(read.error().message.find("in row 0 of plane 2"), std::string::npos) << read.error().message;
        }
}

/// As many blocks as there are; frames without one lie elsewhere.
TEST(PlanarSource, FramesLieInTheMemoryThatIsWanted) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(format, 8);
    const std::string path = folder.write("a.yuv", raw_bytes(frames));
    for (const int readers : {1, 3}) {
        const auto mutex = std::make_shared<std::mutex>();
        const auto given = std::make_shared<std::set<const std::byte *>>();
        const FrameMemory memory = [mutex, given](std::size_t bytes) -> std::shared_ptr<std::byte> {
            const std::lock_guard lock(*mutex);
            if (given->size() == 5)
                return nullptr;
            AlignedBytes block = allocate_aligned(bytes);
            given->insert(block.get());
            return {block.release(), AlignedFree()};
        };
        const auto source = prepared(path, {.planes = 1, .memory = memory, .readers = readers});
        const auto read = *read_all(*source);
        ASSERT_EQ(read.size(), frames.size());
        const auto lies_there = [&](const Frame &frame) { return given->contains(frame.plane(0).data); };
        EXPECT_EQ(std::ranges::count_if(read, lies_there), 5);
    }
}

TEST(PlanarSource, SeveralReadersStopWhenTheReadingIsCancelled) {
    const TemporaryFolder folder;
    const auto source = prepared(folder.write("a.y4m", plain_y4m(clip_frames(format, 30))), {.readers = 3});
    ASSERT_TRUE(source->read());
    source->cancel();
    const auto frame = source->read();
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().code, ErrorCode::interrupted);
}

/// Where the last frame of a file is cut: inside planes that are read, and inside those that are not.
std::vector<std::uint64_t> cuts(const VideoFormat &cut_format) {
    const std::uint64_t luma = stored_frame_bytes(cut_format, 1), all = stored_frame_bytes(cut_format);
    return {luma - 1, luma, luma + 1, stored_frame_bytes(cut_format, 2), all - 1};
}

TEST(PlanarSource, AnEndInsidePlanesThatNobodyWantsIsOneInsideTheFrame) {
    const TemporaryFolder folder;
    const std::string raw = raw_bytes(clip_frames(format, 5)), y4m = plain_y4m(clip_frames(format, 5));
    for (const std::uint64_t found : cuts(format)) {
        const std::uint64_t lost = stored_frame_bytes(format) - found;
        const std::string expected = fmt::format("ends inside frame 4, after {} of its {} bytes; the 4 whole frames "
                                                 "before it are used",
                                                 found, stored_frame_bytes(format));
        for (const std::string &path : {folder.write("a.yuv", raw.substr(0, raw.size() - lost)),
                                        folder.write("a.y4m", y4m.substr(0, y4m.size() - lost))})
            for (const int planes : {1, 2, 3})
                for (const int readers : {1, 3})
                    EXPECT_EQ(reading_of(*prepared(path, {.planes = planes, .readers = readers})).end,
                              path + ' ' + expected)
                        << readers << " readers, " << planes << " planes";
    }
}

/// The file loses its second half while it is read.
TEST(PlanarSource, SaysThatAFileWasCutWhileItWasRead) {
    const TemporaryFolder folder;
    // Those that read ahead have not come that far.
    const std::string bytes = raw_bytes(std::vector<Frame>(20, clip_frames(large_format, 1).front()));
    for (const int readers : {1, 3})
        for (const int planes : {1, 2, 3})
            for (const std::uint64_t found : cuts(large_format)) {
                const std::string path = folder.write("a.yuv", bytes);
                SourceOptions options;
                options.stated = large_format;
                const auto source = *open_source(path, options);
                EXPECT_TRUE(source->prepare({.planes = planes, .readers = readers}));
                ASSERT_TRUE(source->read());
                std::filesystem::resize_file(path, bytes.size() / 2 + found);
                const auto rest = read_all(*source);
                ASSERT_FALSE(rest) << readers << " readers, " << planes << " planes, " << found << " bytes";
                const std::string where = fmt::format("a.yuv ends inside frame 10, after {} of", found);
                EXPECT_NE(rest.error().message.find(where), std::string::npos) << rest.error().message;
            }
}

/// Where a frame ends, or inside one that was read before.
TEST(PlanarSource, SaysThatFramesAreMissingOfAFileThatWasCut) {
    const TemporaryFolder folder;
    const std::string bytes = raw_bytes(std::vector<Frame>(12, clip_frames(large_format, 1).front()));
    for (const int readers : {1, 3})
        for (const std::uint64_t part : {std::uint64_t{0}, std::uint64_t{1}, stored_frame_bytes(large_format, 1)}) {
            const std::string path = folder.write("a.yuv", bytes);
            SourceOptions options;
            options.stated = large_format;
            const auto source = *open_source(path, options);
            EXPECT_TRUE(source->prepare({.planes = 1, .readers = readers}));
            ASSERT_TRUE(source->read());
            std::filesystem::resize_file(path, 3 * stored_frame_bytes(large_format) + part);
            const auto rest = read_all(*source);
            ASSERT_FALSE(rest) << readers << " readers, " << part;
            if (part == 0) {
                const std::string &message = rest.error().message;
                EXPECT_NE(message.find("frames, and had 12 when it was opened"), std::string::npos) << message;
            }
        }
}

} // namespace
} // namespace isovmaf::planar_source_test
