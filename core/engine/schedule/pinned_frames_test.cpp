// SPDX-License-Identifier: BSD-2-Clause-Patent
// Frames in pinned memory, on the backend that ISOVMAF_TEST_PLUGIN names: the words of the CPU, and no copy on the
// host.
#include <cstring>

#include "base/align.hpp"
#include "base/failure.hpp"
#include "device/pinned_memory.hpp"
#include "engine/testing/extracted_words.hpp"
#include "engine/testing/session_scores.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf::pinned_frames_test {
namespace {

using namespace testing;

constexpr VideoFormat format{.width = 67, .height = 49, .bit_depth = 10};
constexpr int frames = 12;

using Keeping = PinnedMemory::Keeping;

/// A copy of the frame in one block, with rows at multiples of `alignment` bytes from byte `begin` on.
Frame pinned_copy(PinnedMemory &memory, const Frame &frame, std::uint64_t alignment, Keeping keeping,
                  std::uint64_t begin = 0) {
    const auto sample_bytes = static_cast<std::uint64_t>(frame.format().bytes_per_sample());
    std::array<std::uint64_t, 3> offset{}, stride{};
    std::uint64_t bytes = begin;
    for (std::size_t p = 0; p < 3; p++) {
        stride[p] =
            align_up(static_cast<std::uint64_t>(frame.plane(static_cast<int>(p)).width) * sample_bytes, alignment);
        offset[p] = bytes;
        bytes += stride[p] * static_cast<std::uint64_t>(frame.plane(static_cast<int>(p)).height);
    }
    const std::shared_ptr<std::byte> block = value_of(memory.allocate(bytes, keeping));
    std::array<const void *, 3> data{};
    for (std::size_t p = 0; p < 3; p++) {
        const Plane &plane = frame.plane(static_cast<int>(p));
        for (int y = 0; y < plane.height; y++)
            std::memcpy(block.get() + offset[p] + stride[p] * static_cast<std::uint64_t>(y), plane.row<std::byte>(y),
                        static_cast<std::size_t>(plane.width) * sample_bytes);
        data[p] = block.get() + offset[p];
    }
    return {
        frame.format(), block, data, {std::ptrdiff_t(stride[0]), std::ptrdiff_t(stride[1]), std::ptrdiff_t(stride[2])}};
}

struct Extracted {
    WordsByFrame words;
    double copy_seconds = 0;
    double upload_seconds = 0;  ///< of the device
    bool in_place = false;      ///< slots lie in memory that host and device share
    bool can_be_placed = false; ///< kernels read frames of the host where they lie, if their planes lie as kernels want
    std::uint64_t pinned = 0;   ///< bytes at the end
    int frames_in_flight = 0;
};

/// Extracts the clip; `pin` says which pictures of which frame lie in pinned memory.
template <class Pin>
Extracted extract(const std::vector<FramePair> &clip, std::uint64_t alignment, const Pin &pin,
                  Keeping keeping = Keeping::allowed, std::uint64_t begin = 0) {
    SessionOptions options = on_device(clip.empty() ? format : clip.front().reference.format());
    options.execution.device_timing = true;
    const EnginePlan plan = plan_of(options);
    WordCollector collector;
    const ExecutionHandle execution = value_of(open_execution(options.execution));
    Extraction extraction(value_of(open_scheduler(*execution, plan, 1)), plan, options.scoring.subsample, {&collector});
    const std::shared_ptr<PinnedMemory> memory = extraction.pinned_memory();
    for (std::size_t n = 0; n < clip.size(); n++) {
        FramePair pair = clip[n];
        for (const bool distorted : {false, true})
            if (Frame &frame = distorted ? pair.distorted : pair.reference; pin(n, distorted))
                frame = pinned_copy(*memory, frame, alignment, keeping, begin);
        EXPECT_TRUE(extraction.push(std::move(pair)));
    }
    EXPECT_TRUE(extraction.finish());
    const Device &device = *extraction.device();
    return {collector.by_frame,
            extraction.upload_seconds(),
            execution->times()->uploads.get(),
            device.host_pictures().in_place,
            device.host_pictures().in_place && device.moves_ranges(),
            extraction.execution().memory.pinned,
            extraction.execution().frames_in_flight};
}

TEST(PinnedFrames, HaveTheCpusWordsAndAreNotCopied) {
    const auto clip = clip_of(format, frames);
    const WordsByFrame expected = extract_words(on_cpu(format), clip, 0, frames);
    for (const unsigned alignment : {128u, 64u, 2u}) { // the first is that of pictures on the device
        const Extracted all = extract(clip, alignment, [](std::size_t, bool) { return true; });
        EXPECT_EQ(all.words, expected) << alignment;
        EXPECT_EQ(all.copy_seconds, 0) << alignment;
        EXPECT_EQ(all.upload_seconds == 0, all.can_be_placed && alignment == 128) << alignment;
    }
}

/// As windows of larger pictures do.
TEST(PinnedFrames, MayBeginAtAnyByte) {
    VideoFormat bytes = format;
    bytes.bit_depth = 8;
    const auto clip = clip_of(bytes, 3);
    const WordsByFrame expected = extract_words(on_cpu(bytes), clip, 0, 3);
    for (const unsigned begin : {1u, 2u, 3u, 15u, 16u}) {
        const Extracted all = extract(
            clip, 1, [](std::size_t, bool) { return true; }, Keeping::allowed, begin);
        EXPECT_EQ(all.words, expected) << begin;
        EXPECT_EQ(all.copy_seconds, 0) << begin;
    }
}

TEST(PinnedFrames, AndOthersMayTakeTurns) {
    const auto clip = clip_of(format, frames);
    const WordsByFrame expected = extract_words(on_cpu(format), clip, 0, frames);
    const Extracted mixed =
        extract(clip, 128, [](std::size_t n, bool distorted) { return n % (distorted ? 3 : 2) == 0; });
    EXPECT_EQ(mixed.words, expected);
    EXPECT_GT(mixed.copy_seconds, 0);
    EXPECT_EQ(mixed.upload_seconds == 0, mixed.can_be_placed);
}

TEST(PinnedFrames, AreNotReadInPlaceWhereTheyMayNotBeKept) {
    const auto clip = clip_of(format, frames);
    const Extracted all = extract(
        clip, 128, [](std::size_t, bool) { return true; }, Keeping::forbidden);
    EXPECT_EQ(all.words, extract_words(on_cpu(format), clip, 0, frames));
    EXPECT_EQ(all.copy_seconds, 0);
    EXPECT_GT(all.upload_seconds, 0) << "the device copies them";
}

/// Pictures are in use while their frame is in flight; two earlier references and the next pair are kept besides.
TEST(PinnedFrames, UseTheirMemoryAgain) {
    const auto clip = clip_of(format, 60);
    const Extracted nothing = extract({}, 128, [](std::size_t, bool) { return false; });
    const Extracted none = extract(clip, 128, [](std::size_t, bool) { return false; });
    if (!none.in_place) {
        EXPECT_GT(none.pinned, nothing.pinned) << "what threads copy into is allocated when a picture needs it";
    }
    const std::uint64_t without_frames = none.in_place ? none.pinned : nothing.pinned; // there slots are pinned memory
    const Extracted all = extract(clip, 128, [](std::size_t, bool) { return true; });
    const std::uint64_t block = 256 * 49 + 2 * 128 * 24;
    EXPECT_LE(all.pinned - without_frames, block * 2 * static_cast<std::uint64_t>(all.frames_in_flight + 3));
}

/// The memory that a session gives, for the planes that it reads.
TEST(PinnedFrames, LieInMemoryOfTheSession) {
    const auto clip = clip_of(format, frames);
    const auto expected = score(on_cpu(format), clip);
    Session session = value_of(Session::create(on_device(format)));
    const std::uint64_t before = session.execution().memory.pinned;
    FramePool pool(format, ChromaEdge::absent, session.planes_read(), session.frame_memory());
    for (const FramePair &pair : clip)
        ASSERT_TRUE(session.push(pool.copy(pair.reference, session.planes_read()),
                                 pool.copy(pair.distorted, session.planes_read())));
    ASSERT_TRUE(session.finish());
    for (std::size_t n = 0; n < clip.size(); n++)
        EXPECT_EQ(session.scores().frames[n].scores, expected->frames[n].scores) << n;
    EXPECT_GT(session.execution().memory.pinned, before);
    EXPECT_FALSE(value_of(Session::create(on_cpu(format))).frame_memory());
}

/// More than any device has.
TEST(PinnedFrames, ThatFindNoMemoryAreANotice) {
    Session session = value_of(Session::create(on_device(format)));
    const std::size_t before = session.execution().notices.size();
    EXPECT_EQ(session.frame_memory()(std::size_t{1} << 60), nullptr);
    const std::vector<std::string> notices = session.execution().notices;
    ASSERT_EQ(notices.size(), before + 1);
    EXPECT_NE(notices.back().find("had no memory for frames of the host"), std::string::npos) << notices.back();
}

TEST(PinnedMemory, FindsBlocksInUseAlone) {
    const SessionOptions options = on_device(format);
    const EnginePlan plan = plan_of(options);
    WordCollector collector;
    Extraction extraction = extraction_for(options, plan, collector);
    const std::shared_ptr<PinnedMemory> memory = extraction.pinned_memory();
    std::shared_ptr<std::byte> block = value_of(memory->allocate(1000));
    std::byte *const address = block.get();
    EXPECT_TRUE(memory->find(address, 1000));
    EXPECT_EQ(memory->find(address + 10, 990)->offset, 10u);
    EXPECT_FALSE(memory->find(address + 10, 991));
    EXPECT_FALSE(memory->find(address - 1, 1));
    block.reset();
    EXPECT_FALSE(memory->find(address, 1));
    EXPECT_EQ(value_of(memory->allocate(1000)).get(), address);
    block = value_of(memory->allocate(1000));
    EXPECT_FALSE(memory->find_kept(block.get(), 1000));
    block.reset();
    block = value_of(memory->allocate(1000, Keeping::allowed));
    EXPECT_EQ(block.get(), address) << "a spare block";
    EXPECT_EQ(memory->find_kept(address + 10, 990)->offset, 10u);
    EXPECT_FALSE(memory->find_kept(address + 10, 991));
}

} // namespace
} // namespace isovmaf::pinned_frames_test
