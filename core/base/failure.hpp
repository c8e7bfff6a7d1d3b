// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <exception>
#include <utility>

#include "isovmaf/result.hpp"

namespace isovmaf {

/// Carries an Error through code that cannot return one. It is caught inside the library, never thrown to a caller.
class Failure final : public std::exception {
  public:
    explicit Failure(Error error) : error_(std::move(error)) {}

    [[nodiscard]] const Error &error() const { return error_; }
    [[nodiscard]] const char *what() const noexcept override { return error_.message.c_str(); }

  private:
    Error error_;
};

/// Returns the value of `result`, or throws its error as a Failure.
template <class T>
T value_of(Result<T> result) {
    if (!result)
        throw Failure(std::move(result.error()));
    return *std::move(result);
}

inline void value_of(const Result<void> &result) {
    if (!result)
        throw Failure(result.error());
}

} // namespace isovmaf
