// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace isovmaf::capi {

/// What a function prints on stderr.
template <class Function>
std::string printed_by(Function &&function) {
    ::testing::internal::CaptureStderr();
    function();
    return ::testing::internal::GetCapturedStderr();
}

} // namespace isovmaf::capi
