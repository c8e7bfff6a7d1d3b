// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/shared_source.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/try.hpp"
#include "input/pair/pair_source.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::shared_source_test {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr VideoFormat small{.width = 16, .height = 10};

/// What a CountedSource does, for a test that no longer owns it.
struct Events {
    std::atomic<int> reads = 0; ///< frames that were passed over count too
    std::atomic<int> skips = 0;
    std::atomic<bool> cancelled = false;
    std::vector<int> planes; ///< that were wanted
};

/// So many frames with times, and then `end`.
class CountedSource final : public FrameSource {
  public:
    CountedSource(int count, Events &events, std::function<Result<std::optional<Frame>>()> end)
        : frames_(clip_frames(small, count)), events_(events), end_(std::move(end)) {
        info_.format = small;
        info_.name = "clip";
    }

    const SourceInfo &info() const override { return info_; }
    Result<std::optional<Frame>> read() override {
        const auto n = static_cast<std::size_t>(events_.reads++);
        if (n >= frames_.size())
            return end_();
        frames_[n].set_seconds(static_cast<double>(n));
        return frames_[n];
    }
    Result<std::int64_t> skip(std::int64_t count) override {
        events_.skips++;
        return FrameSource::skip(count);
    }
    Result<void> prepare(const FrameNeeds &needs) override {
        events_.planes.push_back(needs.planes);
        return {};
    }
    void cancel() override { events_.cancelled = true; }

  private:
    SourceInfo info_;
    std::vector<Frame> frames_;
    Events &events_;
    std::function<Result<std::optional<Frame>>()> end_;
};

using Sources = std::vector<std::unique_ptr<FrameSource>>;

Sources share(
    int count, std::size_t readers, Events &events,
    std::function<Result<std::optional<Frame>>()> end = [] { return std::nullopt; }) {
    return share_source(std::make_unique<CountedSource>(count, events, std::move(end)), readers).value();
}

/// How many frames a source gives, which have to be those of the clip.
int frames_of(FrameSource &source) {
    const std::vector<Frame> expected = clip_frames(small, 100);
    int count = 0;
    for (Result<std::optional<Frame>> frame = source.read(); frame && *frame; frame = source.read(), count++) {
        EXPECT_EQ((*frame)->seconds(), count);
        EXPECT_EQ(raw_bytes({**frame}), raw_bytes({expected[static_cast<std::size_t>(count)]}));
    }
    return count;
}

TEST(SharedSource, EveryReaderGetsAllFramesAndEachIsReadOnce) {
    for (const std::size_t readers : {1U, 3U, 8U}) {
        Events events;
        Sources sources = share(50, readers, events);
        std::atomic<int> total = 0;
        {
            std::vector<std::jthread> threads;
            for (const auto &source : sources)
                threads.emplace_back([&] { total += frames_of(*source); });
        }
        EXPECT_EQ(total, 50 * static_cast<int>(readers));
        EXPECT_EQ(events.reads, 51);
    }
}

TEST(SharedSource, ReadersShareTheMemoryOfFrames) {
    Events events;
    const Sources sources = share(2, 2, events);
    const Frame one = *sources[0]->read().value(), two = *sources[1]->read().value();
    EXPECT_EQ(one.plane(0).data, two.plane(0).data);
    EXPECT_EQ(sources[0]->info().name, "clip");
}

TEST(SharedSource, TheFirstReaderSaysWhatIsWantedBeforeAFrameIsRead) {
    for (const bool late : {false, true}) {
        Events events;
        const Sources sources = share(3, 2, events);
        ASSERT_TRUE(!late || sources[1]->read());
        EXPECT_TRUE(sources[0]->prepare({.planes = 1}));
        EXPECT_TRUE(sources[1]->prepare({.planes = 2}));
        EXPECT_EQ(events.planes, late ? std::vector<int>() : std::vector{1});
    }
}

TEST(SharedSource, AReaderWaitsForTheSlowest) {
    Events events;
    Sources sources = share(50, 2, events);
    std::atomic<int> count = 0;
    std::jthread fast([&] { count = frames_of(*sources[0]); });
    for (std::size_t n = 0; n < 10; n++)
        EXPECT_TRUE(sources[1]->read().value());
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // in which nothing else stops the fast one
    EXPECT_LE(events.reads, 10 + static_cast<int>(most_shared_frames));
    sources[1].reset(); // the fast one need not wait any more
    fast.join();
    EXPECT_EQ(count, 50);
}

TEST(SharedSource, EveryReaderGetsTheError) {
    Events events;
    const Sources damaged = share(2, 2, events, [] { return fail(ErrorCode::corrupt_data, "clip is damaged"); });
    for (const auto &source : damaged) {
        EXPECT_EQ(frames_of(*source), 2);
        EXPECT_EQ(source->read().error().message, "clip is damaged");
    }
    EXPECT_EQ(events.reads, 3);
    Events others;
    const Sources full = share(0, 2, others, []() -> Result<std::optional<Frame>> { throw std::bad_alloc(); });
    for (const auto &source : full)
        EXPECT_EQ(source->read().error().code, ErrorCode::out_of_memory);
}

TEST(SharedSource, FramesArePassedOverOnce) {
    Events events;
    const Sources sources = share(9, 3, events);
    for (const std::int64_t count : {1, 3})
        for (const auto &source : sources)
            EXPECT_EQ(source->skip(count).value(), count);
    EXPECT_EQ(events.skips, 2);
    const Frame expected = clip_frames(small, 5)[4];
    for (const auto &source : sources)
        EXPECT_EQ(raw_bytes({source->read().value().value()}), raw_bytes({expected}));
    EXPECT_EQ(sources[0]->skip(2).value(), 2);
    EXPECT_THAT(sources[2]->skip(1).error().message, HasSubstr("pass over different numbers"));
    EXPECT_THAT(sources[1]->read().error().message, HasSubstr("that another reader passed over"));
    Events few;
    const Sources ended = share(1, 2, few);
    for (const auto &source : ended) {
        EXPECT_EQ(source->skip(2).value(), 1);
        EXPECT_EQ(source->read().value(), std::nullopt);
    }
}

TEST(SharedSource, CancellingStopsOneReaderAndTheLastOneStopsTheVideo) {
    Events events;
    const Sources sources = share(20, 2, events);
    sources[0]->cancel();
    EXPECT_THAT(sources[0]->read().error().message, HasSubstr("reading clip was stopped"));
    EXPECT_EQ(frames_of(*sources[1]), 20);
    EXPECT_FALSE(events.cancelled);
    sources[1]->cancel();
    EXPECT_TRUE(events.cancelled);
}

TEST(SharedSource, ServesPairsSideBySide) {
    Events reference, one, two;
    Sources sources = share(30, 2, reference);
    std::array<std::unique_ptr<PairSource>, 2> pairs;
    for (std::size_t i = 0; i < 2; i++)
        pairs[i] =
            PairSource::create(std::move(sources[i]), std::move(share(i == 0 ? 30 : 12, 1, i == 0 ? one : two)[0]),
                               {.skip_reference = 3})
                .value();
    std::array<int, 2> counts{};
    while (pairs[0] || pairs[1])
        for (std::size_t i = 0; i < 2; i++)
            if (pairs[i] && pairs[i]->read().value())
                counts[i]++;
            else
                pairs[i].reset();
    EXPECT_EQ(counts[0], 27);
    EXPECT_EQ(counts[1], 12);
}

} // namespace
} // namespace isovmaf::shared_source_test
