// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

/// Names for hosts and processes, in files that several of them share.
namespace isovmaf::batch {

/// The name of this host, up to its first dot, or what the environment variable ISOVMAF_HOST says.
[[nodiscard]] std::string host_name();

/// Identifies this host since it was started, and the PID namespace of this process; empty when the system does not
/// say. ISOVMAF_HOST alone where it is set: containers that are started again under another name may set it.
[[nodiscard]] std::string host_identity();

/// A name that no other process on any node uses: host, a digest of the host's identity, process and a random number.
[[nodiscard]] std::string unique_name();

/// Whether a unique name was made by a process of this host that has ended. False where this is not known: another
/// process may have the number, or the system hides processes of other users.
[[nodiscard]] bool is_of_ended_process(std::string_view unique_name);

} // namespace isovmaf::batch
