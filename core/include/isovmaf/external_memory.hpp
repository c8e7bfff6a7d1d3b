// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>

namespace isovmaf {

/// What kind of file descriptor stands for memory that was exported.
enum class ExternalKind : std::uint32_t {
    opaque_fd = 0, ///< exported by the same driver for the same device: Vulkan's OPAQUE_FD and its like
    dmabuf = 1,    ///< a Linux dma-buf
};

/// Memory that a decoder or another user of the GPU allocated and exported, a pool of frames as a rule. Its bytes are
/// linear: what is tiled or compressed cannot be imported.
struct ExternalMemory {
    ExternalKind kind = ExternalKind::opaque_fd;
    int fd = -1;                   ///< stays the caller's, who may close it after the import
    std::uint64_t bytes = 0;       ///< of the whole allocation, as its exporter made it
    std::uint32_t memory_type = 0; ///< of Vulkan's opaque_fd: the memoryTypeIndex of the allocation
    bool dedicated = false;        ///< the exporter allocated it for one buffer alone
};

/// External memory as a session's device sees it: `bytes` bytes from `address` on, for the DeviceFrames of that
/// session. The memory is held until the last copy of `owner` goes, which may be on any thread and after the session:
/// keep one, and let each frame's owner hold one, so that no frame outlives its memory.
struct ImportedMemory {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::shared_ptr<const void> owner = {};
};

} // namespace isovmaf
