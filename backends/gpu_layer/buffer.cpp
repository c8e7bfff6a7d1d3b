// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/buffer.hpp"

#include <utility>

#include <fmt/format.h>

using namespace isovmaf::gpu;

namespace {

/// More bytes than any address space has. Sums of sizes and offsets below this limit do not wrap around.
constexpr std::uint64_t byte_limit = std::uint64_t{1} << 56;

isovmaf_buffer::Kind kind_of(isovmaf_memory memory) {
    switch (memory) {
    case ISOVMAF_MEMORY_DEVICE:
        return isovmaf_buffer::Kind::device;
    case ISOVMAF_MEMORY_UPLOAD:
    case ISOVMAF_MEMORY_READBACK:
        return isovmaf_buffer::Kind::pinned;
    case ISOVMAF_MEMORY_SHARED:
        return isovmaf_buffer::Kind::shared;
    }
    throw FailedOutcome(ISOVMAF_INVALID, fmt::format("there is no memory of kind {}", static_cast<int>(memory)));
}

void *allocate(isovmaf_device &device, isovmaf_buffer::Kind kind, std::uint64_t bytes) {
    if (bytes == 0)
        throw FailedOutcome(ISOVMAF_INVALID, "a buffer has at least one byte");
    if (bytes >= byte_limit)
        throw FailedOutcome(ISOVMAF_OUT_OF_MEMORY, fmt::format("no device has {} bytes of memory", bytes));
    switch (kind) {
    case isovmaf_buffer::Kind::pinned:
        return device.allocate_pinned(bytes);
    case isovmaf_buffer::Kind::shared:
        return device.allocate_shared(bytes);
    default:
        return device.allocator().allocate(bytes);
    }
}

} // namespace

isovmaf_buffer::isovmaf_buffer(isovmaf_device &device, isovmaf_memory memory, std::uint64_t bytes)
    : device_(device), kind_(kind_of(memory)), bytes_(bytes), memory_(allocate(device, kind_, bytes)) {}

isovmaf_buffer::isovmaf_buffer(isovmaf_device &device, const isovmaf_external_memory &external)
    : device_(device), kind_(Kind::imported), bytes_(external.bytes), external_(std::in_place, device.api(), external),
      memory_(external_->data()) {}

isovmaf_buffer::~isovmaf_buffer() {
    switch (kind_) {
    case Kind::device:
        device_.allocator().free(memory_);
        break;
    case Kind::pinned:
        device_.free_pinned(memory_, bytes_);
        break;
    case Kind::shared:
        device_.free_shared(memory_, bytes_);
        break;
    case Kind::imported:
        break;
    }
}
