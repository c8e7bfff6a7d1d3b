// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "features/testing/bench_functions.hpp"

namespace isovmaf::testing {

/// The processor's clock now, in Hz, from the time that a chain of multiplications takes, each of which waits for the
/// one before (on x86; additions on Arm).
[[nodiscard]] double measured_clock();

/// The least time in seconds that the processor spends on each piece of work, which uses one thread: other programs on
/// the machine do not count. Each is timed `repetitions` times, in turns with the others, for at least `seconds` each
/// time.
[[nodiscard]] std::vector<double> least_times(const std::vector<BenchWork> &works, int repetitions, double seconds);

} // namespace isovmaf::testing
