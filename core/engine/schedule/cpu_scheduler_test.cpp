// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/cpu_scheduler.hpp"
#include "frame/frame_pool.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>

#include <gtest/gtest.h>

namespace isovmaf::cpu_scheduler_test {
namespace {

using namespace std::chrono_literals;

/// Writes the first luma sample; early frames take longest, so that later ones overtake them.
class SlowStart final : public Extractor {
  public:
    void extract(const PictureWindow &frames, Workspace &, Words words, Taps) const override {
        const int level = *frames.reference->plane(0).row<std::uint8_t>(0);
        running_++;
        most_ = std::max(most_.load(), running_.load());
        std::this_thread::sleep_for(level < 4 ? 20ms : 1ms);
        running_--;
        words[0] = level;
    }
    int most() const { return most_; }

  private:
    mutable std::atomic<int> running_ = 0;
    mutable std::atomic<int> most_ = 0;
};

class Throwing final : public Extractor {
  public:
    void extract(const PictureWindow &, Workspace &, Words, Taps) const override {
        throw std::runtime_error("planted");
    }
};

std::unique_ptr<FrameInFlight> numbered(Scheduler &scheduler, FramePool &pool, int index) {
    const WritableFrame writable = pool.take();
    *writable.data[0] = static_cast<std::byte>(index);
    std::unique_ptr<FrameInFlight> frame = scheduler.blank();
    frame->index = index;
    frame->pair = frame->window.pair = {writable.frame, writable.frame};
    frame->wanted = {true};
    return frame;
}

constexpr VideoFormat tiny{.width = 16, .height = 16, .chroma = Chroma::k400};

TEST(CpuScheduler, FramesComeBackInOrderAndAreBounded) {
    for (const int threads : {1, 4}) {
        const SlowStart extractor;
        FramePool pool(tiny);
        CpuScheduler scheduler({{&extractor}}, {1}, std::make_shared<CpuWorkers>(threads));
        int expected = 0;
        const auto check = [&](std::unique_ptr<FrameInFlight> frame) {
            EXPECT_EQ(frame->index, expected);
            EXPECT_EQ(frame->words[0][0], expected++);
            scheduler.recycle(std::move(frame));
        };
        int submitted = 0;
        for (; submitted < 20; submitted++) {
            if (scheduler.full())
                check(scheduler.take(Scheduler::Wait::yes));
            scheduler.submit(numbered(scheduler, pool, submitted));
            EXPECT_LE(submitted + 1 - expected, threads + 2);
        }
        while (!scheduler.empty())
            check(scheduler.take(Scheduler::Wait::yes));
        EXPECT_EQ(expected, submitted);
        EXPECT_LE(extractor.most(), threads);
    }
}

TEST(CpuScheduler, TakeWithoutWaitingGivesOnlyFinishedFrames) {
    const SlowStart extractor;
    FramePool pool(tiny);
    CpuScheduler scheduler({{&extractor}}, {1}, std::make_shared<CpuWorkers>(1));
    EXPECT_EQ(scheduler.take(Scheduler::Wait::no), nullptr);
    scheduler.submit(numbered(scheduler, pool, 0));
    while (!scheduler.take(Scheduler::Wait::no))
        std::this_thread::yield();
    EXPECT_TRUE(scheduler.empty());
}

TEST(CpuScheduler, AnExtractorsExceptionReachesTheCaller) {
    const Throwing extractor;
    FramePool pool(tiny);
    CpuScheduler scheduler({{&extractor}}, {1}, std::make_shared<CpuWorkers>(2));
    scheduler.submit(numbered(scheduler, pool, 0));
    EXPECT_THROW((void)scheduler.take(Scheduler::Wait::yes), std::runtime_error);
}

/// Adds up rows: each row of a frame counts 1, each band 1,000. A frame whose first sample is 9 throws in its last
/// band.
class RowCounter final : public BandedExtractor {
  public:
    RowCounter() : BandedExtractor(CpuLevel::scalar) {}
    int most_bands() const override { return 3; }
    void extract_band(const PictureWindow &frames, Band band, Workspace &, Words words, Taps) const override {
        const Plane &luma = frames.reference->plane(0);
        open.wait(false);
        if (*luma.row<std::uint8_t>(0) == 9 && band.index == band.count - 1)
            throw std::runtime_error("planted");
        words[0] = 1000 + band.end(luma.height) - band.begin(luma.height);
    }

    std::atomic<bool> open = true;
};

TEST(CpuScheduler, AFrameThatFindsIdleThreadsIsCutIntoBands) {
    for (const auto &[threads, bands] : {std::pair{1, 1}, {2, 2}, {4, 3}}) {
        const RowCounter extractor;
        FramePool pool(tiny);
        CpuScheduler scheduler({{&extractor}}, {1}, std::make_shared<CpuWorkers>(threads));
        for (int i = 0; i < 3; i++) {
            scheduler.submit(numbered(scheduler, pool, i));
            std::unique_ptr<FrameInFlight> frame = scheduler.take(Scheduler::Wait::yes);
            EXPECT_EQ(frame->words[0][0], 1000 * bands + 16) << threads;
            scheduler.recycle(std::move(frame)); // its words are left over for the next frame
        }
    }
}

TEST(CpuScheduler, FramesAreNotCutWhileThreadsAreBusy) {
    RowCounter extractor;
    extractor.open = false;
    FramePool pool(tiny);
    CpuScheduler scheduler({{&extractor}}, {1}, std::make_shared<CpuWorkers>(2));
    for (int i = 0; i < 4; i++)
        scheduler.submit(numbered(scheduler, pool, i));
    extractor.open = true;
    extractor.open.notify_all();
    EXPECT_EQ(scheduler.take(Scheduler::Wait::yes)->words[0][0], 2016);
    for (int i = 1; i < 4; i++)
        EXPECT_EQ(scheduler.take(Scheduler::Wait::yes)->words[0][0], 1016) << i;
}

TEST(CpuScheduler, AnExceptionInOneBandReachesTheCaller) {
    const RowCounter extractor;
    FramePool pool(tiny);
    CpuScheduler scheduler({{&extractor}}, {1}, std::make_shared<CpuWorkers>(2));
    scheduler.submit(numbered(scheduler, pool, 9));
    EXPECT_THROW((void)scheduler.take(Scheduler::Wait::yes), std::runtime_error);
}

/// The thread that waits for the first frame may run it before the worker wakes up, and the worker sleeps again then.
TEST(CpuScheduler, WhatTheWaitingThreadLeavesIsDone) {
    const SlowStart extractor;
    FramePool pool(tiny);
    CpuScheduler scheduler({{&extractor}}, {1}, std::make_shared<CpuWorkers>(1));
    for (int i = 0; i < 20; i++) {
        scheduler.submit(numbered(scheduler, pool, 0));
        scheduler.submit(numbered(scheduler, pool, 9));
        scheduler.recycle(scheduler.take(Scheduler::Wait::yes));
        std::unique_ptr<FrameInFlight> frame;
        while (!(frame = scheduler.take(Scheduler::Wait::no)))
            std::this_thread::yield();
        EXPECT_EQ(frame->words[0][0], 9);
        scheduler.recycle(std::move(frame));
    }
    EXPECT_EQ(extractor.most(), 1);
}

TEST(CpuScheduler, CanGoWithFramesInFlight) {
    const SlowStart extractor;
    FramePool pool(tiny);
    CpuScheduler scheduler({{&extractor}}, {1}, std::make_shared<CpuWorkers>(2));
    for (int i = 0; i < 4; i++)
        scheduler.submit(numbered(scheduler, pool, i));
}

} // namespace
} // namespace isovmaf::cpu_scheduler_test
