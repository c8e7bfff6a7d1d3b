// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/shadow.hpp"

#include <algorithm>
#include <iterator>

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

bool Shadow::conflicts_between_launches(const Accesses &earlier, AccessKind kind, const Timeline &timeline) const {
    const auto runs_on = [&](std::uint32_t run) { return run && !timeline.is_complete(run); };
    return runs_on(earlier.last_write) ||
           (kind != AccessKind::read && std::ranges::any_of(run_sets_[earlier.reads], runs_on));
}

std::uint32_t Shadow::set_with(std::uint32_t set, const Accessor &accessor) {
    const std::pair key{set, accessor.run};
    if (key == last_key_)
        return last_set_;
    const auto [found, is_new] = larger_sets_.try_emplace(key, static_cast<std::uint32_t>(run_sets_.size()));
    if (is_new) {
        std::vector<std::uint32_t> runs;
        std::ranges::copy_if(run_sets_[set], std::back_inserter(runs), [&](std::uint32_t run) {
            return accessor.timeline && !accessor.timeline->is_complete(run);
        });
        runs.push_back(accessor.run);
        run_sets_.push_back(std::move(runs));
    }
    last_key_ = key;
    return last_set_ = found->second;
}

/// A write or atomic comes after all earlier reads, else it conflicts: what comes after it comes after them.
void Shadow::add(Accesses &accesses, AccessKind kind, const Accessor &accessor) {
    if (kind == AccessKind::read) {
        accesses.readers.add(accessor);
        if (run_sets_[accesses.reads].empty() || run_sets_[accesses.reads].back() != accessor.run)
            accesses.reads = set_with(accesses.reads, accessor);
        return;
    }
    (kind == AccessKind::write ? accesses.writers : accesses.atomics).add(accessor);
    accesses.last_write = accessor.run;
    accesses.reads = 0;
}

Conflict Shadow::access(std::size_t offset, std::size_t bytes, AccessKind kind, const Accessor &accessor) {
    for (std::size_t i = offset; i < offset + bytes; i++) {
        Accesses &earlier = accesses_[i];
        if (accessor.timeline && conflicts_between_launches(earlier, kind, *accessor.timeline))
            return Conflict::between_launches;
        if (earlier.run != accessor.run) {
            earlier.run = accessor.run;
            earlier.readers = earlier.writers = earlier.atomics = {};
        }
        if (earlier.conflicts_in_launch(kind, accessor))
            return Conflict::in_launch;
        add(earlier, kind, accessor);
    }
    return Conflict::none;
}

} // namespace isovmaf::amd
