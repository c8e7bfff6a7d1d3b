// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <utility>

#include "vulkan/failure.hpp"

namespace isovmaf::vulkan {

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
