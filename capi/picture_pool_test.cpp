// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/picture_pool.hpp"

#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

namespace isovmaf::capi {
namespace {

/// Counts the blocks that are allocated.
class CountedMemory final : public PictureMemory {
  public:
    std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
        blocks++;
        return {new std::byte[bytes], [this](const std::byte *block) {
                    delete[] block;
                    blocks--;
                }};
    }

    std::atomic<int> blocks = 0;
};

PictureShape small_shape() { return PictureShape::create(VMAF_PIX_FMT_YUV420P, 8, 32, 2).value(); }

VmafPicture fetch(PicturePool &pool) { return pool.fetch_within(std::chrono::minutes(1)).value(); }

TEST(PicturePool, HandsOutWhatCameBackWithItsContent) {
    CountedMemory memory;
    PicturePool pool(small_shape(), 1, memory);
    VmafPicture picture = fetch(pool);
    EXPECT_EQ(picture.w[0], 32U);
    EXPECT_EQ(static_cast<const unsigned char *>(picture.data[0])[33], 0);
    static_cast<unsigned char *>(picture.data[0])[33] = 7;
    release(picture);
    picture = fetch(pool);
    EXPECT_EQ(static_cast<const unsigned char *>(picture.data[0])[33], 7);
    release(picture);
    EXPECT_EQ(memory.blocks, 1);
}

TEST(PicturePool, PicturesHaveMemoryOfTheirOwn) {
    CountedMemory memory;
    PicturePool pool(small_shape(), 3, memory);
    VmafPicture a = fetch(pool), b = fetch(pool), c = fetch(pool);
    EXPECT_NE(a.data[0], b.data[0]);
    EXPECT_NE(b.data[0], c.data[0]);
    EXPECT_NE(a.data[0], c.data[0]);
    for (VmafPicture *picture : {&a, &b, &c})
        release(*picture);
}

TEST(PicturePool, FetchWaitsUntilTheLastShareIsDropped) {
    CountedMemory memory;
    PicturePool pool(small_shape(), 1, memory);
    VmafPicture picture = fetch(pool);
    std::optional<Frame> frame = share(picture, format_of(picture).value());
    release(picture);
    std::atomic<bool> fetched = false;
    std::thread waiting([&] {
        VmafPicture next = fetch(pool);
        fetched = true;
        release(next);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(fetched);
    frame.reset();
    waiting.join();
    EXPECT_TRUE(fetched);
}

TEST(PicturePool, AFetchMayEndWithNothing) {
    CountedMemory memory;
    PicturePool pool(small_shape(), 1, memory);
    VmafPicture picture = fetch(pool);
    EXPECT_FALSE(pool.fetch_within(std::chrono::milliseconds(0)));
    EXPECT_FALSE(pool.fetch_within(std::chrono::milliseconds(2)));
    release(picture);
}

TEST(PicturePool, PicturesOutliveItAndAreFreedOneByOne) {
    CountedMemory memory;
    auto pool = std::make_unique<PicturePool>(small_shape(), 4, memory);
    VmafPicture a = fetch(*pool), b = fetch(*pool);
    EXPECT_EQ(memory.blocks, 4);
    pool.reset();
    EXPECT_EQ(memory.blocks, 2);
    std::memset(a.data[0], 1, 32);
    release(a);
    EXPECT_EQ(memory.blocks, 1);
    release(b);
    EXPECT_EQ(memory.blocks, 0);
}

TEST(PicturePool, CanBeUsedByManyThreads) {
    CountedMemory memory;
    {
        PicturePool pool(small_shape(), 2, memory);
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; i++)
            threads.emplace_back([&pool] {
                for (int turn = 0; turn < 100; turn++) {
                    VmafPicture picture = fetch(pool);
                    std::memset(picture.data[0], turn, 64);
                    release(picture);
                }
            });
        for (std::thread &thread : threads)
            thread.join();
        EXPECT_EQ(memory.blocks, 2);
    }
    EXPECT_EQ(memory.blocks, 0);
}

} // namespace
} // namespace isovmaf::capi
