// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <type_traits>
#include <utility>

#include "isovmaf/result.hpp"

namespace isovmaf::detail {

template <class T>
T take_value(Result<T> &result) {
    if constexpr (!std::is_void_v<T>)
        return *std::move(result);
}
template <class T>
T take_value(const Result<T> &result) {
    if constexpr (!std::is_void_v<T>)
        return *result;
}

} // namespace isovmaf::detail

/// The value of a Result. When the Result is an Error, the function that TRY stands in returns that Error; it has to
/// return a Result itself.
///
///     const Plan plan = TRY(make_plan(request));
///     TRY(check(plan));
#define TRY(...) ISOVMAF_TRY_NAMED(ISOVMAF_TRY_JOIN(try_result_, __COUNTER__), __VA_ARGS__)

#define ISOVMAF_TRY_JOIN(a, b) ISOVMAF_TRY_JOIN_EXPANDED(a, b)
#define ISOVMAF_TRY_JOIN_EXPANDED(a, b) a##b
#define ISOVMAF_TRY_NAMED(result, ...)                                                                                 \
    __extension__({                                                                                                    \
        auto &&result = __VA_ARGS__;                                                                                   \
        if (!result)                                                                                                   \
            return ::tl::unexpected(std::move(result).error());                                                        \
        ::isovmaf::detail::take_value(result);                                                                         \
    })
