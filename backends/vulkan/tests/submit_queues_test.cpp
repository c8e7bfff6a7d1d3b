// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/device/submit_queues.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace isovmaf::vulkan {
namespace {

/// Stands for a queue of a driver; it is compared and never used.
VkQueue numbered(std::uintptr_t number) { return reinterpret_cast<VkQueue>(number); }

TEST(VulkanSubmitQueues, TheFirstQueueWithTheFewestUsersIsChosen) {
    SubmitQueues queues;
    for (std::uintptr_t number = 1; number <= 3; number++)
        queues.add(numbered(number));
    for (const std::uintptr_t expected : {1u, 2u, 3u, 1u})
        EXPECT_EQ(queues.acquire().handle, numbered(expected));
}

TEST(VulkanSubmitQueues, AReleasedQueueIsChosenAgain) {
    SubmitQueues queues;
    for (std::uintptr_t number = 1; number <= 3; number++)
        queues.add(numbered(number));
    SubmitQueue &first = queues.acquire(), &second = queues.acquire();
    queues.release(second);
    EXPECT_EQ(&queues.acquire(), &second);
    queues.release(first);
    EXPECT_EQ(&queues.acquire(), &first) << "what ran before does not move a later user to another queue";
}

} // namespace
} // namespace isovmaf::vulkan
