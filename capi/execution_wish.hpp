// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>

#include "isovmaf/execution.hpp"
#include "libvmaf/libvmaf.h"

namespace isovmaf::capi {

/// Where a context is to compute.
struct ExecutionWish {
    ExecutionOptions options;
    std::string why = {}; ///< what asked for the backend, as a part of a sentence; empty for the default
};

/// What the environment and the masks of a configuration ask for. ISOVMAF_BACKEND: "auto" (the default), "cpu",
/// "cpu-ref", a plugin's name such as "cuda", or "cuda,cpu". ISOVMAF_DEVICE: its device, see read_devices. A gpumask
/// other than 0 forbids GPUs. Fails when the environment asks for something that is not there or that the mask forbids.
[[nodiscard]] Result<ExecutionWish> execution_wish(const VmafConfiguration &config);

/// The newest usable instruction set that `cpumask` leaves, by name. Bits: 1 SSE2 or NEON, 2 SSE3 and SSSE3, 4 SSE4.1,
/// 8 AVX2, 16 AVX-512, 32 AVX-512 of Ice Lake.
[[nodiscard]] std::string cpu_level_without(std::uint64_t cpumask);

} // namespace isovmaf::capi
