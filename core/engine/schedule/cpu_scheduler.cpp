// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/cpu_scheduler.hpp"

#include <utility>

namespace isovmaf {

CpuScheduler::CpuScheduler(std::vector<CpuFeature> features, std::vector<std::size_t> word_counts,
                           std::shared_ptr<CpuWorkers> workers, int frames_in_flight)
    : Scheduler(std::move(word_counts), static_cast<std::size_t>(most_in_flight(frames_in_flight, workers->threads()))),
      features_(std::move(features)), workers_(std::move(workers)) {}

void CpuScheduler::start(FrameInFlight &frame) {
    steps_.clear();
    for (std::size_t e = 0; e < features_.size(); e++)
        if (frame.wanted[e])
            steps_.push_back({&features_[e], e, CpuStep::Kind::extract});
    workers_->start(frame, steps_);
}

} // namespace isovmaf
