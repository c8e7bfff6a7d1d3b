// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/device/queues.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace isovmaf::vulkan {
namespace {

constexpr VkQueueFlags graphics = VK_QUEUE_GRAPHICS_BIT, compute = VK_QUEUE_COMPUTE_BIT,
                       transfer = VK_QUEUE_TRANSFER_BIT, video = 0x20;

VkQueueFamilyProperties family(VkQueueFlags flags, std::uint32_t queues, std::uint32_t timestamp_bits = 64) {
    return {flags, queues, timestamp_bits, {}};
}

TEST(VulkanQueueFamilies, TheLargestComputeFamilyAndATransferFamilyAreChosen) {
    const VkQueueFamilyProperties families[] = {family(graphics | compute | transfer, 1), family(video | transfer, 2),
                                                family(compute | transfer, 4, 36), family(transfer, 16, 0),
                                                family(transfer, 1)};
    const auto chosen = choose_queue_families(families);
    ASSERT_TRUE(chosen && chosen->transfer);
    EXPECT_EQ(chosen->compute.index, 2u);
    EXPECT_EQ(chosen->compute.queues, 4u);
    EXPECT_EQ(chosen->compute.timestamp_bits, 36u);
    EXPECT_EQ(chosen->transfer->index, 3u);
    EXPECT_EQ(chosen->transfer->queues, 8u) << "more are of no use";
}

TEST(VulkanQueueFamilies, AFamilyWithoutGraphicsComesBeforeOneWithMoreQueues) {
    const VkQueueFamilyProperties families[] = {family(graphics | compute | transfer, 16),
                                                family(compute | transfer, 8), family(compute | transfer, 2)};
    const auto chosen = choose_queue_families(families);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->compute.index, 1u);
}

TEST(VulkanQueueFamilies, OneFamilyCanServeBoth) {
    const VkQueueFamilyProperties families[] = {family(graphics | compute | transfer, 1)};
    const auto chosen = choose_queue_families(families);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->compute.index, 0u);
    EXPECT_FALSE(chosen->transfer);
}

TEST(VulkanQueueFamilies, ADeviceWithoutComputeHasNone) {
    const VkQueueFamilyProperties families[] = {family(graphics | transfer, 1), family(transfer, 1)};
    EXPECT_FALSE(choose_queue_families(families));
}

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
