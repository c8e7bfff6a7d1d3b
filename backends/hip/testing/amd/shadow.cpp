// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/shadow.hpp"

#include <algorithm>

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

bool Shadow::Accesses::conflicts_in_launch(AccessKind kind, const Accessor &accessor) const {
    return writers.conflicts(accessor) || (kind != AccessKind::read && readers.conflicts(accessor)) ||
           (kind != AccessKind::atomic && atomics.conflicts(accessor));
}

bool Shadow::Accesses::conflicts_between_launches(AccessKind kind, const Timeline &timeline) const {
    if (last_write && !timeline.is_complete(last_write))
        return true;
    return kind != AccessKind::read &&
           std::ranges::any_of(last_reads, [&](std::uint32_t read) { return read && !timeline.is_complete(read); });
}

/// A read takes the place of one that is complete; there are seldom more than two streams that read the same memory.
void Shadow::Accesses::add(AccessKind kind, const Accessor &accessor) {
    if (kind == AccessKind::read) {
        readers.add(accessor);
        if (std::ranges::find(last_reads, accessor.run) != last_reads.end())
            return;
        const bool first_is_complete =
            !last_reads[0] || !accessor.timeline || accessor.timeline->is_complete(last_reads[0]);
        last_reads[first_is_complete ? 0 : 1] = accessor.run;
        return;
    }
    (kind == AccessKind::write ? writers : atomics).add(accessor);
    last_write = accessor.run;
}

Conflict Shadow::access(std::size_t offset, std::size_t bytes, AccessKind kind, const Accessor &accessor) {
    for (std::size_t i = offset; i < offset + bytes; i++) {
        Accesses &earlier = accesses_[i];
        if (accessor.timeline && earlier.conflicts_between_launches(kind, *accessor.timeline))
            return Conflict::between_launches;
        if (earlier.run != accessor.run) {
            earlier.run = accessor.run;
            earlier.readers = earlier.writers = earlier.atomics = {};
        }
        if (earlier.conflicts_in_launch(kind, accessor))
            return Conflict::in_launch;
        earlier.add(kind, accessor);
    }
    return Conflict::none;
}

} // namespace isovmaf::amd
