// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <functional>

namespace isovmaf {

/// Calls `work` once with each number below `count`, on up to `threads` threads at the same time; the calling thread is
/// one of them. Where the system has no more threads, fewer of them do all the work.
void for_each_number(std::size_t count, std::size_t threads, const std::function<void(std::size_t)> &work);

} // namespace isovmaf
