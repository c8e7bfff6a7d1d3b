// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "engine/schedule/cpu_scheduler.hpp"
#include "engine/schedule/scheduler.hpp"

namespace isovmaf {

/// Divides the extractors of every frame among several schedulers, has the CPU do what their kernels left, and gives a
/// frame back when all is done. A frame's pictures are shared, not copied. As many frames are in flight as the roomiest
/// part holds; a part that holds fewer hands the words of its oldest frame over before it takes another.
class SplitScheduler final : public Scheduler {
  public:
    struct Part {
        std::unique_ptr<Scheduler> scheduler;
        std::vector<std::size_t> extractors; ///< the numbers that the part's extractors have in the whole
        bool reads_window = true;            ///< FrameInFlight::window, as the CPU does; else FrameInFlight::pair
        /// Of each extractor that runs on a device: the code for frames that its kernels flag, and its completion.
        /// Empty where no kernel flags and nothing is completed.
        std::vector<CpuFeature> last_steps = {};
    };

    /// `word_counts`: of every extractor; each belongs to one part. `workers` do the last steps; null where no part has
    /// any.
    SplitScheduler(std::vector<std::size_t> word_counts, std::vector<Part> parts,
                   std::shared_ptr<CpuWorkers> workers = nullptr);
    ~SplitScheduler() override;

  private:
    /// A part, and the frames whose words it still owes, in order.
    struct Busy {
        Part part;
        std::deque<FrameInFlight *> owed;
    };

    void start(FrameInFlight &frame) override;
    bool finished(FrameInFlight &oldest, Wait wait) override;

    static void submit_share(Busy &busy, FrameInFlight &frame);

    /// Takes the part's share of its oldest frame. False when that is not done.
    bool collect(Busy &busy, Wait wait);
    /// Moves the words of a share to where they belong, and starts the last steps.
    void accept(Busy &busy, std::unique_ptr<FrameInFlight> share);
    static bool has_last_steps(const Busy &busy) { return !busy.part.last_steps.empty(); }
    void collect_early(Busy &busy, Wait wait);
    void start_last_steps(const Part &part, FrameInFlight &frame);

    std::vector<Busy> parts_;
    std::shared_ptr<CpuWorkers> workers_;
    std::vector<CpuStep> steps_; ///< of the frame whose last steps are started
};

} // namespace isovmaf
