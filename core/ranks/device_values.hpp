// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "device/device.hpp"
#include "ranks/ranks.hpp"

namespace isovmaf::ranks {

/// How values on a device get to the other ranks.
enum class DeviceWay : std::uint8_t {
    direct, ///< the MPI reads and writes the device's memory
    staged, ///< through host memory, with copies that are waited for on a queue of their own
};

/// Whether the MPI says that it takes the memory of a backend's devices. The host stand-in's is memory of the host.
[[nodiscard]] bool takes_memory_of(const isovmaf_mpi_info &info, const std::string &backend);

/// Values of this rank on a device, and what reductions and gathers of them give. Used by one thread.
class DeviceValues {
  public:
    /// Room for `most_bytes` bytes of each rank. The device has to outlive the object.
    [[nodiscard]] static Result<std::unique_ptr<DeviceValues>> create(Ranks &ranks, const Device &device,
                                                                      std::size_t most_bytes);

    /// Puts this rank's values on the device.
    Result<void> write(std::span<const std::byte> values);

    /// Collective: Ranks::reduce of `count` integers that were written.
    Result<void> reduce(DeviceWay way, isovmaf_mpi_operation operation, std::size_t count);

    /// Collective: Ranks::gather of `bytes` bytes that were written.
    Result<void> gather(DeviceWay way, std::size_t bytes);

    /// The first bytes of what the last reduction or gather left on the device. Valid until the next call.
    [[nodiscard]] Result<std::span<const std::byte>> read(std::size_t bytes);

  private:
    DeviceValues(Ranks &ranks, const Device &device) : ranks_(ranks), device_(device) {}
    Result<void> copy(const Buffer &from, const Buffer &to, std::size_t bytes);
    [[nodiscard]] Result<void> check_addresses() const;

    Ranks &ranks_;
    const Device &device_;
    Buffer values_, outcome_; ///< on the device
    Buffer up_, down_;        ///< of the host, which copies reach
    Queue queue_;             ///< after the buffers that its work uses
};

} // namespace isovmaf::ranks
