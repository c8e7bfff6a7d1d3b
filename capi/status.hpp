// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cerrno>
#include <exception>
#include <new>
#include <string_view>
#include <type_traits>

#include "capi/log.hpp"
#include "isovmaf/result.hpp"

/// The C interface of libvmaf, served by isovmaf. Functions with C names only check, forward and turn errors into
/// codes.
namespace isovmaf::capi {

/// All that a C function returns.
inline constexpr int status_ok = 0;
inline constexpr int status_invalid = -EINVAL;
inline constexpr int status_no_memory = -ENOMEM;

/// The code of a failure, whose sentence is printed as an error.
[[nodiscard]] int report_failure(const Log &log, const Error &error) noexcept;

/// Runs the body of a C function, which returns a Result<void> or a code. No exception leaves the function: all are
/// failures, whose sentence is printed.
template <class Body>
[[nodiscard]] int guarded(const Log &log, Body &&body) noexcept {
    try {
        if constexpr (std::is_same_v<std::invoke_result_t<Body>, int>) {
            return body();
        } else {
            const Result<void> result = body();
            return result ? status_ok : report_failure(log, result.error());
        }
    } catch (const std::bad_alloc &) {
        return status_no_memory;
    } catch (const std::exception &failure) {
        log.error(failure.what());
    } catch (...) {
        log.error("an operation failed with an exception of an unknown type; please report it");
    }
    return status_invalid;
}

/// The same for a function without a context.
template <class Body>
[[nodiscard]] int guarded(Body &&body) noexcept {
    return guarded(process_log(), body);
}

/// A failure when a pointer that `function` got is null.
template <class... Pointers>
[[nodiscard]] Result<void> require_arguments(std::string_view function, const Pointers *...pointers) {
    if ((... && (pointers != nullptr)))
        return {};
    return fail(ErrorCode::invalid_argument, std::string(function) + ": an argument that is needed is NULL");
}

} // namespace isovmaf::capi
