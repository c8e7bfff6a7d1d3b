// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_jobs.hpp"

#include <fmt/format.h>

#include "report/number_text.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

std::string state_text(const batch::RunState &state) {
    const auto number = [](std::size_t count) { return count_text(static_cast<std::int64_t>(count)); };
    std::string text = fmt::format("{} finished", counted(static_cast<std::int64_t>(state.finished), "unit"));
    if (state.permanent + state.transient > 0)
        text += fmt::format("; {} failed, {} of them may succeed when they are tried again",
                            number(state.permanent + state.transient), number(state.transient));
    if (state.missing() > 0)
        text += fmt::format("; {} not done yet", number(state.missing()));
    if (state.invalid > 0)
        text += fmt::format("; {} left out", counted(static_cast<std::int64_t>(state.invalid), "row"));
    return text;
}

ExitCode exit_code_of(const batch::RunState &state, const batch::RowFailures &failures) {
    if (state.permanent + state.invalid + failures.permanent > 0)
        return exit_failed;
    return state.transient + failures.transient > 0 ? exit_again : exit_ok;
}

int print_failure(const Result<ExitCode> &code) {
    if (code)
        return *code;
    if (!code.error().message.empty())
        print_error("isovmaf: error: {}\n", code.error().message);
    if (code.error().code == ErrorCode::interrupted)
        return exit_interrupted;
    return code.error().code == ErrorCode::invalid_argument ? exit_usage : exit_failed;
}

} // namespace isovmaf::tool
