// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace isovmaf::tool {

/// Whether an MPI is given addresses of a device's memory: as it says that it takes them, in any case, or never.
constexpr std::array<const char *, 3> device_buffer_names{"auto", "on", "off"};

/// The command line of `isovmaf batch mpi-check`.
struct MpiCheckArguments {
    std::int64_t max_count = std::int64_t{1} << 24;
    std::string backend; ///< whose devices hold the values; empty: host memory
    std::vector<std::string> backend_folders;
    std::string device_buffers = "auto"; ///< one of device_buffer_names
};

/// Describes the MPI, and compares the results of its collectives with the right ones, in every bit, for many counts
/// and both ways for values on a device. Returns an ExitCode, the same on all ranks; prints on the first one.
[[nodiscard]] int run_mpi_check(const MpiCheckArguments &arguments);

} // namespace isovmaf::tool
