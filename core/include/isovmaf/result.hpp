// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace isovmaf {

/// Kinds of failures. The numbers are stable.
enum class ErrorCode {
    invalid_argument = 1, ///< an option or argument is wrong by itself
    not_found = 2,        ///< a file, model, feature or name does not exist
    unsupported = 3,      ///< valid, but not possible with this input
    mismatch = 4,         ///< two inputs that have to agree do not agree
    corrupt_data = 5,     ///< a file's content does not follow its format
    io = 6,               ///< the operating system refused a read or a write
    out_of_memory = 7,    ///< host or device memory ran out
    device_lost = 8,      ///< a device stopped working; its sessions cannot go on
    interrupted = 9,      ///< the caller asked to stop
    internal = 10,        ///< a bug of isovmaf: please report it
    device_failed = 11,   ///< a device or its runtime refused an operation
    not_executed = 12,    ///< a device was given work, but no kernel ran on it
    unavailable = 13,     ///< this machine lacks what is needed: a plugin, a driver, a device or a decoder
};

/// Who can mend a failure.
enum class ErrorOrigin {
    input,       ///< the content of a video or another file: every machine that reads it finds the same
    options,     ///< what was asked for
    environment, ///< the machine, its files or its network: another machine or another time may do better
    program,     ///< a bug of isovmaf
};

/// Where failures of a kind come from. A file that is not there belongs to the environment: it may come back.
[[nodiscard]] constexpr ErrorOrigin origin_of(ErrorCode code) {
    switch (code) {
    case ErrorCode::unsupported:
    case ErrorCode::mismatch:
    case ErrorCode::corrupt_data:
        return ErrorOrigin::input;
    case ErrorCode::invalid_argument:
        return ErrorOrigin::options;
    case ErrorCode::not_found:
    case ErrorCode::io:
    case ErrorCode::out_of_memory:
    case ErrorCode::device_lost:
    case ErrorCode::interrupted:
    case ErrorCode::device_failed:
    case ErrorCode::not_executed:
    case ErrorCode::unavailable:
        return ErrorOrigin::environment;
    case ErrorCode::internal:
        break;
    }
    return ErrorOrigin::program;
}

/// Whether a failure of this kind may be the fault of the device, or of the machine, that did the work, and tells
/// nothing of the videos. Who reports such a failure puts the name of the device in front of the message; who goes on
/// opens the device again first; and another device or machine may do the same work.
[[nodiscard]] constexpr bool may_blame_device(ErrorCode code) {
    switch (code) {
    case ErrorCode::out_of_memory:
    case ErrorCode::device_lost:
    case ErrorCode::device_failed:
    case ErrorCode::not_executed:
    case ErrorCode::unavailable:
        return true;
    default:
        return false;
    }
}

/// A failure in one sentence: what was attempted, on what, and what came back.
struct Error {
    ErrorCode code = ErrorCode::internal; ///< its kind, for programs
    std::string message;                  ///< for people; without a newline
};

/// A value or an Error. Nothing in isovmaf throws across its public border.
template <class T>
using Result = tl::expected<T, Error>;

/// Shorthand for returning a failure from a function that gives a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

} // namespace isovmaf
