// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/device/placements.hpp"

#include <iterator>

#include <fmt/format.h>

#include "vulkan/failure.hpp"

namespace isovmaf::vulkan {

void Placements::add(VkDeviceAddress address, std::uint64_t bytes, const Place &place) {
    const std::lock_guard lock(mutex_);
    placed_[address] = {bytes, place};
}

void Placements::remove(VkDeviceAddress address) {
    const std::lock_guard lock(mutex_);
    placed_.erase(address);
}

Place Placements::find(VkDeviceAddress address, std::uint64_t bytes) const {
    const std::lock_guard lock(mutex_);
    if (auto after = placed_.upper_bound(address); after != placed_.begin()) {
        const auto &[start, placed] = *std::prev(after);
        const std::uint64_t offset = address - start;
        if (offset < placed.bytes && bytes <= placed.bytes - offset)
            return {placed.place.buffer, placed.place.offset + offset, placed.place.external};
    }
    throw FailedOutcome(
        ISOVMAF_INVALID,
        fmt::format("{} bytes at {:#x} lie in no memory that this device holds or imported", bytes, address));
}

} // namespace isovmaf::vulkan
