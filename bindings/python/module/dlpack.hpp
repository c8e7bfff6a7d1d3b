// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

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
