// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/api.hpp"

#include <gtest/gtest.h>

namespace isovmaf::vulkan {
namespace {

TEST(VulkanFailure, ResultsHaveTheirStatus) {
    EXPECT_EQ(status_of(VK_SUCCESS), ISOVMAF_OK);
    EXPECT_EQ(status_of(VK_TIMEOUT), ISOVMAF_NOT_READY);
    for (const VkResult result :
         {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_TOO_MANY_OBJECTS})
        EXPECT_EQ(status_of(result), ISOVMAF_OUT_OF_MEMORY) << result;
    EXPECT_EQ(status_of(VK_ERROR_DEVICE_LOST), ISOVMAF_DEVICE_LOST);
    EXPECT_EQ(status_of(VK_ERROR_FEATURE_NOT_PRESENT), ISOVMAF_UNSUPPORTED);
    EXPECT_EQ(status_of(VK_ERROR_UNKNOWN), ISOVMAF_FAILED);
    EXPECT_EQ(status_of(static_cast<VkResult>(-4711)), ISOVMAF_FAILED);
}

TEST(VulkanFailure, TheSentenceHasTheAttemptAndTheResult) {
    EXPECT_EQ(vulkan_failure(VK_ERROR_OUT_OF_DEVICE_MEMORY, "allocating 64 bytes").outcome().sentence,
              "allocating 64 bytes failed: VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
    EXPECT_EQ(vulkan_failure(VK_ERROR_DEVICE_LOST, "waiting").outcome().sentence,
              "waiting failed: VK_ERROR_DEVICE_LOST (-4); the device is lost to all who have it open");
    EXPECT_EQ(result_text(static_cast<VkResult>(-4711)), "VkResult (-4711)");
}

} // namespace
} // namespace isovmaf::vulkan
