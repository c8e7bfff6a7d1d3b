// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "common/outcome.hpp"
#include "hip/layer/api.hpp"

namespace isovmaf::hip {

using plugin::Outcome;

/// An Outcome that is not OK, on its way to the border.
class Failure final : public std::exception {
  public:
    Failure(isovmaf_status status, std::string sentence) : outcome_{status, std::move(sentence)} {}

    [[nodiscard]] const Outcome &outcome() const { return outcome_; }
    [[nodiscard]] const char *what() const noexcept override { return outcome_.sentence.c_str(); }

  private:
    Outcome outcome_;
};

/// What a code of the runtime means to the caller of a plugin.
[[nodiscard]] isovmaf_status status_of(hipError_t error);

/// The code's name and number: "hipErrorNoDevice (100)".
[[nodiscard]] std::string error_text(const Api &api, hipError_t error);

/// `attempted` is what the sentence starts with: "copying 64 bytes".
[[nodiscard]] Failure runtime_failure(const Api &api, hipError_t error, std::string_view attempted);

/// Throws a Failure unless the runtime succeeded.
inline void check(const Api &api, hipError_t error, std::string_view attempted) {
    if (error != hipSuccess)
        throw runtime_failure(api, error, attempted);
}

} // namespace isovmaf::hip
