// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

namespace isovmaf::host {

/// What can be made to fail. `lost` counts copies and launches together.
enum class FaultKind { none, allocation, copy, launch, lost };

/// A failure on order, for tests: the `count`-th operation of a kind in this process.
struct Fault {
    FaultKind kind = FaultKind::none;
    std::uint64_t count = 0;

    /// Counts one operation that `of` covers; true when it is the one to fail.
    [[nodiscard]] bool strikes(FaultKind of) const;
};

} // namespace isovmaf::host
