// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_report.hpp"

#include <cmath>

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isovmaf::tool {

namespace {

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

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
            .ffmpeg_command = command};
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

constexpr std::size_t listed_frames = 8; ///< in a sentence

} // namespace

void describe_sync(const SyncResult &sync, Report &report) {
    report.sync.mode = sync_mode_name(sync.mode);
    report.sync.tolerance_seconds = sync.tolerance_seconds;
    report.sync.dropped = sync.dropped;
    report.sync.repeated = sync.repeated;
    if (!sync.dropped.empty())
        report.video_rate = 0; // pair n is not frame n of the reference
}

std::string unpaired_text(const SyncResult &sync) {
    const auto frames = [](const std::vector<std::int64_t> &numbers) {
        const auto shown = std::span(numbers).first(std::min(listed_frames, numbers.size()));
        return numbers.empty() ? "none"
                               : fmt::format("{}: {}{}", numbers.size(), fmt::join(shown, ", "),
                                             numbers.size() > listed_frames ? ", ..." : "");
    };
    return sync.dropped.empty() && sync.repeated.empty()
               ? ""
               : fmt::format("frames were paired by presentation time within {:.6g} s, and those without a partner are "
                             "left out: of the reference ({}), of the distorted video ({})",
                             sync.tolerance_seconds, frames(sync.dropped), frames(sync.repeated));
}

Report describe_run(const RequestArguments &arguments, const PairJob &job, const OpenedVideos &videos) {
    Report report;
    report.version = version();
    report.semantics = describe(job.scoring.semantics);
    report.reference = describe(videos.reference, videos.reference_command);
    report.distorted = describe(videos.distorted, videos.distorted_command);
    if (const auto &resize = job.videos.resize)
        report.resize = fmt::format("{}:{}", resize->reference ? "ref" : "dis", resize->flags);
    report.video_rate = constant_rate(videos.reference.timing);
    report.first_frame = job.videos.pair.skip_reference;
    report.notes = videos.notes;
    report.sync.offset = arguments.offset;
    for (const ModelRequest &model : job.scoring.models)
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

std::string describe_place(const Execution &execution) {
    std::string text = fmt::format("backend   {} ({})\n", execution.backend, execution.reason);
    for (const FeaturePlacement &place : execution.placement)
        text += fmt::format("{:<8}  on {}: {}{}\n", place.feature, place.backend, place.code,
                            place.reason.empty() ? "" : fmt::format(" ({})", place.reason));
    if (execution.plugin.empty())
        return text;
    text += fmt::format("plugin    {}, build {}\n", execution.plugin, execution.build_id);
    text += fmt::format("device    {}, {}{}{}\n", execution.device, execution.arch,
                        execution.pci_id.empty() ? "" : ", ", execution.pci_id);
    return text + fmt::format("runtime   {}, driver {}\n", execution.runtime,
                              execution.driver.empty() ? "unknown" : execution.driver);
}

std::string describe_work(const Execution &execution) {
    std::string text;
    for (const FeatureWork &work : execution.work)
        text += fmt::format("{:<8}  {} kernel launches, {:.1f} ms on the device\n", work.feature, work.launches,
                            work.milliseconds);
    if (!execution.plugin.empty())
        text += fmt::format(
            "memory    {:.1f} MiB at most on the device, {:.1f} MiB pinned, {} frames in flight on {} queues\n",
            mebibytes(execution.memory.allocated_peak), mebibytes(execution.memory.pinned), execution.frames_in_flight,
            execution.queues);
    return text;
}

} // namespace isovmaf::tool
