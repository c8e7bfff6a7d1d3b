// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/frame_clock.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "input/libav/libav_demuxer.hpp"
#include "input/libav/libav_frame.hpp"

namespace isovmaf::frame_clock_test {

namespace {

constexpr std::int64_t none = AV_NOPTS_VALUE;
constexpr Rational film{24, 1};
using Times = std::vector<std::optional<double>>;

/// A clock that gets packets and frames one by one, of a stream whose times are in units of 1/100 s.
class Stream {
  public:
    explicit Stream(bool states_times) : clock_(stream(), states_times) {}

    void feed(std::int64_t pts, std::int64_t dts) {
        const AvPacket packet(av_packet_alloc());
        packet->pts = pts;
        packet->dts = dts;
        clock_.take(*packet);
    }

    /// The next frame. `time`: as the decoder guesses it. `repeats`: half frames that it is shown longer.
    std::optional<double> show(std::int64_t time, int repeats = 0, const std::optional<Rational> &rate = film) {
        const AvFrame frame(av_frame_alloc());
        frame->best_effort_timestamp = time;
        frame->repeat_pict = repeats;
        return clock_.take(*frame, number_++, rate);
    }

    void go_to(std::int64_t number) {
        clock_.restart();
        number_ = number;
    }

  private:
    static const AVStream &stream() {
        static const AVStream hundredths = [] {
            AVStream stream{};
            stream.time_base = {1, 100};
            return stream;
        }();
        return hundredths;
    }

    FrameClock clock_;
    std::int64_t number_ = 0;
};

TEST(FrameClock, TakesTheTimesOfPackets) {
    Stream stream(true);
    stream.feed(8, 0);
    stream.feed(20, 4);
    EXPECT_EQ(stream.show(8), 0.08);
    EXPECT_EQ(stream.show(12), 0.12);
    EXPECT_EQ(stream.show(none), 0.12 + 1 / 24.0) << "a time that is missing";
    EXPECT_EQ(stream.show(none, 1), 0.12 + 2 / 24.0);
    EXPECT_EQ(stream.show(none), 0.12 + 3.5 / 24.0) << "after a frame of three fields";
    EXPECT_EQ(stream.show(none, 0, std::nullopt), std::nullopt);
}

/// As AVI has them, and decoders that hold frames back.
TEST(FrameClock, ShowsFrameNWhenPacketNIsDecodedWherePacketsHaveNoOtherTimes) {
    Stream stream(true);
    for (const std::int64_t dts : {0, 4, 8})
        stream.feed(dts == 8 ? 8 : none, dts);
    EXPECT_EQ(stream.show(8), 0);
    stream.feed(none, 20); // frames in between were left out
    EXPECT_EQ(stream.show(20), 0.04);
    EXPECT_EQ(stream.show(none), 0.08);
    EXPECT_EQ(stream.show(none), 0.2);
}

TEST(FrameClock, CountsFramesWhereThereAreNoTimes) {
    Stream stream(false);
    Times times;
    for (const int repeats : {1, 0, 1, 0, 4, 0}) { // 3:2 pulldown, and a frame that is shown three times
        stream.feed(none, 100);
        times.push_back(stream.show(100, repeats));
    }
    EXPECT_EQ(times, (Times{0, 1.5 / 24, 2.5 / 24, 4 / 24.0, 5 / 24.0, 8 / 24.0}));
    stream.go_to(240);
    EXPECT_EQ(stream.show(none), 10);
    EXPECT_EQ(stream.show(none), 10 + 1 / 24.0);
    EXPECT_EQ(Stream(false).show(100, 0, std::nullopt), std::nullopt);
}

TEST(FrameClock, KnowsNoTimeBeforeTheFirst) {
    Stream stream(true);
    stream.feed(none, none);
    EXPECT_EQ(stream.show(none), std::nullopt);
}

} // namespace

} // namespace isovmaf::frame_clock_test
