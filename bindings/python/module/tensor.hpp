// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "isovmaf/isovmaf.hpp"

/// The structures of DLPack as capsules named "dltensor" hold them. Names and layouts are DLPack's
/// (dmlc.github.io/dlpack).

namespace isovmaf::python::dlpack {

enum DeviceType : std::int32_t { cpu = 1, cuda = 2, rocm = 10, cuda_managed = 13 };

struct Device {
    std::int32_t type; ///< DeviceType
    std::int32_t id;   ///< number of the device; 0 for the CPU
};

struct DataType {
    std::uint8_t code; ///< 1: unsigned integers
    std::uint8_t bits;
    std::uint16_t lanes;
};

struct Tensor {
    void *data; ///< on the device
    Device device;
    std::int32_t dimensions;
    DataType type;
    std::int64_t *shape;
    std::int64_t *strides; ///< in elements; nullptr: rows lie one after the other
    std::uint64_t byte_offset;
};

struct ManagedTensor {
    Tensor tensor;
    void *context;
    void (*deleter)(ManagedTensor *self);
};

static_assert(sizeof(Tensor) == 48 && sizeof(ManagedTensor) == 64);

} // namespace isovmaf::python::dlpack

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

/// Whether tensors of that device are in this place.
[[nodiscard]] bool is_at(dlpack::Device device, const TensorPlace &place);

/// The planes as a frame. Its memory goes to `returned` when the session has read it. Raises MismatchError when a plane
/// lies elsewhere or is another than `format` says. The work that writes the planes is ordered before the stream. Only
/// the first `planes_read` planes are asked for: a producer takes microseconds for each.
[[nodiscard]] Frame take_tensors(const std::array<pybind11::object, 3> &planes, const VideoFormat &format,
                                 const char *side, const TensorPlace &place, int planes_read,
                                 const std::shared_ptr<ReturnedTensors> &returned);

} // namespace isovmaf::python
