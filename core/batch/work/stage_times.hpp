// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>

#include "base/clock.hpp"

namespace isovmaf::batch {

/// Where the time of units goes, in seconds. All but `upload` are wall-clock time of the worker's thread, one after the
/// other: the largest is what the worker waits for most.
struct StageTimes {
    double decode = 0;  ///< reading inputs for their digests, opening them, and waiting for frames
    double upload = 0;  ///< other threads copied pictures to a device, beside the other stages; 0 on the CPU
    double kernels = 0; ///< waiting for the extraction of words, on the CPU or on a device
    double finish = 0;  ///< encoding words and handing them to the store

    StageTimes &operator+=(const StageTimes &other) {
        decode += other.decode;
        upload += other.upload;
        kernels += other.kernels;
        finish += other.finish;
        return *this;
    }

    /// The time of the worker's thread.
    [[nodiscard]] double wall() const { return decode + kernels + finish; }

    /// The share of one of `count` units that were extracted side by side.
    [[nodiscard]] StageTimes operator/(std::size_t count) const {
        const auto share = 1 / static_cast<double>(count);
        return {decode * share, upload * share, kernels * share, finish * share};
    }

    friend bool operator==(const StageTimes &, const StageTimes &) = default;
};

} // namespace isovmaf::batch
