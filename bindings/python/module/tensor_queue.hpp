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
    /// On the session's device. Fails with `unsupported` when the session runs where no tensors can be.
    [[nodiscard]] static Result<TensorQueue> open(const Session &session);

    [[nodiscard]] const TensorPlace &place() const { return place_; }

    /// Waits for what was submitted to the stream before, and for nothing else on the device. Without the GIL.
    [[nodiscard]] Result<void> wait();

  private:
    explicit TensorQueue(TensorPlace place) : place_(std::move(place)) {}

    TensorPlace place_; ///< holds the device, which outlives the queue
    Commands marker_;   ///< empty
    Queue queue_;       ///< of the default stream; without one on the CPU
};

} // namespace isovmaf::python
