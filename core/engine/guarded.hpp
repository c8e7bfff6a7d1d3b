// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <exception>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Runs `body`, which returns a Result. An exception that `body` throws is returned as an Error.
template <class Body>
auto guarded(const Body &body) -> decltype(body()) {
    try {
        return body();
    } catch (const Failure &failure) {
        return tl::unexpected(failure.error());
    } catch (const std::bad_alloc &) {
        return fail(ErrorCode::out_of_memory, "out of memory while scoring: use fewer threads or smaller pictures");
    } catch (const std::system_error &error) {
        return fail(ErrorCode::io, fmt::format("cannot start a thread for scoring: {}", error.what()));
    } catch (const std::exception &exception) {
        return fail(ErrorCode::internal, fmt::format("scoring failed: {}", exception.what()));
    }
}

} // namespace isovmaf
