// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/contract/device.hpp"

#include <vector>

#include <fmt/format.h>

using namespace isovmaf::vulkan;

namespace {

std::vector<std::uint32_t> indices_of(const QueueFamilies &families) {
    std::vector<std::uint32_t> indices{families.compute.index};
    if (families.transfer)
        indices.push_back(families.transfer->index);
    return indices;
}

} // namespace

isovmaf_device::isovmaf_device(std::shared_ptr<Instance> instance, std::uint32_t index)
    : instance_(std::move(instance)), index_(index), logical_(instance_->open(index)),
      allocator_(api(), logical_->physical(), indices_of(logical_->families())) {}

/// Writes the cache of compiled kernels now: the process may end without another chance.
isovmaf_device::~isovmaf_device() { logical_->pipelines().store(); }

/// Puts the device's number in front of a failure's sentence.
Outcome isovmaf_device::with_device_number(Outcome outcome) const {
    if (!outcome.sentence.empty())
        outcome.sentence = fmt::format("device {}: {}", index_, outcome.sentence);
    return outcome;
}
