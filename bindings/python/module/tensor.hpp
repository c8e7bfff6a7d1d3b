// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "dlpack.hpp"
#include "isovmaf/isovmaf.hpp"

/// Tensors of PyTorch, CuPy and others as frames, without a copy: objects with the methods __dlpack__ and
/// __dlpack_device__.
namespace isovmaf::python {

/// Tensors that a session has read, until a thread with the GIL gives them back to their producers.
class ReturnedTensors {
  public:
    void add(const std::vector<dlpack::ManagedTensor *> &tensors);

    /// The caller holds the GIL.
    void release();

  private:
    std::mutex mutex_;
    std::vector<dlpack::ManagedTensor *> tensors_;
};

/// Where an object's tensor lies. Nothing for NumPy arrays and for objects without DLPack's methods.
[[nodiscard]] std::optional<dlpack::Device> tensor_device(pybind11::handle object);

/// "CUDA device 0"
[[nodiscard]] std::string describe(dlpack::Device device);

/// What producers are told: where a session's frames lie, and after which stream they are read.
struct TensorPlace {
    dlpack::Device device = {};
    std::optional<int> stream = {}; ///< DLPack's number of the runtime's default stream; none on the CPU
    std::string name = {};          ///< of the device, for people
    DeviceHandle opened = {};       ///< the session's
};

/// The planes as a frame. Its memory goes to `returned` when the session has read it. Raises MismatchError when a plane
/// lies elsewhere or is another than `format` says. The work that writes the planes is ordered before the stream. Only
/// the first `planes_read` planes are asked for: a producer takes microseconds for each.
[[nodiscard]] Frame take_tensors(const std::array<pybind11::object, 3> &planes, const VideoFormat &format,
                                 const char *side, const TensorPlace &place, int planes_read,
                                 const std::shared_ptr<ReturnedTensors> &returned);

} // namespace isovmaf::python
