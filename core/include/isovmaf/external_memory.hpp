// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>

namespace isovmaf {

/// The kind of a file descriptor that refers to exported memory.
enum class ExternalKind : std::uint32_t {
    opaque_fd = 0, ///< exported by the same driver for the same device: Vulkan's OPAQUE_FD and its like
    dmabuf = 1,    ///< a Linux dma-buf
};

/// Memory that a decoder or another user of the GPU allocated and exported, usually a pool of frames. Rows of samples
/// lie in it one after the other; tiled or compressed pictures cannot be imported.
struct ExternalMemory {
    ExternalKind kind = ExternalKind::opaque_fd; ///< of `fd`
    int fd = -1;                                 ///< belongs to the caller, who may close it after the import
    std::uint64_t bytes = 0;                     ///< size of the whole allocation
    std::uint32_t memory_type = 0;               ///< for an opaque_fd of Vulkan: the memoryTypeIndex of the allocation
    bool dedicated = false; ///< the allocation was made for a single buffer (Vulkan: dedicated allocation)
};

/// External memory as a session's device sees it: `bytes` bytes from `address` on, for frames of that
/// session. The import ends when the last copy of `owner` is destroyed, on any thread, also after the session. Keep a
/// copy, and put one into each frame's owner, so that no frame outlives its memory.
struct ImportedMemory {
    std::uint64_t address = 0;              ///< on the device
    std::uint64_t bytes = 0;                ///< size
    std::shared_ptr<const void> owner = {}; ///< keeps the import
};

} // namespace isovmaf
