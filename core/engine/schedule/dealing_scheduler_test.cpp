// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/dealing_scheduler.hpp"

#include <gmock/gmock.h>

#include "base/failure.hpp"
#include "content/patterns.hpp"

namespace isovmaf::dealing_scheduler_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr VideoFormat tiny{.width = 4, .height = 4, .chroma = Chroma::k400, .bit_depth = 16};
constexpr std::size_t reads = 2 + 2 * EarlierFrames::longest;

std::int64_t level_of(const Frame &frame) { return *frame.plane(0).row<std::uint16_t>(0); }

/// What a Reading does wrong with the frame of one index.
struct Fault {
    std::int64_t index = -1;
    bool at_start = false;
};

/// Writes the levels of a frame's pictures and of the earlier ones that extractors read, which it finds by index and
/// number of references, as GpuScheduler does: it keeps the levels, not the pictures.
class Reading final : public Scheduler {
  public:
    Reading(EarlierFrames earlier, std::size_t in_flight, Fault fault = {})
        : Scheduler({reads}, in_flight), earlier_(earlier), fault_(fault) {}

    std::vector<std::string> given; ///< the numbers of frames, in brackets where nothing runs

  private:
    void start(FrameInFlight &frame) override {
        if (fault_.at_start && fault_.index == frame.index)
            throw Failure({ErrorCode::device_lost, "planted"});
        if (frame.index == 0) { // as after a restart
            distorted_.clear();
            references_.clear();
        }
        EXPECT_EQ(frame.index, static_cast<std::int64_t>(distorted_.size()));
        EXPECT_LE(++held_, max_in_flight());
        distorted_.push_back(level_of(frame.pair.distorted));
        if (frame.new_reference)
            references_.push_back(level_of(frame.pair.reference));
        EXPECT_EQ(frame.reference, static_cast<std::int64_t>(references_.size()) - 1);
        EXPECT_EQ(references_.back(), level_of(frame.pair.reference)) << "of the same reference";
        const std::string number = std::to_string(frame.number);
        given.push_back(frame.wanted[0] ? number : "(" + number + ")");
        if (frame.wanted[0])
            frame.words[0] = read(frame);
    }

    std::vector<std::int64_t> read(const FrameInFlight &frame) const {
        std::vector<std::int64_t> words{references_.back(), distorted_.back(), -1, -1, -1, -1};
        for (std::int64_t back = 1; back <= std::min<std::int64_t>(frame.reference, earlier_.reference); back++)
            words[static_cast<std::size_t>(1 + back)] = references_[static_cast<std::size_t>(frame.reference - back)];
        for (std::size_t back = 0; back < static_cast<std::size_t>(earlier_.distorted); back++)
            if (const auto earlier = frame.earlier_frames[back])
                words[2 + EarlierFrames::longest + back] = distorted_[static_cast<std::size_t>(*earlier)];
        return words;
    }

    bool finished(FrameInFlight &oldest, Wait wait) override {
        if (!fault_.at_start && fault_.index == oldest.index)
            throw Failure({ErrorCode::device_lost, "planted"});
        const bool done = wait == Wait::yes || ++asked_ % 3 == 0;
        held_ -= done ? 1 : 0;
        return done;
    }

    const EarlierFrames earlier_;
    const Fault fault_;
    int asked_ = 0;
    std::size_t held_ = 0;
    std::vector<std::int64_t> references_, distorted_;
};

/// A video of a reference and its members.
struct Video {
    std::int64_t references = 23;
    std::size_t members = 1;
    int subsample = 1;
    std::int64_t first = 0; ///< frames before it are given and nothing runs on them
};

using Rows = std::vector<std::vector<std::int64_t>>;

/// Pushes a video as Extraction does, and gives the words of all frames, or the first failure.
class Pusher {
  public:
    Pusher(Scheduler &scheduler, Video video) : scheduler_(scheduler), video_(video) {}

    void run() {
        std::vector<std::array<std::optional<std::int64_t>, EarlierFrames::longest>> last(video_.members);
        std::int64_t index = 0;
        for (std::int64_t n = 0; n < video_.references; n++) {
            const Frame reference = constant_frame(tiny, static_cast<std::uint32_t>(1000 + n));
            for (std::size_t m = 0; m < video_.members; m++) {
                while (scheduler_.full())
                    take(Scheduler::Wait::yes);
                take(Scheduler::Wait::no);
                std::unique_ptr<FrameInFlight> frame = scheduler_.blank();
                frame->index = index++;
                frame->reference = frame->number = n;
                frame->new_reference = m == 0;
                frame->member = m;
                frame->pair = {reference, constant_frame(tiny, static_cast<std::uint32_t>(n) + 2000 +
                                                                   100 * static_cast<std::uint32_t>(m))};
                frame->earlier_frames = last[m];
                last[m] = {frame->index, last[m][0]};
                frame->wanted = {n >= video_.first && n % video_.subsample == 0};
                scheduler_.submit(std::move(frame));
            }
        }
        while (!scheduler_.empty())
            take(Scheduler::Wait::yes);
    }

    Rows words;

  private:
    void take(Scheduler::Wait wait) {
        std::unique_ptr<FrameInFlight> frame = scheduler_.take(wait);
        if (!frame)
            return;
        words.push_back(frame->wanted[0] ? frame->words[0] : std::vector<std::int64_t>());
        scheduler_.recycle(std::move(frame));
    }

    Scheduler &scheduler_;
    const Video video_;
};

Rows words_of(Scheduler &scheduler, const Video &video) {
    Pusher pusher(scheduler, video);
    pusher.run();
    return pusher.words;
}

DeviceHandle device(std::uint32_t index) {
    const auto plugin = value_of(Plugin::open(std::string(ISOVMAF_FAKE_BACKENDS) + "/fake_sound.so"));
    return std::make_shared<const Device>(value_of(Device::open(plugin, index)));
}

struct Dealt {
    DealPlan plan;
    std::vector<Reading *> parts;
    std::unique_ptr<DealingScheduler> scheduler;

    Dealt(EarlierFrames earlier, std::size_t members, std::size_t run, const std::vector<std::size_t> &in_flight,
          Fault fault_of_second = {})
        : plan{
              .format = tiny, .members = members, .word_counts = {reads}, .earlier = {earlier}, .run_references = run} {
        std::vector<DealingScheduler::Part> of;
        for (std::size_t p = 0; p < in_flight.size(); p++) {
            auto part = std::make_unique<Reading>(earlier, in_flight[p], p == 1 ? fault_of_second : Fault{});
            parts.push_back(part.get());
            of.push_back({std::move(part), device(static_cast<std::uint32_t>(p % 2))});
        }
        scheduler = std::make_unique<DealingScheduler>(plan, std::move(of));
    }
};

constexpr std::array what_is_read{EarlierFrames{0, 0}, EarlierFrames{1, 0}, EarlierFrames{2, 0}, EarlierFrames{1, 1},
                                  EarlierFrames{0, 2}};
const std::vector<std::vector<std::size_t>> in_flight{{3}, {1, 1}, {2, 2}, {8, 8}, {1, 8}, {8, 3, 5}, {1, 1, 1}};

TEST(DealingScheduler, GivesTheWordsOfOneDevice) {
    for (const EarlierFrames &earlier : what_is_read)
        for (const std::size_t members : {1U, 3U})
            for (const Video &video : {Video{.members = members}, Video{.members = members, .subsample = 3},
                                       Video{.members = members, .first = 2}, Video{.references = 2}}) {
                Reading one(earlier, 4);
                const Rows expected = words_of(one, video);
                for (const std::size_t run : {0U, 1U, 2U, 5U, 100U})
                    for (const std::vector<std::size_t> &parts : in_flight) {
                        Dealt dealt(earlier, members, run, parts);
                        EXPECT_EQ(words_of(*dealt.scheduler, video), expected)
                            << earlier.reference << earlier.distorted << " members " << members << " run " << run;
                    }
            }
}

/// Every device begins a run with the frames before it, on which nothing runs.
TEST(DealingScheduler, DealsRunsInTurnWithTheFramesBeforeThem) {
    Dealt dealt({.reference = 1}, 1, 2, {4, 4});
    (void)words_of(*dealt.scheduler, {.references = 7});
    EXPECT_THAT(dealt.parts[0]->given, ElementsAre("0", "1", "(3)", "4", "5"));
    EXPECT_THAT(dealt.parts[1]->given, ElementsAre("(1)", "2", "3", "(5)", "6"));
    EXPECT_THAT(dealt.scheduler->extracted(0), ElementsAre(3)) << "frame 0 has no frame before it";
    EXPECT_THAT(dealt.scheduler->extracted(1), ElementsAre(3));
}

TEST(DealingScheduler, FramesOfOneReferenceStayTogether) {
    Dealt dealt({.distorted = 1}, 2, 1, {4, 4});
    (void)words_of(*dealt.scheduler, {.references = 3, .members = 2});
    EXPECT_THAT(dealt.parts[0]->given, ElementsAre("0", "0", "(1)", "(1)", "2", "2"));
    EXPECT_THAT(dealt.parts[1]->given, ElementsAre("(0)", "(0)", "1", "1"));
}

/// What nothing reads is not given: the frames of one member bring the references.
TEST(DealingScheduler, OneMemberBringsEarlierReferences) {
    Dealt dealt({.reference = 2}, 2, 1, {8, 8});
    (void)words_of(*dealt.scheduler, {.references = 3, .members = 2});
    EXPECT_THAT(dealt.parts[0]->given, ElementsAre("0", "0", "(0)", "(1)", "2", "2"));
    EXPECT_THAT(dealt.parts[1]->given, ElementsAre("(0)", "1", "1"));
}

TEST(DealingScheduler, ChoosesRunsByWhatDevicesHold) {
    EXPECT_EQ(Dealt({.reference = 1}, 1, 0, {8, 6}).scheduler->max_in_flight(), 12U) << "room for one frame before";
    EXPECT_EQ(Dealt({.reference = 2}, 1, 0, {2, 1}).scheduler->max_in_flight(), 2U) << "a frame each at least";
    EXPECT_EQ(Dealt({.distorted = 1}, 3, 0, {8, 8}).scheduler->max_in_flight(), 10U);
    Dealt dealt({}, 1, 0, {8, 6});
    (void)words_of(*dealt.scheduler, {.references = 7});
    EXPECT_THAT(dealt.parts[0]->given, ElementsAre("0", "1", "2", "6"));
    EXPECT_THAT(dealt.parts[1]->given, ElementsAre("3", "4", "5"));
}

/// The frames before the failure come back, of all devices, and then the failure with the device's name.
TEST(DealingScheduler, ADevicesFailureComesInFrameOrder) {
    for (const Fault fault : {Fault{2, false}, Fault{2, true}}) { // the second frame of its first run
        Dealt dealt({.reference = 1}, 1, 3, {4, 4}, fault);
        Pusher pusher(*dealt.scheduler, {.references = 12});
        try {
            pusher.run();
            ADD_FAILURE() << "the failure was lost";
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.error().code, ErrorCode::device_lost);
            EXPECT_EQ(failure.error().message, "sound:1: planted");
        }
        EXPECT_EQ(pusher.words.size(), 4U);
    }
}

TEST(DealingScheduler, CountsAndKeepsFromNothingAfterRestart) {
    for (const std::size_t members : {1U, 2U}) {
        Dealt dealt({.reference = 2, .distorted = 1}, members, 2, {4, 4});
        const Rows expected = words_of(*dealt.scheduler, {.members = members});
        dealt.scheduler->restart();
        EXPECT_THAT(dealt.scheduler->extracted(0), ElementsAre(0));
        EXPECT_EQ(words_of(*dealt.scheduler, {.members = members}), expected);
    }
}

TEST(DealingScheduler, HoldsTheLastFramesUntilTheyAreForgotten) {
    const Frame plain = constant_frame(tiny, 7);
    const auto owner = std::make_shared<int>();
    const Frame reference(tiny, owner, {plain.plane(0).data}, {plain.plane(0).stride_bytes}),
        distorted(tiny, owner, {plain.plane(0).data}, {plain.plane(0).stride_bytes});
    Dealt dealt({.reference = 1, .distorted = 1}, 1, 2, {4, 4});
    const long before = owner.use_count();
    std::unique_ptr<FrameInFlight> frame = dealt.scheduler->blank();
    frame->pair = {reference, distorted};
    frame->wanted = {true};
    dealt.scheduler->submit(std::move(frame));
    dealt.scheduler->recycle(dealt.scheduler->take(Scheduler::Wait::yes));
    EXPECT_EQ(owner.use_count(), before + 2);
    dealt.scheduler->forget(0);
    EXPECT_EQ(owner.use_count(), before + 1) << "other members may still need the reference";
    dealt.scheduler->restart();
    EXPECT_EQ(owner.use_count(), before);
}

} // namespace
} // namespace isovmaf::dealing_scheduler_test
