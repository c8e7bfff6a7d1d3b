// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run_report/run_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "request/model_warnings.hpp"
#include "run_report/scoring_report.hpp"

namespace isovmaf {

namespace {

ReportInput describe(const SourceInfo &source, const std::string &command) {
    std::vector<std::string> conversions;
    for (const Conversion &conversion : source.conversions)
        conversions.push_back(conversion_text(conversion));
    return {.path = source.name,
            .container = source.container,
            .codec = source.codec,
            .format = source.format,
            .stream = fmt::format("v:{}", source.stream),
            .pixel_format = source.stored_pixels,
            .colour = colour_fields(source.colour),
            .conversions = std::move(conversions),
            .ffmpeg_command = command,
            .decoder = source.decoder,
            .film_grain = source.film_grain};
}

/// The frames per second of a video whose frames have equal distances, else 0. Rates that a container computes from
/// its duration are a little off.
double constant_rate(const SourceTiming &timing) {
    constexpr double tolerance = 1e-3;
    const std::optional<Rational> &rate = timing.base_rate ? timing.base_rate : timing.average_rate;
    if (!rate || rate->numerator <= 0)
        return 0;
    const double average = timing.average_rate ? timing.average_rate->value() : rate->value();
    return std::abs(average / rate->value() - 1) <= tolerance ? rate->value() : 0;
}

} // namespace

void describe_sync(const SyncResult &sync, Report &report) {
    report.sync.mode = sync_mode_name(sync.mode);
    report.sync.tolerance_seconds = sync.tolerance_seconds;
    report.sync.dropped = sync.dropped;
    report.sync.repeated = sync.repeated;
    if (!sync.dropped.empty())
        report.video_rate = 0; // pair n is not frame n of the reference
}

Report describe_run(const RequestArguments &arguments, const PairJob &job, const OpenedVideos &videos,
                    const FactUse &use) {
    Report report = describe_scoring(arguments, job.scoring, videos.pairs->format());
    report.reference = describe(videos.reference, videos.reference_command);
    report.distorted = describe(videos.distorted, videos.distorted_command);
    if (const auto &resize = job.videos.resize)
        report.resize = fmt::format("{}:{}", resize->reference ? "ref" : "dis", resize->flags);
    report.video_rate = constant_rate(videos.reference.timing);
    report.first_frame = job.videos.pair.skip_reference;
    report.notes = videos.notes;
    report.facts = use.facts;
    for (const UsedFact &fact : use.facts)
        report.notes.push_back(used_fact_text(fact));
    for (const PairWarning &warning : model_warnings(job.scoring.models, videos.pairs->format(), rate_of_pairs(videos)))
        report.notes.push_back(warning.sentence);
    const PairOptions &pair = job.videos.pair;
    report.sync.offset = pair.offset;
    const auto option = [&](std::string_view name, std::string value) {
        report.options.emplace_back(name, std::move(value));
    };
    option("frame_skip_ref", std::to_string(pair.skip_reference - std::max<std::int64_t>(-pair.offset, 0)));
    option("frame_skip_dis", std::to_string(pair.skip_distorted - std::max<std::int64_t>(pair.offset, 0)));
    option("frame_cnt", arguments.frame_count ? std::to_string(*arguments.frame_count) : "all");
    option("as_is", arguments.as_is ? "true" : "false");
    option("strict", arguments.strict ? "true" : "false");
    if (arguments.fit)
        option("fit", "true");
    if (arguments.offset.is_auto)
        option("offset", "auto");
    if (!job.videos.film_grain)
        option("film_grain", arguments.film_grain);
    return report;
}

} // namespace isovmaf
