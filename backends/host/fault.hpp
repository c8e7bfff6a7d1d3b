// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

namespace isovmaf::host {

/// The kinds of operations that can be made to fail. `lost` loses the device, and counts copies and launches together.
enum class FaultKind { none, allocation, copy, launch, lost };

/// A failure that a test asks for: operation number `count` of a kind in this process fails.
struct Fault {
    FaultKind kind = FaultKind::none;
    std::uint64_t count = 0;

    /// Counts an operation of kind `of`. True if this operation has to fail.
    [[nodiscard]] bool is_due(FaultKind of) const;
};

} // namespace isovmaf::host
