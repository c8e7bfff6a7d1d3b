// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/external_memory.hpp"

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

ExternalMemory::ExternalMemory(const Api &api, const isovmaf_external_memory &external)
    : memory_(import(api, external)), data_(map(api, memory_.get(), external)) {}

/// Frees the mapping before `memory_` is destroyed.
ExternalMemory::~ExternalMemory() { (void)memory_.api().hipFree(data_); }

} // namespace isovmaf::gpu
