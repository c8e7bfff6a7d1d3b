// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

namespace isovmaf::amd {

/// Up to 64 bits of a register. A set bit of `undefined` marks a bit that depends on something that nobody wrote.
struct Value {
    std::uint64_t bits = 0;
    std::uint64_t undefined = 0;

    bool operator==(const Value &) const = default;
};

} // namespace isovmaf::amd
