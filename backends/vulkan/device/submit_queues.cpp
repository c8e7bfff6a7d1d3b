// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/device/submit_queues.hpp"

#include <algorithm>

namespace isovmaf::vulkan {

void SubmitQueues::add(VkQueue queue) {
    queues_.push_back(std::make_unique<SubmitQueue>());
    queues_.back()->handle = queue;
}

SubmitQueue &SubmitQueues::acquire() {
    const std::lock_guard lock(mutex_);
    SubmitQueue &queue = **std::ranges::min_element(queues_, {}, [](const auto &each) { return each->users; });
    queue.users++;
    return queue;
}

void SubmitQueues::release(SubmitQueue &queue) {
    const std::lock_guard lock(mutex_);
    queue.users--;
}

} // namespace isovmaf::vulkan
