// SPDX-License-Identifier: BSD-2-Clause-Patent
#define VOLK_IMPLEMENTATION
#include "vulkan/tests/exporter.hpp"

#include <algorithm>
#include <stdexcept>

#include <unistd.h>

namespace isovmaf::testing {

namespace {

void check(VkResult result, const char *attempted) {
    if (result != VK_SUCCESS)
        throw std::runtime_error(std::string(attempted) + " failed: " + std::to_string(result));
}

template <class T>
T structure(VkStructureType type) {
    T made{};
    made.sType = type;
    return made;
}

VkExternalMemoryHandleTypeFlagBits handle_type(ExternalKind kind) {
    return kind == ExternalKind::dmabuf ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT
                                        : VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
}

constexpr VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

VkExternalMemoryFeatureFlags export_features(VkPhysicalDevice device, ExternalKind kind) {
    auto info = structure<VkPhysicalDeviceExternalBufferInfo>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO);
    info.usage = usage;
    info.handleType = handle_type(kind);
    auto properties = structure<VkExternalBufferProperties>(VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES);
    vkGetPhysicalDeviceExternalBufferProperties(device, &info, &properties);
    return properties.externalMemoryProperties.externalMemoryFeatures;
}

/// The first memory type in `allowed` that has the properties; if there is none and `need` is false, any allowed type.
std::uint32_t memory_type(VkPhysicalDevice device, std::uint32_t allowed, VkMemoryPropertyFlags properties, bool need) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(device, &memory);
    for (const VkMemoryPropertyFlags wanted : {properties, need ? properties : 0})
        for (std::uint32_t i = 0; i < memory.memoryTypeCount; i++)
            if ((allowed >> i & 1) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
                return i;
    throw std::runtime_error("no type of memory fits");
}

/// A buffer with memory of its own.
struct Allocation {
    VkDevice device = VK_NULL_HANDLE;
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkDeviceSize bytes = 0;
    std::uint32_t type = 0;

    Allocation(VkDevice on, VkPhysicalDevice physical, VkDeviceSize least, VkMemoryPropertyFlags properties, bool need,
               const void *next_buffer, const void *next_memory, bool dedicated)
        : device(on) {
        auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
        info.pNext = next_buffer;
        info.size = least;
        info.usage = usage;
        check(vkCreateBuffer(device, &info, nullptr, &buffer), "creating a buffer");
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(device, buffer, &needs);
        bytes = needs.size;
        type = memory_type(physical, needs.memoryTypeBits, properties, need);
        auto alone = structure<VkMemoryDedicatedAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
        alone.pNext = next_memory;
        alone.buffer = buffer;
        auto allocate = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
        allocate.pNext = dedicated ? &alone : next_memory;
        allocate.allocationSize = bytes;
        allocate.memoryTypeIndex = type;
        check(vkAllocateMemory(device, &allocate, nullptr, &memory), "allocating memory");
        check(vkBindBufferMemory(device, buffer, memory, 0), "binding memory");
    }
    Allocation(const Allocation &) = delete;
    Allocation &operator=(const Allocation &) = delete;
    ~Allocation() {
        vkDestroyBuffer(device, buffer, nullptr);
        vkFreeMemory(device, memory, nullptr);
    }
};

/// The structures that an allocation needs so that it can be exported as a descriptor of a kind.
struct ExportInfo {
    VkExternalMemoryBufferCreateInfo buffer =
        structure<VkExternalMemoryBufferCreateInfo>(VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    VkExportMemoryAllocateInfo memory =
        structure<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);

    explicit ExportInfo(ExternalKind kind) { buffer.handleTypes = memory.handleTypes = handle_type(kind); }
};

class VulkanMemory final : public ExportedMemory {
  public:
    VulkanMemory(VkPhysicalDevice physical, VkDevice device, std::uint32_t family, ExternalKind kind,
                 std::uint64_t bytes)
        : VulkanMemory(physical, device, family, kind, bytes, ExportInfo(kind),
                       export_features(physical, kind) & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) {}

    ~VulkanMemory() override {
        close();
        vkDestroyCommandPool(device_, pool_, nullptr);
    }

    const ExternalMemory &external() const override { return external_; }

    void close() override {
        if (external_.fd >= 0)
            ::close(external_.fd);
        external_.fd = -1;
    }

    void write(std::uint64_t offset, std::span<const std::byte> bytes) override {
        void *mapped = nullptr;
        check(vkMapMemory(device_, staging_.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "mapping memory");
        std::memcpy(static_cast<std::byte *>(mapped) + offset, bytes.data(), bytes.size());
        vkUnmapMemory(device_, staging_.memory);
        check(vkResetCommandPool(device_, pool_, 0), "recording");
        auto begin = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
        check(vkBeginCommandBuffer(commands_, &begin), "recording");
        if (released_)
            change_owner(VK_QUEUE_FAMILY_EXTERNAL, family_);
        const VkBufferCopy region{offset, offset, bytes.size()};
        vkCmdCopyBuffer(commands_, staging_.buffer, exported_.buffer, 1, &region);
        change_owner(family_, VK_QUEUE_FAMILY_EXTERNAL);
        released_ = true;
        check(vkEndCommandBuffer(commands_), "recording");
        auto submit = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &commands_;
        check(vkQueueSubmit(queue_, 1, &submit, VK_NULL_HANDLE), "submitting a copy");
        check(vkQueueWaitIdle(queue_), "copying");
    }

  private:
    VulkanMemory(VkPhysicalDevice physical, VkDevice device, std::uint32_t family, ExternalKind kind,
                 std::uint64_t bytes, const ExportInfo &info, bool dedicated)
        : device_(device), family_(family), exported_(device, physical, bytes, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                                      false, &info.buffer, &info.memory, dedicated),
          staging_(device, physical, bytes, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                   true, nullptr, nullptr, false) {
        external_ = {kind, -1, exported_.bytes, exported_.type, dedicated};
        auto get = structure<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
        get.memory = exported_.memory;
        get.handleType = handle_type(kind);
        check(vkGetMemoryFdKHR(device_, &get, &external_.fd), "exporting memory");
        vkGetDeviceQueue(device_, family_, 0, &queue_);
        auto pool = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
        pool.queueFamilyIndex = family_;
        check(vkCreateCommandPool(device_, &pool, nullptr, &pool_), "creating commands");
        auto allocate = structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
        allocate.commandPool = pool_;
        allocate.commandBufferCount = 1;
        check(vkAllocateCommandBuffers(device_, &allocate, &commands_), "creating commands");
    }

    /// Moves the ownership of the memory between this queue and other users, so that each sees what the other wrote.
    void change_owner(std::uint32_t from, std::uint32_t to) {
        auto barrier = structure<VkBufferMemoryBarrier>(VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER);
        barrier.srcAccessMask = from == family_ ? VK_ACCESS_TRANSFER_WRITE_BIT : 0;
        barrier.dstAccessMask = to == family_ ? VK_ACCESS_TRANSFER_WRITE_BIT : 0;
        barrier.srcQueueFamilyIndex = from;
        barrier.dstQueueFamilyIndex = to;
        barrier.buffer = exported_.buffer;
        barrier.size = VK_WHOLE_SIZE;
        vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr,
                             1, &barrier, 0, nullptr);
    }

    VkDevice device_;
    std::uint32_t family_;
    Allocation exported_, staging_;
    ExternalMemory external_;
    VkQueue queue_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    bool released_ = false;
};

} // namespace

Exporter::Exporter(const std::string &device_name) {
    open_instance();
    choose_device(device_name);
    open_device();
}

Exporter::~Exporter() {
    vkDestroyDevice(device_, nullptr);
    vkDestroyInstance(instance_, nullptr);
}

void Exporter::open_instance() {
    check(volkInitialize(), "opening Vulkan");
    auto application = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.apiVersion = VK_API_VERSION_1_1;
    auto info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pApplicationInfo = &application;
    check(vkCreateInstance(&info, nullptr, &instance_), "creating an instance");
    volkLoadInstance(instance_);
}

void Exporter::choose_device(const std::string &name) {
    std::uint32_t count = 0;
    check(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "listing devices");
    std::vector<VkPhysicalDevice> devices(count);
    check(vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "listing devices");
    const auto found = std::ranges::find_if(devices, [&](VkPhysicalDevice device) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(device, &properties);
        return name == properties.deviceName;
    });
    if (found == devices.end())
        throw std::runtime_error("Vulkan has no device " + name);
    physical_ = *found;
    check(vkEnumerateDeviceExtensionProperties(physical_, nullptr, &count, nullptr), "listing extensions");
    std::vector<VkExtensionProperties> extensions(count);
    check(vkEnumerateDeviceExtensionProperties(physical_, nullptr, &count, extensions.data()), "listing extensions");
    for (const VkExtensionProperties &extension : extensions)
        extensions_.emplace_back(extension.extensionName);
}

void Exporter::open_device() {
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
    const auto computes = [](const VkQueueFamilyProperties &family) {
        return (family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
    };
    family_ = static_cast<std::uint32_t>(std::ranges::find_if(families, computes) - families.begin());
    constexpr float priority = 0.5f;
    auto queue = structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue.queueFamilyIndex = family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    std::vector<const char *> enabled;
    for (const char *const name :
         {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME})
        if (has_extension(name))
            enabled.push_back(name);
    auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(enabled.size());
    info.ppEnabledExtensionNames = enabled.data();
    check(vkCreateDevice(physical_, &info, nullptr, &device_), "opening a device");
    volkLoadDevice(device_);
}

bool Exporter::has_extension(const char *name) const {
    return std::ranges::find(extensions_, name) != extensions_.end();
}

std::string Exporter::missing(ExternalKind kind) const {
    for (const char *const name :
         {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME}) {
        if (!has_extension(name))
            return std::string("the device has no ") + name;
        if (kind == ExternalKind::opaque_fd)
            break;
    }
    if (!(export_features(physical_, kind) & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT))
        return "the driver exports no buffers";
    return {};
}

std::unique_ptr<ExportedMemory> Exporter::allocate(ExternalKind kind, std::uint64_t bytes) const {
    return std::make_unique<VulkanMemory>(physical_, device_, family_, kind, bytes);
}

} // namespace isovmaf::testing
