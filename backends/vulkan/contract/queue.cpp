// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/contract/queue.hpp"

#include <vector>

#include <fmt/format.h>

using namespace isovmaf::vulkan;

namespace {

/// The timelines that a submission waits for, and the values that they have to reach.
struct Waits {
    std::vector<VkSemaphore> semaphores;
    std::vector<std::uint64_t> values;
    std::vector<VkPipelineStageFlags> stages;

    void add(const Timeline &timeline, std::uint64_t value) {
        semaphores.push_back(timeline.semaphore.get());
        values.push_back(value);
        stages.push_back(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    }
};

} // namespace

isovmaf_queue::isovmaf_queue(isovmaf_device &device)
    : device_(device), timeline_(device.logical().take_timeline()), first_(timeline_.last), last_(timeline_.last) {}

isovmaf_queue::~isovmaf_queue() {
    for (const auto &[family, queue] : submit_queues_)
        device_.logical().submit_queues(family).release(*queue);
    timeline_.last = last_;
    device_.logical().give_back(std::move(timeline_));
}

void isovmaf_queue::require_issued(std::uint64_t ticket) const {
    if (ticket <= first_ || ticket > last_)
        throw FailedOutcome(ISOVMAF_INVALID, fmt::format("the queue issued no ticket {}", ticket));
}

SubmitQueue &isovmaf_queue::submit_queue(std::uint32_t family) {
    SubmitQueue *&queue = submit_queues_[family];
    if (!queue)
        queue = &device_.logical().submit_queues(family).acquire();
    return *queue;
}

std::uint64_t isovmaf_queue::submit(isovmaf_commands &commands, std::span<const isovmaf_ticket> waits) {
    const VkCommandBuffer buffer = commands.submittable();
    const std::uint64_t ticket = last_ + 1;
    Waits before;
    if (last_ > first_)
        before.add(timeline_, last_);
    for (const isovmaf_ticket &wait : waits) {
        isovmaf::plugin::require(wait.queue && &wait.queue->device_ == &device_,
                                 "a ticket to wait for is not of this device");
        wait.queue->require_issued(wait.value);
        if (wait.queue != this) // every submission waits for earlier ones of its own queue
            before.add(wait.queue->timeline_, wait.value);
    }

    auto values = structure<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    values.waitSemaphoreValueCount = static_cast<std::uint32_t>(before.values.size());
    values.pWaitSemaphoreValues = before.values.data();
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &ticket;
    const VkSemaphore done = timeline_.semaphore.get();
    auto info = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.pNext = &values;
    info.waitSemaphoreCount = static_cast<std::uint32_t>(before.semaphores.size());
    info.pWaitSemaphores = before.semaphores.data();
    info.pWaitDstStageMask = before.stages.data();
    info.commandBufferCount = 1;
    info.pCommandBuffers = &buffer;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &done;
    SubmitQueue &queue = submit_queue(commands.family());
    {
        const std::lock_guard lock(queue.mutex);
        check(device_.api().call.vkQueueSubmit(queue.handle, 1, &info, VK_NULL_HANDLE), "submitting commands");
    }
    commands.note_submission();
    last_ = ticket;
    return ticket;
}

bool isovmaf_queue::wait(std::uint64_t ticket, std::uint64_t timeout_ns) const {
    require_issued(ticket);
    const VkSemaphore semaphore = timeline_.semaphore.get();
    auto info = structure<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore;
    info.pValues = &ticket;
    const VkResult result = device_.api().call.vkWaitSemaphores(device_.api().device, &info, timeout_ns);
    if (result == VK_TIMEOUT)
        return false;
    check(result, "waiting for submitted work");
    return true;
}
