// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"

namespace isovmaf {

/// Seconds of each of several features, to which any threads add.
class FeatureSeconds {
  public:
    /// Those of one feature. The reference stays valid as long as the object lives.
    [[nodiscard]] SharedSeconds &of(std::string_view feature) {
        const std::lock_guard lock(mutex_);
        return seconds_[std::string(feature)];
    }

    /// Of the features that took some.
    [[nodiscard]] std::vector<std::pair<std::string, double>> get() const {
        const std::lock_guard lock(mutex_);
        std::vector<std::pair<std::string, double>> seconds;
        for (const auto &[feature, of_feature] : seconds_)
            if (of_feature.get() > 0)
                seconds.emplace_back(feature, of_feature.get());
        return seconds;
    }

  private:
    mutable std::mutex mutex_;
    std::map<std::string, SharedSeconds> seconds_;
};

/// What all sessions of one SharedExecution have worked so far.
struct WorkTimes {
    SharedSeconds opening;              ///< of the device, until it has passed its self-test
    SharedSeconds cpu;                  ///< of extractors on the CPU, summed over their threads
    FeatureSeconds cpu_features;        ///< the same by feature
    SharedSeconds cpu_waits;            ///< of threads that push frames: until the CPU has done one, in which they help
    SharedSeconds device_waits;         ///< likewise: until a device has
    SharedSeconds staging;              ///< copies to memory that a device reads, summed over their threads
    std::atomic<int> staging_threads{}; ///< of one session
    std::atomic<bool> in_place{};       ///< kernels read what was staged, and pictures are not uploaded
    SharedSeconds uploads;              ///< of the device, with ExecutionOptions::device_timing
    SharedSeconds scoring;              ///< from words to scores
};

} // namespace isovmaf
