// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "device/device.hpp"

namespace isovmaf {

/// What the self-test found out about a device that may be used.
struct SelfTestReport {
    std::string f32_fault; ///< the first operation of portable/f32.h with wrong bits; empty when all are right
};

/// Known answers: arithmetic, reductions, atomic sums, copies and fills of the device against what they have to give.
/// Takes milliseconds. A failure names the probe, the value found and the value expected.
[[nodiscard]] Result<SelfTestReport> self_test(const Device &device);

/// The same, run at the first call for a device of this process; later calls return what it gave. Thread-safe.
[[nodiscard]] Result<SelfTestReport> self_test_once(const Device &device);

} // namespace isovmaf
