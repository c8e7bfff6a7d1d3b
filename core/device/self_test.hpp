// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "device/device.hpp"

namespace isovmaf {

/// Known answers: arithmetic, reductions, atomic sums, copies and fills of the device against what they have to give.
/// Takes milliseconds. A failure names the probe, the value found and the value expected.
[[nodiscard]] Result<void> self_test(const Device &device);

/// The same, run at the first call for a device of this process; later calls return what it gave. Thread-safe.
[[nodiscard]] Result<void> self_test_once(const Device &device);

} // namespace isovmaf
