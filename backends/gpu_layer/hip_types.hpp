// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

/// The types and numbers of HIP that the layer uses, under HIP's names. They are declared here so that no header of
/// AMD's is needed to build a plugin. Their values and layouts are those of ROCm 5, 6 and 7; hip/header_test.cpp
/// compares them with AMD's header.
namespace isovmaf::gpu {

// Objects of the runtime. Only the runtime knows what they are.
using hipStream_t = struct ihipStream_t *;
using hipEvent_t = struct ihipEvent_t *;
using hipModule_t = struct ihipModule_t *;
using hipFunction_t = struct ihipModuleSymbol_t *;
using hipGraph_t = struct ihipGraph *;
using hipGraphNode_t = struct hipGraphNode *;
using hipGraphExec_t = struct hipGraphExec *;
using hipExternalMemory_t = void *;

using hipDevice_t = int;
using hipDeviceptr_t = void *;

/// X(name, number) for each error that the layer or a test names.
#define ISOVMAF_HIP_ERRORS(X)                                                                                          \
    X(hipSuccess, 0)                                                                                                   \
    X(hipErrorInvalidValue, 1)                                                                                         \
    X(hipErrorOutOfMemory, 2)                                                                                          \
    X(hipErrorNotInitialized, 3)                                                                                       \
    X(hipErrorDeinitialized, 4)                                                                                        \
    X(hipErrorInsufficientDriver, 35)                                                                                  \
    X(hipErrorInvalidDeviceFunction, 98)                                                                               \
    X(hipErrorNoDevice, 100)                                                                                           \
    X(hipErrorInvalidDevice, 101)                                                                                      \
    X(hipErrorInvalidImage, 200)                                                                                       \
    X(hipErrorNoBinaryForGpu, 209)                                                                                     \
    X(hipErrorECCNotCorrectable, 214)                                                                                  \
    X(hipErrorInvalidKernelFile, 218)                                                                                  \
    X(hipErrorFileNotFound, 301)                                                                                       \
    X(hipErrorSharedObjectInitFailed, 303)                                                                             \
    X(hipErrorOperatingSystem, 304)                                                                                    \
    X(hipErrorInvalidHandle, 400)                                                                                      \
    X(hipErrorIllegalState, 401)                                                                                       \
    X(hipErrorNotFound, 500)                                                                                           \
    X(hipErrorNotReady, 600)                                                                                           \
    X(hipErrorIllegalAddress, 700)                                                                                     \
    X(hipErrorLaunchOutOfResources, 701)                                                                               \
    X(hipErrorLaunchTimeOut, 702)                                                                                      \
    X(hipErrorContextIsDestroyed, 709)                                                                                 \
    X(hipErrorAssert, 710)                                                                                             \
    X(hipErrorLaunchFailure, 719)                                                                                      \
    X(hipErrorNotSupported, 801)                                                                                       \
    X(hipErrorStreamCaptureInvalidated, 901)                                                                           \
    X(hipErrorUnknown, 999)

/// X(name, number) for the arguments of calls, which are of several enumerations.
#define ISOVMAF_HIP_ATTRIBUTES(X)                                                                                      \
    X(hipDeviceAttributeIntegrated, 16)                                                                                \
    X(hipDeviceAttributeComputeCapabilityMajor, 23)                                                                    \
    X(hipDeviceAttributeComputeCapabilityMinor, 61)                                                                    \
    X(hipDeviceAttributeMultiprocessorCount, 63)                                                                       \
    X(hipDeviceAttributeWarpSize, 87)
#define ISOVMAF_HIP_COPY_KINDS(X)                                                                                      \
    X(hipMemcpyHostToDevice, 1)                                                                                        \
    X(hipMemcpyDeviceToHost, 2)                                                                                        \
    X(hipMemcpyDeviceToDevice, 3)                                                                                      \
    X(hipMemcpyDefault, 4)
#define ISOVMAF_HIP_CAPTURE_MODES(X) X(hipStreamCaptureModeRelaxed, 2)
#define ISOVMAF_HIP_EXTERNAL_MEMORY_TYPES(X) X(hipExternalMemoryHandleTypeOpaqueFd, 1)

/// X(name, number) for flags.
#define ISOVMAF_HIP_FLAGS(X)                                                                                           \
    X(hipEventBlockingSync, 1)                                                                                         \
    X(hipEventDisableTiming, 2)                                                                                        \
    X(hipHostMallocDefault, 0)                                                                                         \
    X(hipStreamNonBlocking, 1)

// The underlying type is fixed: a runtime returns numbers that are not listed here.
#define ISOVMAF_HIP_ENUMERATOR(name, number) name = number,
enum hipError_t : int { ISOVMAF_HIP_ERRORS(ISOVMAF_HIP_ENUMERATOR) };
enum hipDeviceAttribute_t : int { ISOVMAF_HIP_ATTRIBUTES(ISOVMAF_HIP_ENUMERATOR) };
enum hipMemcpyKind : int { ISOVMAF_HIP_COPY_KINDS(ISOVMAF_HIP_ENUMERATOR) };
enum hipStreamCaptureMode : int { ISOVMAF_HIP_CAPTURE_MODES(ISOVMAF_HIP_ENUMERATOR) };
enum hipExternalMemoryHandleType : int { ISOVMAF_HIP_EXTERNAL_MEMORY_TYPES(ISOVMAF_HIP_ENUMERATOR) };
#undef ISOVMAF_HIP_ENUMERATOR

#define ISOVMAF_HIP_FLAG(name, number) inline constexpr unsigned int name = number;
ISOVMAF_HIP_FLAGS(ISOVMAF_HIP_FLAG)
#undef ISOVMAF_HIP_FLAG

/// Memory of another API. Runtimes read `reserved` from ROCm 6 on, and it has to be zero.
struct hipExternalMemoryHandleDesc {
    hipExternalMemoryHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
    } handle;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
};

/// A part of such memory that is mapped.
struct hipExternalMemoryBufferDesc {
    unsigned long long offset;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
};

} // namespace isovmaf::gpu
