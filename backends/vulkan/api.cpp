// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/api.hpp"

#include <fmt/format.h>

namespace isovmaf::vulkan {

namespace {

const char *name_of(VkResult result) {
#define ISOVMAF_VULKAN_NAME(name)                                                                                      \
    case name:                                                                                                         \
        return #name;
    switch (static_cast<int>(result)) {
        ISOVMAF_VULKAN_NAME(VK_SUCCESS)
        ISOVMAF_VULKAN_NAME(VK_NOT_READY)
        ISOVMAF_VULKAN_NAME(VK_TIMEOUT)
        ISOVMAF_VULKAN_NAME(VK_INCOMPLETE)
        ISOVMAF_VULKAN_NAME(VK_ERROR_OUT_OF_HOST_MEMORY)
        ISOVMAF_VULKAN_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY)
        ISOVMAF_VULKAN_NAME(VK_ERROR_INITIALIZATION_FAILED)
        ISOVMAF_VULKAN_NAME(VK_ERROR_DEVICE_LOST)
        ISOVMAF_VULKAN_NAME(VK_ERROR_MEMORY_MAP_FAILED)
        ISOVMAF_VULKAN_NAME(VK_ERROR_LAYER_NOT_PRESENT)
        ISOVMAF_VULKAN_NAME(VK_ERROR_EXTENSION_NOT_PRESENT)
        ISOVMAF_VULKAN_NAME(VK_ERROR_FEATURE_NOT_PRESENT)
        ISOVMAF_VULKAN_NAME(VK_ERROR_INCOMPATIBLE_DRIVER)
        ISOVMAF_VULKAN_NAME(VK_ERROR_TOO_MANY_OBJECTS)
        ISOVMAF_VULKAN_NAME(VK_ERROR_FRAGMENTED_POOL)
        ISOVMAF_VULKAN_NAME(VK_ERROR_UNKNOWN)
        ISOVMAF_VULKAN_NAME(VK_ERROR_OUT_OF_POOL_MEMORY)
        ISOVMAF_VULKAN_NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE)
        ISOVMAF_VULKAN_NAME(VK_ERROR_FRAGMENTATION)
        ISOVMAF_VULKAN_NAME(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)
        ISOVMAF_VULKAN_NAME(VK_ERROR_NOT_PERMITTED_KHR)
    default:
        return "VkResult";
    }
#undef ISOVMAF_VULKAN_NAME
}

} // namespace

isovmaf_status status_of(VkResult result) {
    switch (result) {
    case VK_SUCCESS:
        return ISOVMAF_OK;
    case VK_NOT_READY:
    case VK_TIMEOUT:
        return ISOVMAF_NOT_READY;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS: // the number of allocations of a device is limited
    case VK_ERROR_FRAGMENTATION:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_MEMORY_MAP_FAILED: // lack of address space
        return ISOVMAF_OUT_OF_MEMORY;
    case VK_ERROR_DEVICE_LOST:
        return ISOVMAF_DEVICE_LOST;
    case VK_ERROR_LAYER_NOT_PRESENT:
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return ISOVMAF_UNAVAILABLE;
    case VK_ERROR_FEATURE_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return ISOVMAF_UNSUPPORTED;
    default:
        return ISOVMAF_FAILED;
    }
}

std::string result_text(VkResult result) { return fmt::format("{} ({})", name_of(result), static_cast<int>(result)); }

FailedOutcome vulkan_failure(VkResult result, std::string_view attempted) {
    const isovmaf_status status = status_of(result);
    const char *const consequence = status == ISOVMAF_DEVICE_LOST ? "; the device is lost to all who have it open" : "";
    return {status, fmt::format("{} failed: {}{}", attempted, result_text(result), consequence)};
}

} // namespace isovmaf::vulkan
