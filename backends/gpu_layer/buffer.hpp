// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>

#include "gpu_layer/api.hpp"
#include "gpu_layer/device.hpp"
#include "isovmaf/backend.h"

namespace isovmaf::gpu {

/// Memory that another API exported, mapped for the device. The device has to be the calling thread's current device
/// when an object is created or destroyed.
class MappedImport {
  public:
    /// Throws FailedOutcome.
    MappedImport(const Api &api, const isovmaf_external_memory &external);
    MappedImport(const MappedImport &) = delete;
    MappedImport &operator=(const MappedImport &) = delete;
    ~MappedImport();

    [[nodiscard]] void *data() const { return data_; }

  private:
    Handle<hipExternalMemory_t, &Api::hipDestroyExternalMemory> memory_;
    void *data_;
};

} // namespace isovmaf::gpu

/// Memory of a device, or host memory that the device's copies read and write. The device has to be the calling
/// thread's current device when a buffer is created or destroyed.
struct isovmaf_buffer {
  public:
    enum class Kind { device, pinned, shared, imported };

    /// Throws FailedOutcome.
    isovmaf_buffer(isovmaf_device &device, isovmaf_memory memory, std::uint64_t bytes);
    /// Wraps memory of the caller, who frees it.
    isovmaf_buffer(isovmaf_device &device, void *imported, std::uint64_t bytes)
        : device_(device), kind_(Kind::imported), bytes_(bytes), memory_(imported) {}
    /// Imports memory of another API. Throws FailedOutcome.
    isovmaf_buffer(isovmaf_device &device, const isovmaf_external_memory &external);
    isovmaf_buffer(const isovmaf_buffer &) = delete;
    isovmaf_buffer &operator=(const isovmaf_buffer &) = delete;
    ~isovmaf_buffer();

    [[nodiscard]] isovmaf_device &device() const { return device_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    /// Whether kernels can read and write it.
    [[nodiscard]] bool on_device() const { return kind_ != Kind::pinned; }

    /// nullptr for device memory.
    [[nodiscard]] void *host() const { return kind_ == Kind::pinned || is_shared() ? memory_ : nullptr; }

    /// Whether it is pinned host memory that counts as device memory.
    [[nodiscard]] bool is_shared() const { return kind_ == Kind::shared; }

    [[nodiscard]] std::byte *at(std::uint64_t offset) const { return static_cast<std::byte *>(memory_) + offset; }

  private:
    isovmaf_device &device_;
    Kind kind_;
    std::uint64_t bytes_;
    std::optional<isovmaf::gpu::MappedImport> external_; ///< only of memory of another API
    void *memory_;
};
