// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score_report.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isovmaf::tool {

namespace {

ReportInput describe(const SourceInfo &source) {
    return {.path = source.name,
            .container = source.container,
            .codec = source.codec,
            .format = source.format,
            .stream = fmt::format("v:{}", source.stream),
            .pixel_format = source.stored_pixels,
            .colour = colour_fields(source.colour),
            .conversions = source.conversions};
}

std::string origin(const ModelRequest &model) {
    return model.path.empty() ? fmt::format("version={}", model.version) : fmt::format("path={}", model.path);
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

std::string_view describe(Semantics semantics) {
    return semantics == Semantics::libvmaf_3_2 ? "libvmaf 3.2.0, plain C path" : "libvmaf 3.0.0, plain C path";
}

} // namespace

Report describe_run(const ScoreArguments &arguments, const ScoreJob &job, const OpenedVideos &videos) {
    Report report;
    report.version = version();
    report.semantics = describe(job.session.semantics);
    report.reference = describe(videos.reference);
    report.distorted = describe(videos.distorted);
    report.resize = arguments.resize;
    report.video_rate = constant_rate(videos.reference.timing);
    report.first_frame = arguments.skip_reference;
    report.notes = videos.notes;
    for (const ModelRequest &model : job.session.models)
        report.models.emplace_back(model.name, origin(model));

    const auto option = [&](std::string_view name, std::string value) {
        report.options.emplace_back(name, std::move(value));
    };
    option("model", arguments.models.empty() && !arguments.has_preset() && !arguments.no_prediction
                        ? fmt::format("version={}", ModelRequest{}.version)
                        : fmt::format("{}", fmt::join(arguments.models, " ")));
    option("feature", fmt::format("{}", fmt::join(arguments.features, " ")));
    if (!arguments.aom_preset.empty())
        option("aom_ctc", arguments.aom_preset);
    if (!arguments.netflix_preset.empty())
        option("nflx_ctc", arguments.netflix_preset);
    option("no_prediction", arguments.no_prediction ? "true" : "false");
    option("subsample", std::to_string(arguments.subsample));
    option("frame_skip_ref", std::to_string(arguments.skip_reference));
    option("frame_skip_dis", std::to_string(arguments.skip_distorted));
    option("frame_cnt", arguments.frame_count ? std::to_string(*arguments.frame_count) : "all");
    option("as_is", arguments.as_is ? "true" : "false");
    option("strict", arguments.strict ? "true" : "false");
    return report;
}

} // namespace isovmaf::tool
