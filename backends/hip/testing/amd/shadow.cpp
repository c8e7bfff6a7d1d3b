// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/shadow.hpp"

namespace isovmaf::amd {

bool Shadow::Parties::conflicts(const Accessor &accessor) const {
    if (group_ == none)
        return false;
    if (group_ != accessor.group)
        return true;
    return epoch_ == accessor.epoch && wave_ != accessor.wave;
}

void Shadow::Parties::add(const Accessor &accessor) {
    if (group_ != none && group_ != accessor.group) {
        group_ = several;
        return;
    }
    const bool same_epoch = group_ == accessor.group && epoch_ == accessor.epoch;
    wave_ = same_epoch && wave_ != accessor.wave ? several : accessor.wave;
    group_ = accessor.group;
    epoch_ = accessor.epoch;
}

bool Shadow::access(std::size_t offset, std::size_t bytes, AccessKind kind, const Accessor &accessor) {
    for (std::size_t i = offset; i < offset + bytes; i++) {
        Accesses &earlier = accesses_[i];
        if (earlier.run != accessor.run)
            earlier = {accessor.run, {}, {}, {}};
        if (earlier.writers.conflicts(accessor) || (kind != AccessKind::read && earlier.readers.conflicts(accessor)) ||
            (kind != AccessKind::atomic && earlier.atomics.conflicts(accessor)))
            return false;
        Parties &same = kind == AccessKind::read    ? earlier.readers
                        : kind == AccessKind::write ? earlier.writers
                                                    : earlier.atomics;
        same.add(accessor);
    }
    return true;
}

} // namespace isovmaf::amd
