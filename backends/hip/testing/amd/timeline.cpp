// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/timeline.hpp"

#include <algorithm>

namespace isovmaf::amd {

std::uint32_t Timeline::begin(const void *stream) {
    moments_.push_back({stream, ++clocks_[stream][stream]});
    current_ = stream;
    return static_cast<std::uint32_t>(moments_.size() - 1);
}

void Timeline::merge(Clock &into, const Clock &from) {
    for (const auto &[stream, tick] : from)
        into[stream] = std::max(into[stream], tick);
}

} // namespace isovmaf::amd
