// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/frame_pool.hpp"

#include <array>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/align.hpp"

namespace isovmaf {
namespace {

TEST(FramePool, PlanesAreAlignedAndDisjoint) {
    FramePool pool({.width = 33, .height = 17, .chroma = Chroma::k444, .bit_depth = 10});
    const WritableFrame writable = pool.take();
    for (int p = 0; p < 3; p++) {
        const Plane &plane = writable.frame.plane(p);
        EXPECT_EQ(plane.width, 33);
        EXPECT_EQ(plane.height, 17);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plane.data) % 64, 0u);
        EXPECT_GE(plane.stride_bytes, 66);
        if (p > 0) {
            EXPECT_GE(plane.data - writable.frame.plane(p - 1).data, plane.stride_bytes * 17);
        }
    }
}

/// Samples of planes that nobody wants take no memory.
TEST(FramePool, PlanesWithoutRoomLieInTheMemoryOfTheOthers) {
    for (const Chroma chroma : {Chroma::k420, Chroma::k444}) {
        std::size_t wanted = 0;
        AlignedBytes block = allocate_aligned(1 << 16);
        const FrameMemory memory = [&](std::size_t bytes) {
            wanted = bytes;
            return std::shared_ptr<std::byte>(block.get(), [](std::byte *) {});
        };
        FramePool pool({.width = 33, .height = 17, .chroma = chroma}, ChromaEdge::present, 1, memory);
        const Frame frame = pool.take().frame;
        EXPECT_EQ(frame.plane(0).data, block.get());
        EXPECT_EQ(wanted, device_row_alignment * 17 + 64);
        for (int p = 1; p < 3; p++) {
            const Plane plane = frame.stored_plane(p);
            EXPECT_EQ(plane.data, block.get());
            EXPECT_LE(static_cast<std::size_t>(plane.stride_bytes * plane.height), wanted);
        }
    }
}

/// A device that shares the host's memory reads such frames where they lie.
TEST(FramePool, FramesInMemoryOfADeviceLieAsKernelsWant) {
    alignas(device_plane_alignment) static std::byte block[1 << 16];
    const FrameMemory memory = [&](std::size_t bytes) {
        EXPECT_LE(bytes, sizeof block);
        return std::shared_ptr<std::byte>(block, [](std::byte *) {});
    };
    for (const int width : {2, 33, 64, 130}) {
        FramePool pool({.width = width, .height = 17, .bit_depth = 10}, ChromaEdge::absent, 3, memory);
        const Frame frame = pool.take().frame;
        for (int p = 0; p < 3; p++) {
            EXPECT_EQ(static_cast<std::size_t>(frame.plane(p).data - block) % device_plane_alignment, 0u) << width;
            EXPECT_EQ(static_cast<std::size_t>(frame.plane(p).stride_bytes) % device_row_alignment, 0u) << width;
        }
    }
}

TEST(FramePool, MemoryComesBackWhenTheLastCopyGoes) {
    FramePool pool({.width = 64, .height = 64});
    Frame kept = pool.take().frame;
    const std::byte *first = kept.plane(0).data;
    Frame copy = kept;
    kept = {};
    EXPECT_NE(pool.take().frame.plane(0).data, first);
    copy = {};
    EXPECT_EQ(pool.take().frame.plane(0).data, first);
}

TEST(FramePool, FramesOutliveThePool) {
    Frame frame;
    {
        FramePool pool({.width = 16, .height = 16});
        WritableFrame writable = pool.take();
        *writable.data[0] = std::byte{42};
        frame = writable.frame;
    }
    EXPECT_EQ(*frame.plane(0).row<std::uint8_t>(0), 42);
}

TEST(FramePool, IdleMemoryIsUsedBeforeMoreIsAllocated) {
    FramePool pool({.width = 64, .height = 64});
    std::vector<Frame> frames;
    std::set<const std::byte *> places;
    for (int round = 0; round < 3; round++, frames.clear())
        for (int n = 0; n < 5; n++) {
            frames.push_back(pool.take().frame);
            places.insert(frames.back().plane(0).data);
        }
    EXPECT_EQ(places.size(), 5U);
}

TEST(FramePool, AMovedPoolGoesOn) {
    FramePool pool({.width = 16, .height = 16});
    const std::byte *first = pool.take().frame.plane(0).data;
    FramePool moved(std::move(pool));
    EXPECT_EQ(moved.take().frame.plane(0).data, first);
}

TEST(FramePool, CopiesOfNv12ArePlain) {
    const VideoFormat format{.width = 5, .height = 3, .chroma = Chroma::k420};
    const std::array<std::uint8_t, 15> luma{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const std::array<std::uint8_t, 4> chroma{21, 31, 22, 32};
    FramePool pool(format);
    // The last row first: its distance to the next is negative.
    const Frame copy = pool.copy(Frame(format, nullptr, {luma.data() + 10, chroma.data(), chroma.data() + 1},
                                       {-5, 4, 4}, ChromaEdge::absent, {SampleLayout{}, {.step = 2}, {.step = 2}}));
    EXPECT_TRUE(copy.is_plain());
    EXPECT_EQ(copy.plane(0).row<std::uint8_t>(0)[0], 11);
    EXPECT_EQ(copy.plane(0).row<std::uint8_t>(2)[4], 5);
    for (int x = 0; x < 2; x++) {
        EXPECT_EQ(copy.plane(1).row<std::uint8_t>(0)[x], 21 + x);
        EXPECT_EQ(copy.plane(2).row<std::uint8_t>(0)[x], 31 + x);
    }
}

TEST(FramePool, CopiesHaveThePoolsChromaEdge) {
    const VideoFormat odd{.width = 5, .height = 3, .chroma = Chroma::k420};
    const WritableFrame whole = FramePool(odd, ChromaEdge::present).take();
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            whole.data[2][y * whole.stride_bytes[2] + x] = static_cast<std::byte>(10 * y + x);
    FramePool same(odd, ChromaEdge::present), less(odd);
    const Plane copied = same.copy(whole.frame).stored_plane(2);
    ASSERT_EQ(copied.width, 3);
    ASSERT_EQ(copied.height, 2);
    EXPECT_EQ(copied.row<std::uint8_t>(1)[2], 12);
    EXPECT_EQ(less.copy(whole.frame).chroma_edge(), ChromaEdge::absent);
}

TEST(FramePool, CopiesOfP010HaveTheUpperBits) {
    const VideoFormat format{.width = 2, .height = 2, .chroma = Chroma::k420, .bit_depth = 10};
    const std::array<std::uint16_t, 6> words{1023 << 6, 512 << 6, 3 << 6 | 63, 4 << 6 | 1, 700 << 6, 701 << 6 | 5};
    const SampleLayout chroma{.step = 2, .shift = 6};
    FramePool pool(format);
    const Frame copy = pool.copy(Frame(format, nullptr, {words.data(), words.data() + 4, words.data() + 5}, {4, 4, 4},
                                       ChromaEdge::absent, {SampleLayout{.shift = 6}, chroma, chroma}));
    const auto sample = [&](int plane, int x, int y) { return copy.plane(plane).row<std::uint16_t>(y)[x]; };
    EXPECT_EQ(sample(0, 0, 0), 1023);
    EXPECT_EQ(sample(0, 1, 0), 512);
    EXPECT_EQ(sample(0, 0, 1), 3);
    EXPECT_EQ(sample(0, 1, 1), 4);
    EXPECT_EQ(sample(1, 0, 0), 700);
    EXPECT_EQ(sample(2, 0, 0), 701);
}

/// ThreadSanitizer reports memory that one thread gets while it does not know that another has finished with it.
TEST(FramePool, ThreadsHandMemoryToEachOther) {
    FramePool pool({.width = 64, .height = 64});
    const auto use = [&pool](std::uint8_t mark) {
        for (int n = 0; n < 200; n++) {
            const WritableFrame writable = pool.take();
            *writable.data[0] = std::byte{mark};
            std::this_thread::yield();
            ASSERT_EQ(*writable.frame.plane(0).row<std::uint8_t>(0), mark) << "two threads have the same memory";
        }
    };
    std::vector<std::thread> threads;
    for (std::uint8_t mark = 0; mark < 4; mark++)
        threads.emplace_back(use, mark);
    for (std::thread &thread : threads)
        thread.join();
}

} // namespace
} // namespace isovmaf
