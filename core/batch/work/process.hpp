// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Processes that share a run folder, on any node.
namespace isovmaf::batch {

/// Identifies this host, this boot and this PID namespace; empty when the system does not say.
[[nodiscard]] std::string host_identity();

/// The start time of a process of this host, as the host counts time; empty when there is no such process, and when the
/// process has ended and its parent has not waited for it.
[[nodiscard]] std::string start_of_process(std::int64_t process);

/// Whether the process of this host that started at `start` has ended. False where this is not known: `start` is
/// empty and another process may have the number, or the system hides processes of other users.
[[nodiscard]] bool has_ended(std::int64_t process, std::string_view start);

/// A name that no other process on any node uses: host, a digest of the host's identity, process and a random number.
[[nodiscard]] std::string unique_name();

/// Whether a unique name was made by a process of this host that has ended. False where this is not known.
[[nodiscard]] bool is_of_ended_process(std::string_view unique_name);

} // namespace isovmaf::batch
