// SPDX-License-Identifier: BSD-2-Clause-Patent
// gpu_layer/hip_types.hpp and the table in gpu_layer/api.hpp agree with AMD's header.
#include "gpu_layer/api.hpp"

#include <cstddef>
#include <type_traits>

#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

// Outside every namespace of ours, a name of HIP's is the one that AMD's header declares.
namespace {

/// The parameters that the table has for a function are those of AMD's declaration.
#define COMPARE_FUNCTION(name, parameters)                                                                             \
    static_assert(std::is_pointer_v<decltype(static_cast<hipError_t(*) parameters>(&::name))>);
ISOVMAF_HIP_REQUIRED(COMPARE_FUNCTION)
ISOVMAF_HIP_OPTIONAL(COMPARE_FUNCTION)

/// Objects are pointers that are handed on. Numbers are passed as integers of 32 bits.
template <class Ours, class Theirs>
constexpr bool passed_alike = sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;
#define COMPARE_TYPE(name) static_assert(passed_alike<isovmaf::gpu::name, name>, #name);
COMPARE_TYPE(hipStream_t)
COMPARE_TYPE(hipEvent_t)
COMPARE_TYPE(hipModule_t)
COMPARE_TYPE(hipFunction_t)
COMPARE_TYPE(hipGraph_t)
COMPARE_TYPE(hipGraphNode_t)
COMPARE_TYPE(hipGraphExec_t)
COMPARE_TYPE(hipExternalMemory_t)
COMPARE_TYPE(hipDevice_t)
COMPARE_TYPE(hipDeviceptr_t)
COMPARE_TYPE(hipError_t)
COMPARE_TYPE(hipDeviceAttribute_t)
COMPARE_TYPE(hipMemcpyKind)
COMPARE_TYPE(hipStreamCaptureMode)
COMPARE_TYPE(hipExternalMemoryHandleType)

TEST(HipHeader, NamesHaveTheirNumbers) {
#define COMPARE_NUMBER(name, number) EXPECT_EQ(static_cast<int>(name), number) << #name;
    ISOVMAF_HIP_ERRORS(COMPARE_NUMBER)
    ISOVMAF_HIP_ATTRIBUTES(COMPARE_NUMBER)
    ISOVMAF_HIP_COPY_KINDS(COMPARE_NUMBER)
    ISOVMAF_HIP_CAPTURE_MODES(COMPARE_NUMBER)
    ISOVMAF_HIP_EXTERNAL_MEMORY_TYPES(COMPARE_NUMBER)
    ISOVMAF_HIP_FLAGS(COMPARE_NUMBER)
}

/// A runtime reads as many bytes as its own structure has: ROCm 5 has no `reserved`.
TEST(HipHeader, StructuresHaveTheirMembersInPlace) {
#define COMPARE_MEMBER(structure, member)                                                                              \
    EXPECT_EQ(offsetof(isovmaf::gpu::structure, member), offsetof(structure, member)) << #structure "." #member;       \
    EXPECT_EQ(sizeof(isovmaf::gpu::structure::member), sizeof(structure::member)) << #structure "." #member;
    COMPARE_MEMBER(hipExternalMemoryHandleDesc, type)
    COMPARE_MEMBER(hipExternalMemoryHandleDesc, handle)
    COMPARE_MEMBER(hipExternalMemoryHandleDesc, size)
    COMPARE_MEMBER(hipExternalMemoryHandleDesc, flags)
    COMPARE_MEMBER(hipExternalMemoryBufferDesc, offset)
    COMPARE_MEMBER(hipExternalMemoryBufferDesc, size)
    COMPARE_MEMBER(hipExternalMemoryBufferDesc, flags)
    EXPECT_GE(sizeof(isovmaf::gpu::hipExternalMemoryHandleDesc), sizeof(hipExternalMemoryHandleDesc));
    EXPECT_GE(sizeof(isovmaf::gpu::hipExternalMemoryBufferDesc), sizeof(hipExternalMemoryBufferDesc));
}

} // namespace
