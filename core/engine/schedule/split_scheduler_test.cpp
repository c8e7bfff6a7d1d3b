// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/split_scheduler.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "engine/schedule/cpu_scheduler.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf::split_scheduler_test {
namespace {

using namespace std::chrono_literals;

/// Writes the first luma sample times `factor`, once for each word; every third frame takes longer.
class Multiple final : public Extractor {
  public:
    Multiple(int factor, std::chrono::milliseconds delay) : factor_(factor), delay_(delay) {}

    void extract(const PictureWindow &frames, Workspace &, Words words, Taps) const override {
        const int level = *frames.reference->plane(0).row<std::uint8_t>(0);
        if (level % 3 == 0)
            std::this_thread::sleep_for(delay_);
        std::ranges::fill(words, factor_ * level);
    }

  private:
    int factor_;
    std::chrono::milliseconds delay_;
};

class Throwing final : public Extractor {
  public:
    void extract(const PictureWindow &, Workspace &, Words, Taps) const override {
        throw std::runtime_error("planted");
    }
};

constexpr VideoFormat tiny{.width = 16, .height = 16, .chroma = Chroma::k400};

std::unique_ptr<Scheduler> on_threads(std::vector<CpuFeature> features, std::vector<std::size_t> counts, int threads) {
    return std::make_unique<CpuScheduler>(std::move(features), std::move(counts),
                                          std::make_shared<CpuWorkers>(threads));
}

/// Extractors 0 and 2 in the first part, which has `threads` threads, extractor 1 in the second, which has one.
struct Split {
    Multiple zero, one, two;
    SplitScheduler scheduler;

    Split(int threads, std::chrono::milliseconds first, std::chrono::milliseconds second)
        : zero(1, first), one(10, second), two(100, first),
          scheduler({1, 2, 3}, parts({{&zero}, {&two}}, {{&one}}, threads)) {}

    static std::vector<SplitScheduler::Part> parts(std::vector<CpuFeature> first, std::vector<CpuFeature> second,
                                                   int threads) {
        std::vector<SplitScheduler::Part> parts;
        parts.push_back({on_threads(std::move(first), {1, 3}, threads), {0, 2}});
        parts.push_back({on_threads(std::move(second), {2}, 1), {1}});
        return parts;
    }
};

std::unique_ptr<FrameInFlight> numbered(Scheduler &scheduler, FramePool &pool, int index) {
    const WritableFrame writable = pool.take();
    *writable.data[0] = static_cast<std::byte>(index);
    std::unique_ptr<FrameInFlight> frame = scheduler.blank();
    frame->index = index;
    frame->pair = frame->window.pair = {writable.frame, writable.frame};
    frame->wanted = {true, true, true};
    return frame;
}

using Rows = std::vector<std::vector<std::int64_t>>;

TEST(SplitScheduler, WordsOfEveryPartComeBackInOrder) {
    for (const auto &[first, second] : {std::pair(5ms, 0ms), std::pair(0ms, 5ms), std::pair(0ms, 0ms)}) {
        FramePool pool(tiny);
        Split split(4, first, second);
        SplitScheduler &scheduler = split.scheduler;
        EXPECT_EQ(scheduler.max_in_flight(), 6U) << "of the roomier part";
        int expected = 0;
        const auto check = [&](std::unique_ptr<FrameInFlight> frame) {
            ASSERT_TRUE(frame);
            EXPECT_EQ(frame->index, expected);
            const std::int64_t n = expected++;
            EXPECT_EQ(frame->words, (Rows{{n}, {10 * n, 10 * n}, {100 * n, 100 * n, 100 * n}}));
            scheduler.recycle(std::move(frame));
        };
        for (int n = 0; n < 30; n++) {
            if (scheduler.full())
                check(scheduler.take(Scheduler::Wait::yes));
            scheduler.submit(numbered(scheduler, pool, n));
        }
        while (!scheduler.empty())
            check(scheduler.take(Scheduler::Wait::yes));
        EXPECT_EQ(expected, 30);
    }
}

TEST(SplitScheduler, TakeWithoutWaitingGivesAFrameWhenAllPartsAreDone) {
    FramePool pool(tiny);
    Split split(1, 0ms, 20ms);
    EXPECT_EQ(split.scheduler.take(Scheduler::Wait::no), nullptr);
    split.scheduler.submit(numbered(split.scheduler, pool, 3));
    std::unique_ptr<FrameInFlight> frame;
    while (!(frame = split.scheduler.take(Scheduler::Wait::no)))
        std::this_thread::yield();
    EXPECT_EQ(frame->words[1], (std::vector<std::int64_t>{30, 30}));
    EXPECT_TRUE(split.scheduler.empty());
}

TEST(SplitScheduler, OnlyWantedExtractorsRun) {
    FramePool pool(tiny);
    Split split(2, 0ms, 0ms);
    std::unique_ptr<FrameInFlight> frame = numbered(split.scheduler, pool, 7);
    frame->wanted = {false, false, true};
    split.scheduler.submit(std::move(frame));
    frame = split.scheduler.take(Scheduler::Wait::yes);
    EXPECT_EQ(frame->words, (Rows{{0}, {0, 0}, {700, 700, 700}}));
}

TEST(SplitScheduler, FramesAreHeldNoLongerThanTheyAreInFlight) {
    FramePool pool(tiny);
    Split split(2, 0ms, 0ms);
    const auto memory = std::make_shared<int>();
    const WritableFrame writable = pool.take();
    std::unique_ptr<FrameInFlight> frame = split.scheduler.blank();
    const Frame shared(tiny, memory, {writable.data[0], nullptr, nullptr}, writable.stride_bytes);
    frame->pair = {shared, shared};
    frame->window = {{shared, shared}, {shared, shared}, {shared, shared}};
    frame->wanted = {true, true, true};
    split.scheduler.submit(std::move(frame));
    split.scheduler.recycle(split.scheduler.take(Scheduler::Wait::yes));
    // The test's own pointer and the one in `shared` are left.
    EXPECT_EQ(memory.use_count(), 2);
}

TEST(SplitScheduler, AnExtractorsExceptionReachesTheCaller) {
    const Multiple sound(1, 0ms);
    const Throwing throwing;
    for (const bool first : {false, true}) {
        FramePool pool(tiny);
        std::vector<SplitScheduler::Part> parts;
        for (const bool fails : {first, !first})
            parts.push_back(
                {on_threads({{fails ? static_cast<const Extractor *>(&throwing) : &sound}}, {1}, 1), {parts.size()}});
        SplitScheduler scheduler({1, 1}, std::move(parts));
        std::unique_ptr<FrameInFlight> frame = numbered(scheduler, pool, 0);
        frame->wanted = {true, true};
        scheduler.submit(std::move(frame));
        EXPECT_THROW((void)scheduler.take(Scheduler::Wait::yes), std::runtime_error);
    }
}

TEST(SplitScheduler, CanGoWithFramesInFlight) {
    FramePool pool(tiny);
    Split split(2, 5ms, 5ms);
    for (int n = 0; n < 4; n++)
        split.scheduler.submit(numbered(split.scheduler, pool, n));
}

} // namespace
} // namespace isovmaf::split_scheduler_test
