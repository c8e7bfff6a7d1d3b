// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/contract/operation.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isovmaf::vulkan {

namespace {

void require_shape(const isovmaf_device &device, const isovmaf_dispatch &dispatch) {
    const KernelImage &image = *dispatch.kernel->image;
    if (!std::ranges::equal(dispatch.group_size, image.group_size))
        throw FailedOutcome(ISOVMAF_INVALID,
                            fmt::format("the kernel {} has groups of {} threads and is launched with {}", image.name,
                                        fmt::join(image.group_size, "x"), fmt::join(dispatch.group_size, "x")));
    for (std::size_t i = 0; i < 3; i++)
        if (dispatch.groups[i] == 0 || dispatch.groups[i] > device.logical().limits().maxComputeWorkGroupCount[i])
            throw FailedOutcome(ISOVMAF_INVALID,
                                fmt::format("{} groups are launched, and there may be 1 to {}",
                                            fmt::join(dispatch.groups, "x"),
                                            fmt::join(device.logical().limits().maxComputeWorkGroupCount, "x")));
}

} // namespace

Fill::Fill(const isovmaf_device &device, const isovmaf_range &range, std::uint64_t bytes, std::uint32_t word)
    : bytes_(bytes), word_(word) {
    plugin::require_fill(device, range, bytes);
    to_ = range.buffer->place().buffer;
    offset_ = range.buffer->place().offset + range.offset;
    plugin::require(offset_ % sizeof(word) == 0, "a fill of imported memory starts inside a 32-bit word");
    reaches_host_ = range.buffer->host() != nullptr;
}

void Fill::record(const Api &api, VkCommandBuffer commands) const {
    if (bytes_ > 0)
        api.call.vkCmdFillBuffer(commands, to_, offset_, bytes_, word_);
}

Copy::Copy(const isovmaf_device &device, const isovmaf_copy &copy) : rows_(plugin::require_copy(device, copy)) {
    const Place &from = copy.from.buffer->place(), &to = copy.to.buffer->place();
    from_ = from.buffer;
    to_ = to.buffer;
    from_offset_ = from.offset + copy.from.offset;
    to_offset_ = to.offset + copy.to.offset;
    from_external_ = from.external;
    family_ =
        device.logical().families().transfer ? VK_QUEUE_FAMILY_IGNORED : device.logical().families().compute.index;
    reaches_host_ = copy.to.buffer->host() != nullptr;
}

void Copy::record(const Api &api, VkCommandBuffer commands) const {
    std::vector<VkBufferCopy> regions;
    for (std::uint64_t row = 0; row < rows_.rows; row++)
        regions.push_back(
            {from_offset_ + row * rows_.from_stride, to_offset_ + row * rows_.to_stride, rows_.row_bytes});
    if (from_external_)
        change_owner(api, commands, VK_QUEUE_FAMILY_EXTERNAL, family_);
    api.call.vkCmdCopyBuffer(commands, from_, to_, static_cast<std::uint32_t>(regions.size()), regions.data());
    if (from_external_)
        change_owner(api, commands, family_, VK_QUEUE_FAMILY_EXTERNAL);
}

/// Moves the ownership of the source's bytes between the exporting API and the queues of this device, so that reads
/// here see what the exporter wrote.
void Copy::change_owner(const Api &api, VkCommandBuffer commands, std::uint32_t from, std::uint32_t to) const {
    auto barrier = structure<VkBufferMemoryBarrier>(VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER);
    barrier.dstAccessMask = from == VK_QUEUE_FAMILY_EXTERNAL ? VK_ACCESS_TRANSFER_READ_BIT : 0;
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    barrier.buffer = from_;
    barrier.offset = from_offset_;
    barrier.size = rows_.from_bytes;
    api.call.vkCmdPipelineBarrier(commands, stage, stage, 0, 0, nullptr, 1, &barrier, 0, nullptr);
}

std::vector<Access> Copy::accesses() const {
    return {{from_, from_offset_, from_offset_ + rows_.from_bytes, false},
            {to_, to_offset_, to_offset_ + rows_.to_bytes, true}};
}

AddressBytes address_bytes(const isovmaf_range &range) {
    return std::bit_cast<AddressBytes>(VkDeviceAddress{range.buffer->address() + range.offset});
}

Launch::Launch(const isovmaf_device &device, const isovmaf_dispatch &dispatch) {
    plugin::require_arguments(device, dispatch);
    require_shape(device, dispatch);
    for (std::uint32_t i = 0; i < dispatch.range_count; i++) {
        const isovmaf_range &range = dispatch.ranges[i];
        const AddressBytes bytes = address_bytes(range);
        ranges_.push_back(range);
        arguments_.insert(arguments_.end(), bytes.begin(), bytes.end());
        reaches_host_ = reaches_host_ || range.buffer->host();
    }
    const auto *const params = static_cast<const std::byte *>(dispatch.params);
    arguments_.insert(arguments_.end(), params, params + dispatch.params_bytes);
    pipeline_ = dispatch.kernel->pipeline.get();
    std::ranges::copy(dispatch.groups, groups_.begin());
}

void Launch::record(const Api &api, VkCommandBuffer commands, VkPipelineLayout layout, VkDescriptorSet set,
                    std::uint32_t offset) const {
    api.call.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    api.call.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 1, &offset);
    api.call.vkCmdDispatch(commands, groups_[0], groups_[1], groups_[2]);
}

} // namespace isovmaf::vulkan
