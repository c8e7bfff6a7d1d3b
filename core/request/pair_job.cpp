// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/pair_job.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"
#include "run/settle_videos.hpp"

namespace isovmaf {

namespace {

/// Calls `visit` with each table of options.
template <class Visit>
Result<void> for_each_table(const Visit &visit) {
    TRY(visit(reading_options()));
    TRY(visit(crop_options()));
    TRY(visit(pairing_options()));
    return visit(scoring_options());
}

} // namespace

Result<PairJob> parse_request(const RequestArguments &arguments) {
    PairJob job{TRY(parse_videos(arguments)), {}, {}};
    TRY(apply_sync(arguments, job.videos));
    TRY(check_can_settle(job.videos));
    job.scoring = TRY(parse_scoring(arguments));
    job.scoring.chroma_edge = ChromaEdge::present;
    job.videos.predicts = !job.scoring.models.empty();
    return job;
}

Result<void> settle_job(PairJob &job, SettledBy by) {
    if (is_settled(job.videos))
        return {};
    job.videos.readers = readers_of(job.scoring);
    job.videos = TRY(settle_videos(std::move(job.videos), by));
    return {};
}

std::vector<RequestOptionName> request_option_names() {
    std::vector<RequestOptionName> names;
    (void)for_each_table([&](const auto &options) -> Result<void> {
        for (const auto &option : options)
            names.push_back({std::string(option.name()), option.is_list()});
        return {};
    });
    return names;
}

void leave_out_unsaid(std::map<std::string, std::vector<std::string>> &texts) {
    (void)for_each_table([&](const auto &options) -> Result<void> {
        for (const auto &option : options)
            if (const auto given = texts.find(std::string(option.name()));
                given != texts.end() && !option.unsaid.empty() && given->second.back() == option.unsaid)
                texts.erase(given);
        return {};
    });
}

Result<RequestArguments> read_request_options(const std::map<std::string, std::vector<std::string>> &texts) {
    RequestArguments arguments;
    std::size_t known = 0;
    TRY(for_each_table([&](const auto &options) -> Result<void> {
        for (const auto &option : options)
            if (const auto given = texts.find(std::string(option.name())); given != texts.end()) {
                known++;
                TRY(option.read(given->second, arguments));
            }
        return {};
    }));
    if (known == texts.size())
        return arguments;
    const std::vector<RequestOptionName> names = request_option_names();
    const auto unknown = std::ranges::find_if(texts, [&](const auto &option) {
        return std::ranges::find(names, option.first, &RequestOptionName::name) == names.end();
    });
    return fail(ErrorCode::invalid_argument, fmt::format("there is no option --{}", escape_controls(unknown->first)));
}

} // namespace isovmaf
