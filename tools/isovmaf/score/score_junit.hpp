// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "report/junit.hpp"
#include "tools/isovmaf/score/video_run.hpp"

/// What became of the limits, for continuous integration: a suite for each distorted video, a test for each limit.
namespace isovmaf::tool {

inline constexpr const char *score_junit_program = "isovmaf score";

/// The suite of a video whose scores are there. Limits are not judged where the run ended early: that is an error.
[[nodiscard]] JunitSuite limits_suite(const ScoredVideo &video, const std::string &command);

/// Says on standard error which limits are broken, and which could not be judged. `about` stands before the sentences
/// where it is not empty.
void print_limits(const ScoredVideo &video, const std::string &about);

/// The suite of a video that failed.
[[nodiscard]] JunitSuite failed_suite(const std::string &distorted, const std::string &why);

} // namespace isovmaf::tool
