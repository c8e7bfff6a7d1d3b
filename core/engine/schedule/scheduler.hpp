// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "features/frame_window.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// One frame whose extractors run or wait to run.
struct FrameInFlight {
    std::int64_t index = 0;     ///< counts submitted frames
    std::int64_t reference = 0; ///< counts their references: frames that follow each other may have one in common
    bool new_reference = true;  ///< the frame before has another reference, or there is none
    std::size_t member = 0;     ///< which distorted video of the reference the frame is of
    std::int64_t number = 0;    ///< of the frame as subsampling counts
    FramePair pair;             ///< as it was pushed
    FrameWindow window;         ///< what code on the CPU reads: in host memory if an extractor runs there
    /// earlier_frames[k]: `index` of the member's frame k + 1 before this one.
    std::array<std::optional<std::int64_t>, EarlierFrames::longest> earlier_frames = {};
    std::vector<bool> wanted;                     ///< per extractor: whether it runs on this frame
    std::vector<bool> flagged;                    ///< per extractor: whether its kernels left the frame to the CPU
    std::vector<std::vector<std::int64_t>> words; ///< per extractor; once its completion has run, what is kept
};

/// Runs extractors on frames in parallel, on other threads or on a device. Frames come back in the order in which they
/// were submitted, so results do not depend on how many frames are in flight. At most `max_in_flight` frames are held:
/// memory does not grow when frames arrive faster than they are scored.
///
/// One thread calls the functions of a scheduler.
class Scheduler {
  public:
    /// `word_counts`: of each extractor.
    Scheduler(std::vector<std::size_t> word_counts, std::size_t max_in_flight)
        : word_counts_(std::move(word_counts)), max_in_flight_(max_in_flight) {}
    virtual ~Scheduler() = default; ///< waits for extractors that run; frames that wait are dropped
    Scheduler(const Scheduler &) = delete;
    Scheduler &operator=(const Scheduler &) = delete;

    [[nodiscard]] bool full() const { return in_flight_.size() >= max_in_flight_; }
    [[nodiscard]] bool empty() const { return in_flight_.empty(); }
    [[nodiscard]] std::size_t max_in_flight() const { return max_in_flight_; }

    /// A frame to fill and submit, in the memory of a recycled frame if there is one. `words` has its size, the other
    /// members are empty or left over.
    [[nodiscard]] std::unique_ptr<FrameInFlight> blank();

    /// Starts the frame's extractors. The scheduler must not be full. `index` counts the submitted frames from 0, and
    /// `reference` grows by one with each new reference, from 0.
    void submit(std::unique_ptr<FrameInFlight> frame);

    enum class Wait : bool { no, yes };

    /// The oldest frame if it is done, else nullptr. With Wait::yes the function waits for it, and gives nullptr only
    /// when no frame is in flight. Throws what went wrong with that frame.
    [[nodiscard]] std::unique_ptr<FrameInFlight> take(Wait wait);

    /// Keeps a taken frame's memory for `blank`, and lets go of its pictures.
    void recycle(std::unique_ptr<FrameInFlight> frame);

  private:
    /// Starts work on `frame`, which stays valid until `finished` has returned true for it.
    virtual void start(FrameInFlight &frame) = 0;

    /// Whether the oldest frame is done. Throws what went wrong with it.
    virtual bool finished(FrameInFlight &oldest, Wait wait) = 0;

    std::vector<std::size_t> word_counts_;
    std::size_t max_in_flight_;
    std::deque<std::unique_ptr<FrameInFlight>> in_flight_; ///< in order of submission
    std::vector<std::unique_ptr<FrameInFlight>> spare_;
};

} // namespace isovmaf
