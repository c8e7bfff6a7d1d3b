// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/buffer.hpp"

#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "gpu_layer/platform.hpp"

namespace isovmaf::gpu {

namespace {

void require_possible(const Api &api, const isovmaf_external_memory &external) {
    if (external.kind > ISOVMAF_EXTERNAL_DMABUF)
        throw FailedOutcome(ISOVMAF_INVALID, fmt::format("there is no external memory of kind {}", external.kind));
    if (external.bytes == 0)
        throw FailedOutcome(ISOVMAF_INVALID, "external memory has at least one byte");
    if (fcntl(external.fd, F_GETFD) < 0)
        throw FailedOutcome(ISOVMAF_INVALID, fmt::format("external memory's descriptor {} is not open", external.fd));
    if (!api.has_external_memory())
        throw FailedOutcome(
            ISOVMAF_UNSUPPORTED,
            fmt::format("{} has no hipImportExternalMemory: it is too old to import memory", api.library));
}

/// Whether runtimes return this error for a descriptor that does not fit its description.
bool blames_the_descriptor(hipError_t error) {
    return error == hipErrorInvalidValue || error == hipErrorInvalidHandle || error == hipErrorOperatingSystem;
}

void check_import(const Api &api, hipError_t error, const isovmaf_external_memory &external) {
    if (error == hipSuccess)
        return;
    const FailedOutcome failure =
        runtime_failure(api, error, fmt::format("importing {} bytes of descriptor {}", external.bytes, external.fd));
    throw FailedOutcome(blames_the_descriptor(error) ? ISOVMAF_INVALID : failure.outcome().status,
                        failure.outcome().sentence);
}

Handle<hipExternalMemory_t, &Api::hipDestroyExternalMemory> import(const Api &api,
                                                                   const isovmaf_external_memory &external) {
    require_possible(api, external);
    const std::optional<hipExternalMemoryHandleDesc> description = platform::external_handle(external);
    if (!description)
        throw FailedOutcome(ISOVMAF_UNSUPPORTED,
                            fmt::format("{} imports opaque descriptors and no dma-bufs", api.library));
    hipExternalMemory_t memory = nullptr;
    check_import(api, api.hipImportExternalMemory(&memory, &*description), external);
    return {api, memory};
}

void *map(const Api &api, hipExternalMemory_t memory, const isovmaf_external_memory &external) {
    hipExternalMemoryBufferDesc whole{};
    whole.size = external.bytes;
    void *data = nullptr;
    check_import(api, api.hipExternalMemoryGetMappedBuffer(&data, memory, &whole), external);
    return data;
}

} // namespace

MappedImport::MappedImport(const Api &api, const isovmaf_external_memory &external)
    : memory_(import(api, external)), data_(map(api, memory_.get(), external)) {}

/// Frees the mapping before `memory_` is destroyed.
MappedImport::~MappedImport() { (void)memory_.api().hipFree(data_); }

} // namespace isovmaf::gpu

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
    return kind == isovmaf_buffer::Kind::device ? device.allocator().allocate(bytes) : device.allocate_pinned(bytes);
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
    case Kind::shared:
        device_.free_pinned(memory_, bytes_);
        break;
    case Kind::imported:
        break;
    }
}
