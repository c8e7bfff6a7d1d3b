// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/contract/commands.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/align.hpp"
#include "common/moves.hpp"

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

using namespace isovmaf::vulkan;
using isovmaf::plugin::require;

namespace {

constexpr VkPipelineStageFlagBits after_all = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;

/// A descriptor pool with one set. The set describes one block of arguments, at a dynamic offset into `arguments`.
std::pair<DescriptorPool, VkDescriptorSet> describe_arguments(const Api &api, VkDescriptorSetLayout layout,
                                                              VkBuffer arguments) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1};
    auto info = structure<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    info.maxSets = 1;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    auto pool = create<DescriptorPool>(api, &VolkDeviceTable::vkCreateDescriptorPool, info, "creating descriptors");

    auto allocation = structure<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    allocation.descriptorPool = pool.get();
    allocation.descriptorSetCount = 1;
    allocation.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    check(api.call.vkAllocateDescriptorSets(api.device, &allocation, &set), "creating descriptors");

    const VkDescriptorBufferInfo block{arguments, 0, Launch::most_arguments};
    auto write = structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    write.pBufferInfo = &block;
    api.call.vkUpdateDescriptorSets(api.device, 1, &write, 0, nullptr);
    return {std::move(pool), set};
}

QueryPool create_clock(const Api &api, std::uint32_t marks) {
    auto info = structure<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = marks;
    return create<QueryPool>(api, &VolkDeviceTable::vkCreateQueryPool, info, "creating a clock");
}

std::pair<CommandPool, VkCommandBuffer> create_commands(const Api &api, std::uint32_t family) {
    auto info = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    info.queueFamilyIndex = family;
    auto pool = create<CommandPool>(api, &VolkDeviceTable::vkCreateCommandPool, info, "creating a command buffer");
    auto allocation = structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    allocation.commandPool = pool.get();
    allocation.commandBufferCount = 1;
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    check(api.call.vkAllocateCommandBuffers(api.device, &allocation, &buffer), "creating a command buffer");
    return {std::move(pool), buffer};
}

} // namespace

isovmaf_commands::isovmaf_commands(isovmaf_device &device, bool timed) : device_(device), timed_(timed) {
    if (timed && device.logical().families().compute.timestamp_bits == 0)
        throw FailedOutcome(ISOVMAF_UNSUPPORTED,
                            "the device has no clock for timed commands (timestampValidBits is 0)");
}

void isovmaf_commands::require_recording() const {
    require(!finished_, "a command is recorded after the recording has ended");
}

void isovmaf_commands::add(Operation operation) {
    require_recording();
    operations_.push_back(std::move(operation));
}

void isovmaf_commands::mark() {
    require(timed_, "a mark is recorded in a sequence that is not timed");
    add(Mark());
    marks_++;
}

bool isovmaf_commands::has_launches() const {
    return std::ranges::any_of(operations_, [](const Operation &each) { return std::holds_alternative<Launch>(each); });
}

/// A sequence of copies goes to the queues for transfers, if the device has such queues, and runs beside kernels. A
/// timed sequence cannot: these queues cannot reset timestamps.
void isovmaf_commands::finish() {
    require_recording();
    const QueueFamilies &families = device_.logical().families();
    const bool only_copies = !has_launches() && !timed_;
    family_ = only_copies && families.transfer ? families.transfer->index : families.compute.index;
    if (has_launches())
        write_arguments();
    if (marks_ > 0)
        clock_ = create_clock(device_.api(), marks_);
    std::tie(pool_, buffer_) = create_commands(device_.api(), family_);
    record();
    operations_.clear();
    finished_ = true;
}

/// Writes one block of arguments for each launch. The buffer ends with room for the largest possible block, because the
/// descriptor has that size for every launch.
void isovmaf_commands::write_arguments() {
    const std::uint64_t alignment = device_.logical().limits().minUniformBufferOffsetAlignment;
    std::uint64_t bytes = 0;
    for (const Operation &operation : operations_)
        if (const Launch *const launch = std::get_if<Launch>(&operation)) {
            recorded_.push_back(launch->ranges());
            argument_offsets_.push_back(static_cast<std::uint32_t>(isovmaf::align_up(bytes, alignment)));
            bytes = argument_offsets_.back() + launch->arguments().size();
        }
    bytes = argument_offsets_.back() + Launch::most_arguments;
    arguments_.emplace(device_.allocator().allocate(MemoryUse::arguments, bytes, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
    std::memset(arguments_->host, 0, bytes);
    auto offset = argument_offsets_.begin();
    for (const Operation &operation : operations_)
        if (const Launch *const launch = std::get_if<Launch>(&operation))
            std::ranges::copy(launch->arguments(), arguments_->host + *offset++);
    std::tie(descriptors_, set_) =
        describe_arguments(device_.api(), device_.logical().pipelines().arguments_layout(), arguments_->buffer.get());
}

void isovmaf_commands::record() {
    const Api &api = device_.api();
    const auto begin = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    check(api.call.vkBeginCommandBuffer(buffer_, &begin), "recording commands");
    if (clock_)
        api.call.vkCmdResetQueryPool(buffer_, clock_.get(), 0, marks_);
    Barriers barriers(api, buffer_);
    std::uint32_t mark = 0;
    bool host_reads = false;
    auto offset = argument_offsets_.begin();
    for (const Operation &operation : operations_) {
        if (std::holds_alternative<Mark>(operation)) {
            barriers.separate_next();
            api.call.vkCmdWriteTimestamp(buffer_, after_all, clock_.get(), mark++);
        } else if (const Launch *const launch = std::get_if<Launch>(&operation)) {
            barriers.before_launch();
            launch->record(api, buffer_, device_.logical().pipelines().layout(), set_, *offset++);
            host_reads = host_reads || launch->reaches_host();
        } else {
            const auto record_transfer = [&](const auto &each) {
                barriers.before_transfer(each.accesses());
                each.record(api, buffer_);
                host_reads = host_reads || each.reaches_host();
            };
            if (const Fill *const fill = std::get_if<Fill>(&operation))
                record_transfer(*fill);
            else
                record_transfer(std::get<Copy>(operation));
        }
    }
    if (host_reads)
        barriers.before_host();
    check(api.call.vkEndCommandBuffer(buffer_), "recording commands");
}

/// The command buffer knows no addresses of ranges: kernels read them from the arguments.
void isovmaf_commands::move(std::span<const isovmaf_move> moves) {
    require(finished_, "ranges are moved before the recording has ended");
    for (const isovmaf_move &move : moves)
        isovmaf::plugin::require_move(device_, move);
    for (std::size_t launch = 0; launch < recorded_.size(); launch++) {
        std::byte *to = arguments_->host + argument_offsets_[launch];
        for (const isovmaf_range &range : recorded_[launch])
            to = std::ranges::copy(address_bytes(isovmaf::plugin::moved(range, moves)), to).out;
    }
}

VkCommandBuffer isovmaf_commands::submittable() const {
    require(finished_, "commands are submitted before their recording has ended");
    return buffer_;
}

void isovmaf_commands::times(double *milliseconds, std::uint32_t count) const {
    require(submitted_ && std::size_t{count} + 1 == marks_, "times are requested that were not measured");
    std::vector<std::uint64_t> ticks(marks_);
    const VkResult result = device_.api().call.vkGetQueryPoolResults(device_.api().device, clock_.get(), 0, marks_,
                                                                     marks_ * sizeof ticks[0], ticks.data(),
                                                                     sizeof ticks[0], VK_QUERY_RESULT_64_BIT);
    require(result != VK_NOT_READY, "times are requested before the submission has ended");
    check(result, "reading times");
    const std::uint32_t bits = device_.logical().families().compute.timestamp_bits;
    const std::uint64_t mask = bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0};
    const double milliseconds_per_tick = static_cast<double>(device_.logical().limits().timestampPeriod) / 1e6;
    for (std::size_t i = 0; i < count; i++)
        milliseconds[i] = static_cast<double>((ticks[i + 1] - ticks[i]) & mask) * milliseconds_per_tick;
}
