// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "engine/schedule/scheduler.hpp"

namespace isovmaf {

/// Divides the extractors of every frame among several schedulers, and gives a frame back when all of them are done
/// with it. A frame's pictures are shared, not copied. As many frames are in flight as the roomiest part holds; a part
/// that holds fewer hands the words of its oldest frame over before it takes another.
class SplitScheduler final : public Scheduler {
  public:
    struct Part {
        std::unique_ptr<Scheduler> scheduler;
        std::vector<std::size_t> extractors; ///< the numbers that the part's extractors have in the whole
        bool reads_window = true;            ///< FrameInFlight::window, as the CPU does; else FrameInFlight::pair
    };

    /// `word_counts`: of every extractor; each belongs to one part.
    SplitScheduler(std::vector<std::size_t> word_counts, std::vector<Part> parts);

  private:
    /// A part, and the frames whose words it still owes, in order.
    struct Busy {
        Part part;
        std::deque<FrameInFlight *> owed;
    };

    void start(FrameInFlight &frame) override;
    bool finished(FrameInFlight &oldest, Wait wait) override;

    static void submit_share(Busy &busy, FrameInFlight &frame);

    /// Moves the words of the part's oldest frame to where they belong. False when the frame is not done.
    static bool collect(Busy &busy, Wait wait);

    std::vector<Busy> parts_;
};

} // namespace isovmaf
