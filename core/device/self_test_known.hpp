// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "device/self_test_math.h"

namespace isovmaf {

/// An operation and what it gives, written down.
struct KnownAnswer {
    std::string_view name;
    SelfTestProbe probe;
    std::uint64_t expected;
};

/// The probes of self_test_probes that every device has to pass.
[[nodiscard]] std::span<const KnownAnswer> known_answers();

/// Its probes of f32.h: a device that fails one runs no kernels that need exact f32.
[[nodiscard]] std::span<const KnownAnswer> known_f32_answers();

/// What block_reduce gives for the first `count` elements: sum, least and greatest as i32, u32, i64 and u64.
[[nodiscard]] std::vector<std::uint64_t> known_reductions(std::span<const std::uint64_t> elements, std::size_t count);

/// What self_test_sum gives for a step.
[[nodiscard]] std::int64_t known_sum(std::span<const std::uint64_t> elements, int step);

/// What self_test_shared gives.
[[nodiscard]] std::vector<std::uint32_t> known_shared(std::span<const std::uint64_t> elements);

} // namespace isovmaf
