// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "input/libav/libav_functions.hpp"
#include "input/source_info.hpp"

namespace isovmaf {

/// Says when the frames of a stream are shown. It sees each packet that a decoder gets, and each frame that it gives.
///
/// A frame has the time of its packet. Some formats have no presentation times, such as AVI: the first packet tells.
/// There frame n is shown when packet n is decoded, whatever the order of coding. A frame for which the file has no
/// time follows the frame before it, and so do all frames of formats without times, if the rate is known.
class FrameClock {
  public:
    /// `states_times`: see isovmaf::states_times.
    FrameClock(const AVStream &stream, bool states_times)
        : time_base_(av_q2d(stream.time_base)), states_times_(states_times) {}

    void take(const AVPacket &packet);

    /// The time of a frame in seconds, if it is known. Frames are counted from 0 in the order in which they are shown,
    /// and come in that order but for `restart`. `rate`: frames per second, the same at each call.
    [[nodiscard]] std::optional<double> take(const AVFrame &frame, std::int64_t number,
                                             const std::optional<Rational> &rate);

    /// The decoder goes on elsewhere.
    void restart();

  private:
    [[nodiscard]] std::optional<double> stated_time(const AVFrame &frame);

    double time_base_; ///< in seconds
    bool states_times_;
    bool begun_ = false;               ///< a packet has come
    bool counts_ = false;              ///< the first packet has no presentation time
    std::deque<std::int64_t> decoded_; ///< with counts_: decoding times of the packets whose frames will come
    std::optional<double> known_;      ///< the last time that was not made from durations
    std::int64_t half_frames_ = 0;     ///< from `known_` to the end of the last frame
};

} // namespace isovmaf
