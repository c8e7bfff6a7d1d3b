// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/api.hpp"

#include <fmt/format.h>

namespace isovmaf::gpu {

namespace {

/// Error codes of the CUDA driver for which HIP has no name. The codes that HIP names have the same numbers in CUDA.
constexpr int hardware_stack_error = 714;
constexpr int contained_error = 721;

/// Whether a device does not recover from the error, so that all later calls fail too.
bool loses_device(int error) {
    return error == hipErrorDeinitialized || error == hipErrorECCNotCorrectable || error == hipErrorIllegalAddress ||
           error == hipErrorLaunchTimeOut || error == hipErrorContextIsDestroyed || error == hipErrorAssert ||
           (error >= hardware_stack_error && error <= hipErrorLaunchFailure) || error == contained_error;
}

} // namespace

isovmaf_status status_of(hipError_t error) {
    switch (error) {
    case hipSuccess:
        return ISOVMAF_OK;
    case hipErrorOutOfMemory:
        return ISOVMAF_OUT_OF_MEMORY;
    case hipErrorNotReady:
        return ISOVMAF_NOT_READY;
    case hipErrorNoBinaryForGpu:
    case hipErrorNotSupported:
        return ISOVMAF_UNSUPPORTED;
    case hipErrorNotInitialized:
    case hipErrorInsufficientDriver:
    case hipErrorNoDevice:
        return ISOVMAF_UNAVAILABLE;
    default:
        return loses_device(error) ? ISOVMAF_DEVICE_LOST : ISOVMAF_FAILED;
    }
}

std::string error_text(const Api &api, hipError_t error) {
    const char *const name = api.hipGetErrorName ? api.hipGetErrorName(error) : nullptr;
    return fmt::format("{} ({})", name ? name : "error", static_cast<int>(error));
}

FailedOutcome runtime_failure(const Api &api, hipError_t error, std::string_view attempted) {
    const isovmaf_status status = status_of(error);
    const char *const consequence = status == ISOVMAF_DEVICE_LOST ? "; the device is lost to this process" : "";
    return {status, fmt::format("{} failed: {}{}", attempted, error_text(api, error), consequence)};
}

} // namespace isovmaf::gpu
