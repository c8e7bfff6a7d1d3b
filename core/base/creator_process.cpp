// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/creator_process.hpp"

#include <unistd.h>

#include <fmt/format.h>

namespace isovmaf {

CreatorProcess::CreatorProcess() : id_(getpid()) {}

bool CreatorProcess::is_current() const { return getpid() == id_; }

Result<void> CreatorProcess::check(std::string_view object) const {
    if (is_current())
        return {};
    return fail(ErrorCode::invalid_argument,
                fmt::format("process {} cannot use {}, which process {} made before a fork: threads and devices are "
                            "not inherited; make another one after the fork",
                            getpid(), object, id_));
}

} // namespace isovmaf
