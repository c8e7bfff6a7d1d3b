// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "device/device.hpp"
#include "isovmaf/isovmaf.hpp"
#include "tensor.hpp"

namespace isovmaf::python {

/// The default stream of a session's GPU. Producers of tensors order their work before it (DLPack), and the session may
/// read the tensors when that work has ended.
class TensorQueue {
  public:
    /// Opens the session's device once more: memory is shared by all openers of a device. Fails with `unsupported` when
    /// the session runs where no tensors can be. `options` are those of the session.
    [[nodiscard]] static Result<TensorQueue> open(const SessionOptions &options, const Execution &execution);

    [[nodiscard]] const TensorPlace &place() const { return place_; }

    /// Waits for what was submitted to the stream before, and for nothing else on the device. Without the GIL.
    [[nodiscard]] Result<void> wait();

  private:
    TensorQueue(TensorPlace place, Device device) : place_(std::move(place)), device_(std::move(device)) {}

    TensorPlace place_;
    Device device_;
    Commands marker_; ///< empty
    Queue queue_;     ///< of the default stream; without one on the CPU
};

} // namespace isovmaf::python
