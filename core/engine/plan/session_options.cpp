// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/session_options.hpp"

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

Result<void> check_execution_options(const SessionOptions &options) {
    TRY(validate_format(options.format));
    if (options.threads < 0 || options.threads > 1024)
        return fail(ErrorCode::invalid_argument, fmt::format("{} threads: give 0 to 1024", options.threads));
    if (options.frames_in_flight < 0 || options.frames_in_flight > 1024)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} frames in flight: give 0 to 1024", options.frames_in_flight));
    if (options.device_queues < 0 || options.device_queues > 64)
        return fail(ErrorCode::invalid_argument, fmt::format("{} queues: give 0 to 64", options.device_queues));
    return {};
}

Result<void> check_scoring_options(const SessionOptions &options) {
    if (options.subsample < 1)
        return fail(ErrorCode::invalid_argument, fmt::format("subsample {}: give 1 or more", options.subsample));
    if (options.models.empty() && options.features.empty())
        return fail(ErrorCode::invalid_argument, "nothing to score: ask for a model or a feature");
    return {};
}

Result<PlanContext> plan_context(const SessionOptions &options) {
    return PlanContext{options.format, options.semantics, TRY(parse_cpu_level(options.cpu_level))};
}

} // namespace isovmaf
