// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "common/outcome.hpp"

#define VK_NO_PROTOTYPES
#include <volk.h>

/// Vulkan through volk. The plugin does not link to Vulkan's loader but opens it when it is first used (docs/adr/0020).
/// Functions of an instance are volk's global function pointers; each open device has a table of its own functions.
namespace isovmaf::vulkan {

/// A structure of Vulkan in which all members except its type are zero.
template <class T>
[[nodiscard]] T structure(VkStructureType type) {
    T zero{};
    zero.sType = type;
    return zero;
}

/// An open device and its functions.
struct Api {
    VkDevice device = VK_NULL_HANDLE;
    VolkDeviceTable call{};
};

/// The opened library of Vulkan's loader.
struct Loader {
    std::string name; ///< as it was asked for: "libvulkan.so.1"
    std::string file; ///< path of its file; empty when it is not known
};

/// Opens Vulkan's loader, the file that ISOVMAF_VULKAN_LOADER names, else the system's. Later calls do nothing: the
/// loader stays open until the process ends. One thread at a time. Throws FailedOutcome: UNAVAILABLE.
[[nodiscard]] const Loader &open_loader();

using plugin::FailedOutcome;
using plugin::Outcome;

/// The status of the plugin contract that corresponds to a result of Vulkan.
[[nodiscard]] isovmaf_status status_of(VkResult result);

/// The result's name and number: "VK_ERROR_DEVICE_LOST (-4)".
[[nodiscard]] std::string result_text(VkResult result);

/// A failure whose sentence starts with `attempted`, such as "copying 64 bytes".
[[nodiscard]] FailedOutcome vulkan_failure(VkResult result, std::string_view attempted);

/// Throws a FailedOutcome unless Vulkan succeeded.
inline void check(VkResult result, std::string_view attempted) {
    if (result != VK_SUCCESS)
        throw vulkan_failure(result, attempted);
}

/// Owns an object of a device. The device has to outlive the object.
template <class T, void (VKAPI_PTR *VolkDeviceTable::*destroy)(VkDevice, T, const VkAllocationCallbacks *)>
class Handle {
  public:
    Handle() = default;
    Handle(const Api &api, T value) : api_(&api), value_(value) {}
    Handle(Handle &&other) noexcept : api_(other.api_), value_(std::exchange(other.value_, VK_NULL_HANDLE)) {}
    Handle &operator=(Handle &&other) noexcept {
        std::swap(api_, other.api_);
        std::swap(value_, other.value_);
        return *this;
    }
    ~Handle() {
        if (value_)
            (api_->call.*destroy)(api_->device, value_, nullptr);
    }

    [[nodiscard]] T get() const { return value_; }
    [[nodiscard]] explicit operator bool() const { return value_ != VK_NULL_HANDLE; }

  private:
    const Api *api_ = nullptr;
    T value_ = VK_NULL_HANDLE;
};

using Buffer = Handle<VkBuffer, &VolkDeviceTable::vkDestroyBuffer>;
using DeviceMemory = Handle<VkDeviceMemory, &VolkDeviceTable::vkFreeMemory>;
using CommandPool = Handle<VkCommandPool, &VolkDeviceTable::vkDestroyCommandPool>;
using DescriptorPool = Handle<VkDescriptorPool, &VolkDeviceTable::vkDestroyDescriptorPool>;
using DescriptorSetLayout = Handle<VkDescriptorSetLayout, &VolkDeviceTable::vkDestroyDescriptorSetLayout>;
using Pipeline = Handle<VkPipeline, &VolkDeviceTable::vkDestroyPipeline>;
using PipelineCache = Handle<VkPipelineCache, &VolkDeviceTable::vkDestroyPipelineCache>;
using PipelineLayout = Handle<VkPipelineLayout, &VolkDeviceTable::vkDestroyPipelineLayout>;
using QueryPool = Handle<VkQueryPool, &VolkDeviceTable::vkDestroyQueryPool>;
using Semaphore = Handle<VkSemaphore, &VolkDeviceTable::vkDestroySemaphore>;
using ShaderModule = Handle<VkShaderModule, &VolkDeviceTable::vkDestroyShaderModule>;

/// Creates an object with a function of the device's table: create(api, &VolkDeviceTable::vkCreateX, info, "creating
/// X").
template <class Owner, class T, class Info>
[[nodiscard]] Owner create(const Api &api,
                           VkResult (VKAPI_PTR *VolkDeviceTable::*function)(VkDevice, const Info *,
                                                                            const VkAllocationCallbacks *, T *),
                           const Info &info, std::string_view attempted) {
    T value = VK_NULL_HANDLE;
    check((api.call.*function)(api.device, &info, nullptr, &value), attempted);
    return {api, value};
}

} // namespace isovmaf::vulkan
