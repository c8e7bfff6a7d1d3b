// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isovmaf/execution.hpp"
#include "isovmaf/request.hpp"
#include "request/scoring_arguments.hpp"
#include "request/video_arguments.hpp"
#include "run/settle_videos.hpp"
#include "run/video_request.hpp"

/// Everything that is asked for when two videos are scored, and all its options.
namespace isovmaf {

struct RequestArguments : VideoArguments, SyncArguments, ScoringArguments {};

/// What is computed from two videos, and where.
struct PairJob {
    VideoRequest videos;
    ScoringOptions scoring;
    ExecutionOptions execution;
};

/// The models, the pairing, the formats: what no option says alone. The execution is the
/// default one.
[[nodiscard]] Result<PairJob> parse_request(const RequestArguments &arguments);

/// Decides what the job leaves open about its videos: see settle_videos. To be called once, before who reads the videos
/// is planned.
[[nodiscard]] Result<void> settle_job(PairJob &job, SettledBy by = SettledBy::pictures);

/// One of the options of RequestArguments.
struct RequestOptionName {
    std::string name; ///< the long name without its dashes: "width"
    bool is_list;     ///< whether the option may be given several times
};

/// The options in the order of the help.
[[nodiscard]] std::vector<RequestOptionName> request_option_names();

/// Removes options whose text means the same as no text: see OptionRule::unsaid.
void leave_out_unsaid(std::map<std::string, std::vector<std::string>> &texts);

/// Reads the texts of options, by the options' names, in the order of request_option_names. Options without a text keep
/// their defaults.
[[nodiscard]] Result<RequestArguments>
read_request_options(const std::map<std::string, std::vector<std::string>> &texts);

} // namespace isovmaf
