// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "isovmaf/backend.h"

/// How the functions behind a plugin's table tell what came of them.
namespace isovmaf::plugin {

/// A status and, unless it is OK, one sentence: what was attempted, on what, what came back.
struct Outcome {
    isovmaf_status status = ISOVMAF_OK;
    std::string sentence;

    [[nodiscard]] bool ok() const { return status == ISOVMAF_OK; }
};

/// Copies as much of a sentence as fits.
inline void write_message(isovmaf_message &message, const std::string &sentence) noexcept {
    message.text[sentence.copy(message.text, sizeof(message.text) - 1)] = '\0';
}

/// Runs `function`, which returns an Outcome, as the body of a function of the table: no exception gets out.
template <class Function>
isovmaf_status answer(isovmaf_message *message, const Function &function) noexcept {
    try {
        const Outcome outcome = function();
        if (!outcome.ok())
            write_message(*message, outcome.sentence);
        return outcome.status;
    } catch (const std::bad_alloc &) {
        write_message(*message, "host memory ran out");
        return ISOVMAF_OUT_OF_MEMORY;
    } catch (const std::exception &error) {
        write_message(*message, error.what());
        return ISOVMAF_FAILED;
    }
}

} // namespace isovmaf::plugin
