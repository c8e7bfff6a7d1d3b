// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <utility>

#include "isovmaf/result.hpp"

/// Failures of the library as exceptions of Python.
namespace isovmaf::python {

/// Throws the Python exception of the error's code, with the error's sentence. The caller holds the GIL.
[[noreturn]] void raise(const Error &error);

/// The value of a result; raises its error. The caller holds the GIL.
template <class T>
T value_or_raise(Result<T> result) {
    if (!result)
        raise(result.error());
    if constexpr (!std::is_void_v<T>)
        return *std::move(result);
}

} // namespace isovmaf::python
