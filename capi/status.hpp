// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cerrno>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#include <type_traits>

#include "base/float_environment.hpp"
#include "base/log.hpp"
#include "isovmaf/result.hpp"
#include "libvmaf/libvmaf.h"

/// The C interface of libvmaf, served by isovmaf. Functions with C names only check, forward and turn errors into
/// codes.
namespace isovmaf::capi {

/// Prints messages on stderr, each as one line "libvmaf LEVEL text", if their level is high enough. Any number of
/// threads may print at once.
class Log {
  public:
    /// Prints messages up to `level`. A level beyond the enum is DEBUG. ISOVMAF_LOG, when it is set, replaces `level`.
    explicit Log(VmafLogLevel level);

    [[nodiscard]] VmafLogLevel level() const { return level_; }

    void error(std::string_view text) const noexcept { print(VMAF_LOG_LEVEL_ERROR, text); }
    void warning(std::string_view text) const noexcept { print(VMAF_LOG_LEVEL_WARNING, text); }
    void info(std::string_view text) const noexcept { print(VMAF_LOG_LEVEL_INFO, text); }
    void debug(std::string_view text) const noexcept { print(VMAF_LOG_LEVEL_DEBUG, text); }

    /// The sink for notices of the rest of isovmaf.
    [[nodiscard]] LogSink sink() const;

  private:
    void print(VmafLogLevel level, std::string_view text) const noexcept;

    VmafLogLevel level_;
};

/// The level that a value of ISOVMAF_LOG names: none, error, warning, info or debug.
[[nodiscard]] std::optional<VmafLogLevel> parse_log_level(std::string_view text);

/// The log of functions without a context: the level of the context that was created last, INFO before.
[[nodiscard]] Log process_log() noexcept;
void set_process_log(const Log &log) noexcept;

/// All that a C function returns.
inline constexpr int status_ok = 0;
inline constexpr int status_invalid = -EINVAL;
inline constexpr int status_no_memory = -ENOMEM;

/// The code of a failure.
[[nodiscard]] int status_of(const Error &error) noexcept;

/// The same, and prints its sentence as an error.
[[nodiscard]] int report_failure(const Log &log, const Error &error) noexcept;

/// Runs the body of a C function, which returns a Result<void> or a code. No exception leaves the function: all are
/// failures, whose sentence is printed. The body computes with the floating-point environment of IEEE 754.
template <class Body>
[[nodiscard]] int guarded(const Log &log, Body &&body) noexcept {
    const FloatEnvironment floats;
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
