// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/instance/instance.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "vulkan/memory/memory.hpp"

namespace isovmaf::vulkan {

namespace {

/// Properties of a device. Those that its version and extensions do not provide are zero.
struct Properties {
    explicit Properties(VkPhysicalDevice device);
    Properties(const Properties &) = delete;
    Properties &operator=(const Properties &) = delete;

    VkPhysicalDeviceProperties2 core =
        structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    VkPhysicalDeviceSubgroupProperties subgroups =
        structure<VkPhysicalDeviceSubgroupProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
    VkPhysicalDeviceDriverProperties driver =
        structure<VkPhysicalDeviceDriverProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    VkPhysicalDeviceSubgroupSizeControlProperties subgroup_sizes =
        structure<VkPhysicalDeviceSubgroupSizeControlProperties>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci = structure<VkPhysicalDevicePCIBusInfoPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT);
    bool has_pci;
};

Properties::Properties(VkPhysicalDevice device) : has_pci(has_device_extension(device, "VK_EXT_pci_bus_info")) {
    vkGetPhysicalDeviceProperties(device, &core.properties);
    const std::uint32_t version = core.properties.apiVersion;
    if (version < VK_API_VERSION_1_1)
        return;
    const auto ask = [this](auto &structure) {
        structure.pNext = core.pNext;
        core.pNext = &structure;
    };
    ask(subgroups);
    if (version >= VK_API_VERSION_1_2)
        ask(driver);
    if (version >= VK_API_VERSION_1_3 || has_device_extension(device, "VK_EXT_subgroup_size_control"))
        ask(subgroup_sizes);
    if (has_pci)
        ask(pci);
    vkGetPhysicalDeviceProperties2(device, &core);
}

/// `to` is a member of a structure of the contract.
template <std::size_t size>
void set_text(char (&to)[size], std::string_view text) {
    to[text.copy(to, size - 1)] = '\0';
}

std::string version_text(std::uint32_t version) {
    return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                       VK_API_VERSION_PATCH(version));
}

/// Sets the bytes of the device's own memory, and how many are free: 0 if the driver does not report it.
void describe_memory(VkPhysicalDevice device, isovmaf_device_info &info) {
    auto budget = structure<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
    auto memory = structure<VkPhysicalDeviceMemoryProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2);
    if (has_device_extension(device, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME))
        memory.pNext = &budget;
    vkGetPhysicalDeviceMemoryProperties2(device, &memory);
    for (std::uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; i++) {
        const VkMemoryHeap &heap = memory.memoryProperties.memoryHeaps[i];
        if (!(heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT))
            continue;
        info.memory_bytes += heap.size;
        info.memory_free_bytes += budget.heapBudget[i] - std::min(budget.heapBudget[i], budget.heapUsage[i]);
    }
    info.memory_free_bytes = std::min(info.memory_free_bytes, info.memory_bytes);
}

std::string subgroup_text(const Properties &properties) {
    const std::uint32_t least = properties.subgroup_sizes.minSubgroupSize,
                        most = properties.subgroup_sizes.maxSubgroupSize;
    if (least == most || most == 0)
        return fmt::format("subgroups of {}", properties.subgroups.subgroupSize);
    return fmt::format("subgroups of {} to {}", least, most);
}

std::string queues_text(const QueueFamilies &families) {
    const std::string compute = fmt::format("{} for compute", families.compute.queues);
    return families.transfer ? fmt::format("queues: {}, {} for copies", compute, families.transfer->queues)
                             : fmt::format("queues: {}", compute);
}

/// A line with driver, versions, widths of subgroups, queues and missing features.
std::string details(const Instance &instance, VkPhysicalDevice device, const Properties &properties) {
    const VkPhysicalDeviceProperties &core = properties.core.properties;
    const Capabilities capabilities = capabilities_of(device, core, instance.settings());
    std::vector<std::string> parts;
    if (*properties.driver.driverName)
        parts.push_back(fmt::format("driver {} {}", properties.driver.driverName, properties.driver.driverInfo));
    else
        parts.push_back(fmt::format("driver version {:#x}", core.driverVersion));
    parts.push_back("Vulkan " + version_text(core.apiVersion));
    parts.push_back(subgroup_text(properties));
    parts.push_back(queues_text(*choose_queue_families(families_of(device))));
    for (const std::string &name : capabilities.lacking)
        parts.push_back("does without " + name);
    for (const std::string &name : capabilities.missing)
        parts.push_back("lacks " + name);
    return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace

isovmaf_runtime_info describe_runtime(const Instance &instance) {
    isovmaf_runtime_info info{};
    set_text(info.runtime, instance.loader().name);
    set_text(info.file, instance.loader().file);
    set_text(info.runtime_version, version_text(volkGetInstanceVersion()));
    info.device_count = static_cast<std::uint32_t>(instance.devices().size());
    std::set<std::string> drivers;
    for (const VkPhysicalDevice device : instance.devices())
        drivers.insert(Properties(device).driver.driverInfo);
    if (drivers.size() == 1) // of several drivers each device's details name its own
        set_text(info.driver_version, *drivers.begin());
    return info;
}

isovmaf_device_info describe_device(const Instance &instance, VkPhysicalDevice device) {
    const Properties properties(device);
    const VkPhysicalDeviceProperties &core = properties.core.properties;
    isovmaf_device_info info{};
    set_text(info.name, core.deviceName);
    set_text(info.arch, "spirv1.5"); // the driver compiles it for the device
    if (properties.has_pci)
        set_text(info.pci_id, fmt::format("{:04x}:{:02x}:{:02x}.{}", properties.pci.pciDomain, properties.pci.pciBus,
                                          properties.pci.pciDevice, properties.pci.pciFunction));
    describe_memory(device, info);
    info.wave_width = properties.subgroups.subgroupSize;
    info.replays = 1;
    info.cpu = core.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? 1 : 0;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(device, &memory);
    info.shares_memory = shares_memory(core.deviceType, memory) ? 1 : 0;
    set_text(info.details, details(instance, device, properties));
    return info;
}

} // namespace isovmaf::vulkan
