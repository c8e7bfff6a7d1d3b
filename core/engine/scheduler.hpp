// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "features/frame_history.hpp"
#include "frame/frame_pair.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// One frame on its way through the extractors.
struct FrameInFlight {
    std::int64_t index = 0;
    FrameWithHistory frames;
    std::optional<std::pair<DeviceFrame, DeviceFrame>> on_device; ///< reference and distorted, in place of frames.pair
    std::vector<bool> wanted;                                     ///< per extractor: run it on this frame
    std::vector<std::vector<std::int64_t>> words;                 ///< per extractor
};

/// Runs extractors on frames, somewhere else and in parallel. Frames come back in the order in which they went in, so
/// results cannot depend on how many are worked on at a time. At most `max_in_flight` frames are held: memory does not
/// grow when frames arrive faster than they are scored.
///
/// Everything here belongs to one thread.
class Scheduler {
  public:
    /// `word_counts`: of each extractor.
    Scheduler(std::vector<std::size_t> word_counts, std::size_t max_in_flight)
        : word_counts_(std::move(word_counts)), max_in_flight_(max_in_flight) {}
    virtual ~Scheduler() = default; ///< finishes what runs and drops the rest
    Scheduler(const Scheduler &) = delete;
    Scheduler &operator=(const Scheduler &) = delete;

    [[nodiscard]] bool full() const { return in_flight_.size() >= max_in_flight_; }
    [[nodiscard]] bool empty() const { return in_flight_.empty(); }
    [[nodiscard]] std::size_t max_in_flight() const { return max_in_flight_; }

    /// A frame to fill and submit; memory of finished frames is used again. `words` is sized, the rest is empty.
    [[nodiscard]] std::unique_ptr<FrameInFlight> blank();

    /// Not while full. `index` counts the submitted frames from 0.
    void submit(std::unique_ptr<FrameInFlight> frame);

    enum class Wait : bool { no, yes };

    /// The oldest frame when it is done, else nullptr; with Wait::yes only when there is none. Throws what went wrong
    /// with that frame.
    [[nodiscard]] std::unique_ptr<FrameInFlight> take(Wait wait);

    /// Gives a taken frame's memory back for `blank`.
    void recycle(std::unique_ptr<FrameInFlight> frame);

  private:
    /// Starts work on a frame that stays where it is until `finished` has told of it.
    virtual void start(FrameInFlight &frame) = 0;

    /// Whether the oldest frame is done. Throws what went wrong with it.
    virtual bool finished(FrameInFlight &oldest, Wait wait) = 0;

    std::vector<std::size_t> word_counts_;
    std::size_t max_in_flight_;
    std::deque<std::unique_ptr<FrameInFlight>> in_flight_; ///< in order of submission
    std::vector<std::unique_ptr<FrameInFlight>> spare_;
};

} // namespace isovmaf
