// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "frame/frame.hpp"

namespace isovmaf {

/// The two frames that a score compares. Both have the same format.
struct FramePair {
    Frame reference;
    Frame distorted;
};

} // namespace isovmaf
