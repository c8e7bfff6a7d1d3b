// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace isovmaf::amd {

/// Sources of an instruction and what it makes of them, from a file in cases/.
struct Case {
    std::string name;
    std::vector<std::uint64_t> sources;
    std::optional<std::uint64_t> result;
    std::optional<std::uint64_t> flag;
};

/// All cases of the folder. Throws std::runtime_error if a line is not understood.
std::vector<Case> read_cases();

} // namespace isovmaf::amd
