// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

/// Environment variables by which users and schedulers hide devices from runtimes. A runtime counts the devices that
/// are left from 0.
namespace isovmaf {

/// The variables that are set, as "CUDA_VISIBLE_DEVICES=0,1", with commas between them; empty when none is set.
[[nodiscard]] std::string hiding_variables();

/// The same, only those that the runtime of a backend reads.
[[nodiscard]] std::string hiding_variables_of(std::string_view backend);

} // namespace isovmaf
