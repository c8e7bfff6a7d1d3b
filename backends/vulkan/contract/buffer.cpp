// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/contract/buffer.hpp"

using namespace isovmaf::vulkan;

namespace {

constexpr VkBufferUsageFlags for_copies = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             for_kernels =
                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

bool kernels_reach(MemoryUse use) { return use == MemoryUse::device || use == MemoryUse::shared; }

Memory allocate(isovmaf_device &device, isovmaf_memory kind, std::uint64_t bytes) {
    const MemoryUse use = use_of(kind);
    isovmaf::plugin::require(bytes > 0, "a buffer has at least one byte");
    return device.allocator().allocate(use, bytes, kernels_reach(use) ? for_copies | for_kernels : for_copies);
}

} // namespace

isovmaf_buffer::isovmaf_buffer(isovmaf_device &device, isovmaf_memory kind, std::uint64_t bytes)
    : device_(device), bytes_(bytes), memory_(allocate(device, kind, bytes)),
      address_(memory_.address), place_{memory_.buffer.get()} {
    if (address_)
        device_.logical().placements().add(address_, bytes_, place_);
}

isovmaf_buffer::isovmaf_buffer(isovmaf_device &device, VkDeviceAddress address, std::uint64_t bytes)
    : device_(device), bytes_(bytes), address_(address), place_(device.logical().placements().find(address, bytes)) {}

isovmaf_buffer::isovmaf_buffer(isovmaf_device &device, const isovmaf_external_memory &external)
    : device_(device), bytes_(external.bytes), memory_(device.import(external, for_copies | for_kernels)),
      address_(memory_.address), place_{memory_.buffer.get(), 0, true} {
    device_.logical().placements().add(address_, bytes_, place_);
}

isovmaf_buffer::~isovmaf_buffer() {
    if (memory_.address)
        device_.logical().placements().remove(memory_.address);
}
