// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/import_memory.hpp"

#include <utility>

#include "base/try.hpp"

namespace isovmaf {

namespace {

/// Memory of a device, which is not closed before it.
struct HeldMemory {
    explicit HeldMemory(std::shared_ptr<const Device> on) : device(std::move(on)) {}

    std::shared_ptr<const Device> device;
    Buffer buffer;
};

} // namespace

Result<ImportedMemory> import_memory(std::shared_ptr<const Device> device, const ExternalMemory &external) {
    const isovmaf_external_memory described{static_cast<std::uint32_t>(external.kind), external.fd, external.bytes,
                                            external.memory_type, external.dedicated ? 1u : 0u};
    auto held = std::make_shared<HeldMemory>(std::move(device));
    Buffer buffer = TRY(held->device->import_memory(described));
    held->buffer = std::move(buffer);
    return ImportedMemory{held->buffer.address(), external.bytes, std::move(held)};
}

} // namespace isovmaf
