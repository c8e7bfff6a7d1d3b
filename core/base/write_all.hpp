// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cerrno>
#include <string_view>

namespace isovmaf {

/// Calls a function again as long as a signal interrupts it: -1 and EINTR.
template <class Call>
auto retry(Call call) {
    auto result = call();
    while (result == -1 && errno == EINTR)
        result = call();
    return result;
}

/// Writes the whole text to a file descriptor; waits while a pipe in non-blocking mode is full. Returns 0, or the errno
/// of the write that failed.
[[nodiscard]] int write_all(int descriptor, std::string_view text);

} // namespace isovmaf
