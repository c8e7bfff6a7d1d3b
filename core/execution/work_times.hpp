// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>

#include "base/clock.hpp"

namespace isovmaf {

/// What all sessions of one SharedExecution have worked so far.
struct WorkTimes {
    SharedSeconds opening;              ///< of the device, until it has passed its self-test
    SharedSeconds cpu;                  ///< of extractors on the CPU, summed over their threads
    SharedSeconds staging;              ///< copies to memory that a device reads, summed over their threads
    std::atomic<int> staging_threads{}; ///< of one session
    std::atomic<bool> in_place{};       ///< kernels read what was staged, and pictures are not uploaded
    SharedSeconds uploads;              ///< of the device, with ExecutionOptions::device_timing
    SharedSeconds scoring;              ///< from words to scores
};

} // namespace isovmaf
