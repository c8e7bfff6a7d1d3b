// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/instance/instance.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include <fmt/format.h>

namespace isovmaf::vulkan {

namespace {

/// Guards the two variables below, and volk's function pointers while they are set.
std::mutex instance_mutex;
std::weak_ptr<Instance> current_instance;

/// Keeps the instance when nobody uses it. Never destroyed at the end of the process: by then a driver may have ended
/// parts of itself that destroying the instance needs.
std::shared_ptr<Instance> &kept_instance() {
    static auto *const instance = new std::shared_ptr<Instance>;
    return *instance;
}

constexpr const char *portability = "VK_KHR_portability_enumeration"; // without it the loader does not list MoltenVK

bool has_extension(const char *name) {
    std::uint32_t count = 0;
    check(vkEnumerateInstanceExtensionProperties(nullptr, &count, nullptr), "listing Vulkan's extensions");
    std::vector<VkExtensionProperties> extensions(count);
    check(vkEnumerateInstanceExtensionProperties(nullptr, &count, extensions.data()), "listing Vulkan's extensions");
    return std::ranges::any_of(extensions, [&](const auto &each) { return !std::strcmp(each.extensionName, name); });
}

VkInstance create_instance(const std::string &loader, const ValidationLayer &layer) {
    auto application = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.pApplicationName = "isovmaf";
    application.apiVersion = VK_API_VERSION_1_2;
    auto info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pApplicationInfo = &application;
    std::vector<const char *> extensions;
    if (has_extension(portability)) {
        extensions.push_back(portability);
        info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    }
    layer.extend(info, extensions);
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    VkInstance instance = VK_NULL_HANDLE;
    const VkResult result = vkCreateInstance(&info, nullptr, &instance);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
        throw FailedOutcome(ISOVMAF_UNAVAILABLE, fmt::format("{} finds no Vulkan driver, install one for the GPU "
                                                             "(mesa-vulkan-drivers, or the vendor's): {}",
                                                             loader, result_text(result)));
    if (result != VK_SUCCESS)
        throw FailedOutcome(ISOVMAF_UNAVAILABLE, fmt::format("{} does not start: {}", loader, result_text(result)));
    return instance;
}

/// Devices are listed in ascending order of rank.
int rank(VkPhysicalDevice device) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device, &properties);
    switch (properties.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 1;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 3;
    default:
        return 2;
    }
}

std::vector<VkPhysicalDevice> list_devices(VkInstance instance, const std::string &loader) {
    std::uint32_t count = 0;
    std::vector<VkPhysicalDevice> devices;
    VkResult result = vkEnumeratePhysicalDevices(instance, &count, nullptr);
    if (result == VK_SUCCESS) {
        devices.resize(count);
        result = vkEnumeratePhysicalDevices(instance, &count, devices.data());
        devices.resize(count);
    }
    if (result != VK_SUCCESS && result != VK_INCOMPLETE && result != VK_ERROR_INITIALIZATION_FAILED)
        throw FailedOutcome(ISOVMAF_UNAVAILABLE,
                            fmt::format("{} cannot list devices: {}", loader, result_text(result)));
    std::erase_if(devices, [](VkPhysicalDevice device) { return !choose_queue_families(families_of(device)); });
    if (devices.empty())
        throw FailedOutcome(ISOVMAF_UNAVAILABLE,
                            fmt::format("{} has drivers, and none of them finds a device for compute: "
                                        "look at vulkaninfo --summary",
                                        loader));
    std::ranges::stable_sort(devices, {}, rank);
    return devices;
}

} // namespace

/// The instance, if there is one and nobody uses it: only kept_instance() and the local variable refer to it.
std::shared_ptr<Instance> Instance::idle() {
    std::shared_ptr<Instance> instance = current_instance.lock();
    return instance && instance.use_count() == 2 ? instance : nullptr;
}

std::shared_ptr<Instance> Instance::get() {
    const std::lock_guard lock(instance_mutex);
    if (const auto instance = idle(); instance && (instance->messages_.any() || instance->settings_ != read_settings()))
        kept_instance().reset();
    std::shared_ptr<Instance> instance = current_instance.lock();
    if (!instance) {
        instance.reset(new Instance);
        current_instance = instance;
        kept_instance() = instance;
    }
    return instance;
}

void Instance::device_closed() {
    const std::lock_guard lock(instance_mutex);
    const auto instance = idle();
    if (!instance)
        return;
    if (instance->settings_.validation != Validation::off) {
        const std::lock_guard open_lock(instance->open_mutex_);
        instance->open_.clear();
    }
    if (instance->messages_.any())
        kept_instance().reset();
}

Instance::Instance() : loader_(open_loader()), settings_(read_settings()), layer_(settings_.validation, messages_) {
    handle_ = create_instance(loader_.name, layer_);
    volkLoadInstanceOnly(handle_);
    destroy_ = vkDestroyInstance;
    try {
        messenger_.emplace(handle_, settings_.validation, messages_);
        devices_ = list_devices(handle_, loader_.name);
    } catch (...) {
        messenger_.reset();
        destroy_(handle_, nullptr);
        throw;
    }
}

std::shared_ptr<LogicalDevice> Instance::open(std::uint32_t index) {
    const std::lock_guard lock(open_mutex_);
    std::shared_ptr<LogicalDevice> &device = open_[index];
    if (!device || device->device_loss().happened())
        device = std::make_shared<LogicalDevice>(devices_[index], settings_);
    return device;
}

Instance::~Instance() {
    open_.clear();
    messenger_.reset();
    destroy_(handle_, nullptr);
}

} // namespace isovmaf::vulkan
