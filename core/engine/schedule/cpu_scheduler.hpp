// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <vector>

#include "engine/schedule/cpu_workers.hpp"
#include "engine/schedule/scheduler.hpp"

namespace isovmaf {

/// How many frames the CPU holds: `asked`, or with 0 one for each thread and two that wait.
[[nodiscard]] constexpr int most_in_flight(int asked, int threads) { return asked > 0 ? asked : threads + 2; }

/// Runs the extractors and completions of features on threads of the CPU.
class CpuScheduler final : public Scheduler {
  public:
    /// `word_counts`: how many words the extractor of each feature writes. `frames_in_flight`: see most_in_flight.
    /// Others may use the workers, too, while this lives.
    CpuScheduler(std::vector<CpuFeature> features, std::vector<std::size_t> word_counts,
                 std::shared_ptr<CpuWorkers> workers, int frames_in_flight = 0);
    ~CpuScheduler() override { workers_->stop(); } ///< before the frames that they read are destroyed

  private:
    void start(FrameInFlight &frame) override;
    bool finished(FrameInFlight &oldest, Wait wait) override { return workers_->finished(oldest, wait); }

    std::vector<CpuFeature> features_;
    std::shared_ptr<CpuWorkers> workers_;
    std::vector<CpuStep> steps_; ///< of the frame that is started
};

} // namespace isovmaf
