// SPDX-License-Identifier: BSD-2-Clause-Patent
// A Vulkan layer for tests. It lies between the plugin and the next layer or driver, and makes one call fail as a
// driver might:
//
//     ISOVMAF_FAULT=FUNCTION:NUMBER:RESULT   the NUMBERth call of FUNCTION in this process returns RESULT, a number of
//                                            VkResult, and is not passed on. After -4, a lost device, the device's
//                                            work has ended, and calls fail until a device is created. With
//                                            `invalid` in place of a result the call is passed on, after an
//                                            invalid call.
//     ISOVMAF_FAULT_COUNTS=FILE              when the process ends, the number of calls of each function is written
//                                            to FILE
//
// The layer supports processes that have one device at a time.
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>

#define VK_NO_PROTOTYPES
#include <vulkan/vk_layer.h>

namespace {

// The functions that the plugin calls and that can fail.
#define ISOVMAF_OF_A_DEVICE(each)                                                                                      \
    each(vkAllocateCommandBuffers) each(vkAllocateDescriptorSets) each(vkAllocateMemory) each(vkBeginCommandBuffer)    \
        each(vkBindBufferMemory) each(vkCreateBuffer) each(vkCreateCommandPool) each(vkCreateComputePipelines)         \
            each(vkCreateDescriptorPool) each(vkCreateDescriptorSetLayout) each(vkCreatePipelineCache)                 \
                each(vkCreatePipelineLayout) each(vkCreateQueryPool) each(vkCreateSemaphore)                           \
                    each(vkCreateShaderModule) each(vkDeviceWaitIdle) each(vkEndCommandBuffer)                         \
                        each(vkGetPipelineCacheData) each(vkGetQueryPoolResults) each(vkMapMemory) each(vkQueueSubmit) \
                            each(vkWaitSemaphores)
#define ISOVMAF_OF_AN_INSTANCE(each) each(vkCreateDevice) each(vkCreateInstance) each(vkEnumeratePhysicalDevices)

#define ISOVMAF_NUMBER(name) of_##name,
enum Call : std::size_t {
    ISOVMAF_OF_A_DEVICE(ISOVMAF_NUMBER) ISOVMAF_OF_AN_INSTANCE(ISOVMAF_NUMBER) calls,
    first_of_instance = of_vkCreateDevice
};
#undef ISOVMAF_NUMBER

#define ISOVMAF_NAME(name) #name,
constexpr std::array<const char *, calls> names{ISOVMAF_OF_A_DEVICE(ISOVMAF_NAME) ISOVMAF_OF_AN_INSTANCE(ISOVMAF_NAME)};
#undef ISOVMAF_NAME

struct Fault {
    std::string_view function;
    unsigned number = 0;
    bool invalid = false;
    VkResult result = VK_SUCCESS;
};

[[noreturn]] void refuse(std::string_view fault) {
    std::fprintf(stderr, "ISOVMAF_FAULT is '%.*s' and has to be FUNCTION:NUMBER:RESULT\n",
                 static_cast<int>(fault.size()), fault.data());
    std::abort();
}

int number_in(std::string_view text, std::string_view fault) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        refuse(fault);
    return number;
}

Fault read_fault() {
    const char *const variable = std::getenv("ISOVMAF_FAULT");
    if (!variable)
        return {};
    const std::string_view text = variable;
    const std::size_t first = text.find(':'), last = text.rfind(':');
    if (first == last)
        refuse(text);
    Fault fault{text.substr(0, first)};
    const int number = number_in(text.substr(first + 1, last - first - 1), text);
    const std::string_view result = text.substr(last + 1);
    fault.number = static_cast<unsigned>(number);
    fault.invalid = result == "invalid";
    if (!fault.invalid)
        fault.result = static_cast<VkResult>(number_in(result, text));
    for (const char *const name : names)
        if (name == fault.function && number > 0 && fault.result <= 0)
            return fault;
    refuse(text);
}

struct Counts {
    std::array<std::atomic<unsigned>, calls> of{};

    Counts() = default;
    Counts(const Counts &) = delete;
    Counts &operator=(const Counts &) = delete;
    ~Counts() {
        const char *const path = std::getenv("ISOVMAF_FAULT_COUNTS");
        std::FILE *const file = path ? std::fopen(path, "w") : nullptr;
        if (!file)
            return;
        for (std::size_t call = 0; call < calls; call++)
            std::fprintf(file, "%s %u\n", names[call], of[call].load());
        std::fclose(file);
    }
};

const Fault fault = read_fault();
Counts counts;
std::atomic<bool> lost{false};
std::mutex queues; ///< prevents submissions while lose_device waits for the device

// The functions of the next layer or driver.
PFN_vkGetInstanceProcAddr next_instance_function;
PFN_vkGetDeviceProcAddr next_device_function;
std::array<PFN_vkVoidFunction, calls> next;
VkDevice device;

template <class Function>
Function next_of(std::size_t call) {
    return reinterpret_cast<Function>(next[call]);
}

bool can_be_lost(std::size_t call) {
    return call == of_vkQueueSubmit || call == of_vkWaitSemaphores || call == of_vkDeviceWaitIdle ||
           call == of_vkGetQueryPoolResults;
}

/// Waits for the device's work, so that its objects may be destroyed, and marks the device as lost.
void lose_device() {
    const std::lock_guard lock(queues);
    lost = true;
    if (device)
        next_of<PFN_vkDeviceWaitIdle>(of_vkDeviceWaitIdle)(device);
}

/// Creates a buffer of size 0, which the validation layer reports and drivers accept.
void make_invalid_call() {
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    if (next_of<PFN_vkCreateBuffer>(of_vkCreateBuffer)(device, &info, nullptr, &buffer) == VK_SUCCESS)
        reinterpret_cast<PFN_vkDestroyBuffer>(next_device_function(device, "vkDestroyBuffer"))(device, buffer, nullptr);
}

/// Counts a call. Returns the result if this call has to fail, and nothing if it has to be passed on.
std::optional<VkResult> injected_result(std::size_t call) {
    const unsigned number = ++counts.of[call];
    if (lost && can_be_lost(call))
        return VK_ERROR_DEVICE_LOST;
    if (fault.function != names[call] || number != fault.number)
        return {};
    if (fault.invalid) {
        make_invalid_call();
        return {};
    }
    if (fault.result == VK_ERROR_DEVICE_LOST)
        lose_device();
    return fault.result;
}

template <std::size_t call, class Function>
struct Watched;
template <std::size_t call, class... Arguments>
struct Watched<call, VkResult(VKAPI_PTR *)(Arguments...)> {
    static VKAPI_ATTR VkResult VKAPI_CALL run(Arguments... arguments) {
        if (const std::optional<VkResult> result = injected_result(call))
            return *result;
        std::unique_lock lock(queues, std::defer_lock);
        if (call == of_vkQueueSubmit)
            lock.lock();
        return next_of<VkResult(VKAPI_PTR *)(Arguments...)>(call)(arguments...);
    }
};

template <class Info>
Info *link_in(const void *chain, VkStructureType type) {
    for (auto *each = static_cast<const VkBaseInStructure *>(chain); each; each = each->pNext) {
        auto *const info = const_cast<Info *>(reinterpret_cast<const Info *>(each));
        if (each->sType == type && info->function == VK_LAYER_LINK_INFO)
            return info;
    }
    return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *callbacks,
                                               VkInstance *instance) {
    if (const std::optional<VkResult> result = injected_result(of_vkCreateInstance))
        return *result;
    auto *const link = link_in<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    next_instance_function = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(next_instance_function(nullptr, "vkCreateInstance"));
    const VkResult result = create(info, callbacks, instance);
    if (result == VK_SUCCESS)
        for (std::size_t call = first_of_instance; call < calls; call++)
            next[call] = next_instance_function(*instance, names[call]);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                             const VkAllocationCallbacks *callbacks, VkDevice *created) {
    if (const std::optional<VkResult> result = injected_result(of_vkCreateDevice))
        return *result;
    auto *const link = link_in<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    next_device_function = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const VkResult result = next_of<PFN_vkCreateDevice>(of_vkCreateDevice)(physical, info, callbacks, created);
    if (result == VK_SUCCESS) {
        device = *created;
        lost = false;
        for (std::size_t call = 0; call < first_of_instance; call++)
            next[call] = next_device_function(device, names[call]);
    }
    return result;
}

template <class Function>
PFN_vkVoidFunction untyped(Function function) {
    return reinterpret_cast<PFN_vkVoidFunction>(function);
}

PFN_vkVoidFunction own_device_function(const char *name) {
#define ISOVMAF_OWN(function)                                                                                          \
    if (!std::strcmp(name, #function))                                                                                 \
        return untyped(Watched<of_##function, PFN_##function>::run);
    ISOVMAF_OF_A_DEVICE(ISOVMAF_OWN)
#undef ISOVMAF_OWN
    return nullptr;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice of, const char *name) {
    if (!std::strcmp(name, "vkGetDeviceProcAddr"))
        return untyped(device_function);
    const PFN_vkVoidFunction own = own_device_function(name);
    return own ? own : next_device_function(of, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance of, const char *name) {
    if (!std::strcmp(name, "vkGetInstanceProcAddr"))
        return untyped(instance_function);
    if (!std::strcmp(name, "vkGetDeviceProcAddr"))
        return untyped(device_function);
    if (!std::strcmp(name, "vkCreateInstance"))
        return untyped(create_instance);
    if (!std::strcmp(name, "vkCreateDevice"))
        return untyped(create_device);
    if (!std::strcmp(name, "vkEnumeratePhysicalDevices"))
        return untyped(Watched<of_vkEnumeratePhysicalDevices, PFN_vkEnumeratePhysicalDevices>::run);
    if (const PFN_vkVoidFunction own = own_device_function(name))
        return own;
    return next_instance_function ? next_instance_function(of, name) : nullptr;
}

} // namespace

extern "C" VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *layer) {
    layer->loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION;
    layer->pfnGetInstanceProcAddr = instance_function;
    layer->pfnGetDeviceProcAddr = device_function;
    layer->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}
