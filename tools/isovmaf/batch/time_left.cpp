// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_steps.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/work/time_budget.hpp"

namespace isovmaf::tool {

namespace {

using std::chrono::seconds;

/// What a command writes to standard output; fails when it cannot be run or fails.
Result<std::string> output_of(const std::string &command) {
    FILE *const pipe = popen((command + " 2>&1").c_str(), "re");
    if (!pipe)
        return fail(ErrorCode::io, fmt::format("cannot run {}", command));
    std::string text;
    std::array<char, 256> part;
    while (std::fgets(part.data(), static_cast<int>(part.size()), pipe))
        text += part.data();
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    if (pclose(pipe) != 0)
        return fail(ErrorCode::io, fmt::format("{} failed: {}", command, escape_controls(text)));
    return text;
}

/// Slurm from 22.05 on tells jobs when they will end.
Result<std::optional<seconds>> until(const char *end) {
    const std::optional<std::int64_t> time = parse_integer(end);
    if (!time)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("SLURM_JOB_END_TIME is {}, which is no time: give --time-left a number of seconds",
                                quote(end)));
    const auto now = std::chrono::duration_cast<seconds>(std::chrono::system_clock::now().time_since_epoch());
    return seconds(*time) - now;
}

Result<std::optional<seconds>> left_to_job(const char *job) {
    if (!parse_integer(job))
        return fail(ErrorCode::invalid_argument, fmt::format("SLURM_JOB_ID is {}, which is no number", quote(job)));
    const std::string text = TRY(output_of(fmt::format("squeue --noheader --jobs={} --format=%L", job)));
    if (text == "UNLIMITED")
        return std::nullopt;
    const std::optional<std::int64_t> left = batch::parse_slurm_time(text);
    if (!left)
        return fail(ErrorCode::io, fmt::format("squeue says that {} is left to job {}: give --time-left a number of "
                                               "seconds",
                                               quote(text), job));
    return seconds(*left);
}

} // namespace

Result<std::optional<seconds>> read_time_left(const std::string &text) {
    if (text == "auto") {
        if (const char *const end = std::getenv("SLURM_JOB_END_TIME"))
            return until(end);
        if (const char *const job = std::getenv("SLURM_JOB_ID"))
            return left_to_job(job);
        return fail(ErrorCode::invalid_argument,
                    "--time-left auto is for Slurm jobs, and neither SLURM_JOB_END_TIME nor "
                    "SLURM_JOB_ID is set: give a number of seconds");
    }
    const std::optional<std::int64_t> given = parse_integer(text);
    if (!given || *given < 0 || *given > 1'000'000'000)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--time-left takes a number of seconds, or auto: not {}", quote(text)));
    return seconds(*given);
}

} // namespace isovmaf::tool
