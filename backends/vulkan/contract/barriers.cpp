// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/contract/barriers.hpp"

#include <algorithm>

namespace isovmaf::vulkan {

namespace {

constexpr VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT,
                               compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;

VkAccessFlags writes_of(VkPipelineStageFlags stages) {
    VkAccessFlags writes = 0;
    if (stages & compute)
        writes |= VK_ACCESS_SHADER_WRITE_BIT;
    if (stages & transfer)
        writes |= VK_ACCESS_TRANSFER_WRITE_BIT;
    return writes;
}

} // namespace

void Barriers::barrier(VkPipelineStageFlags from, VkPipelineStageFlags to, VkAccessFlags access) {
    if (from) {
        auto memory = structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
        memory.srcAccessMask = writes_of(from);
        memory.dstAccessMask = access;
        api_.call.vkCmdPipelineBarrier(commands_, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
    }
    separate_next_ = false;
    unordered_.clear();
}

void Barriers::before_transfer(const std::vector<Access> &accesses) {
    const auto conflicts = [this](const Access &access) {
        return std::ranges::any_of(unordered_, [&](const Access &earlier) { return access.conflicts(earlier); });
    };
    if (separate_next_ || stage_ == compute || std::ranges::any_of(accesses, conflicts))
        barrier(stage_, transfer, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    unordered_.insert(unordered_.end(), accesses.begin(), accesses.end());
    stage_ = transfer;
    stages_ |= transfer;
}

void Barriers::before_launch() {
    barrier(stage_, compute, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    stage_ = compute;
    stages_ |= compute;
}

void Barriers::before_host() { barrier(stages_, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT); }

} // namespace isovmaf::vulkan
