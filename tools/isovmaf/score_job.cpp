// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score_job.hpp"

#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isovmaf::tool {

namespace {

const std::map<std::string, Chroma> pixel_formats{
    {"400", Chroma::k400}, {"420", Chroma::k420}, {"422", Chroma::k422}, {"444", Chroma::k444}};
const std::map<std::string, ScaleFilter> scale_filters{
    {"bilinear", ScaleFilter::bilinear}, {"bicubic", ScaleFilter::bicubic}, {"lanczos", ScaleFilter::lanczos}};
const std::map<std::string, Precision> precisions{
    {"legacy", Precision::legacy}, {"max", Precision::max}, {"hex", Precision::hex}};
const std::map<std::string, Semantics> semantics{{"libvmaf-3.2", Semantics::libvmaf_3_2},
                                                 {"libvmaf-3.0", Semantics::libvmaf_3_0}};

template <class Value>
std::vector<std::string> keys(const std::map<std::string, Value> &choices) {
    std::vector<std::string> names;
    for (const auto &[name, value] : choices)
        names.push_back(name);
    return names;
}

Result<std::optional<VideoFormat>> raw_format(const ScoreArguments &arguments) {
    std::vector<std::string_view> given, missing;
    const auto sort_in = [&](bool is_given, std::string_view name) { (is_given ? given : missing).push_back(name); };
    sort_in(arguments.width.has_value(), "--width");
    sort_in(arguments.height.has_value(), "--height");
    sort_in(arguments.pixel_format.has_value(), "--pixel_format");
    sort_in(arguments.bit_depth.has_value(), "--bitdepth");
    if (given.empty())
        return std::nullopt;
    if (!missing.empty())
        return fail(ErrorCode::invalid_argument, fmt::format("raw video needs all of its format: {} given, {} missing",
                                                             fmt::join(given, ", "), fmt::join(missing, ", ")));
    return VideoFormat{*arguments.width, *arguments.height, pixel_formats.at(*arguments.pixel_format),
                       *arguments.bit_depth};
}

Result<std::optional<Resize>> resize(const std::string &text) {
    if (text.empty())
        return std::nullopt;
    const std::size_t colon = text.find(':');
    const std::string side = text.substr(0, colon);
    const auto filter = scale_filters.find(colon == std::string::npos ? "bicubic" : text.substr(colon + 1));
    if ((side != "ref" && side != "dis") || filter == scale_filters.end())
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--resize takes ref or dis, a colon and one of {}: not \"{}\"",
                                fmt::join(keys(scale_filters), ", "), text));
    return Resize{side == "ref", filter->second};
}

ReportFormat report_format(const ScoreArguments &arguments) {
    if (arguments.json)
        return ReportFormat::json;
    if (arguments.csv)
        return ReportFormat::csv;
    if (arguments.sub)
        return ReportFormat::sub;
    if (arguments.xml)
        return ReportFormat::xml;
    const std::string extension = std::filesystem::path(arguments.output).extension();
    if (extension == ".json")
        return ReportFormat::json;
    if (extension == ".csv")
        return ReportFormat::csv;
    return extension == ".sub" ? ReportFormat::sub : ReportFormat::xml;
}

Result<SessionOptions> session_options(const ScoreArguments &arguments) {
    SessionOptions options;
    options.model_folders = arguments.model_folders;
    options.threads = arguments.threads;
    options.backend = arguments.backend;
    options.device = arguments.device;
    options.backend_folders = arguments.backend_folders;
    options.frames_in_flight = arguments.frames_in_flight;
    options.device_timing = arguments.timing || arguments.verbose;
    options.subsample = arguments.subsample;
    options.semantics = semantics.at(arguments.compat);
    if (!arguments.no_prediction && arguments.models.empty())
        options.models.emplace_back();
    if (!arguments.no_prediction)
        for (const std::string &text : arguments.models) {
            Result<ModelRequest> model = ModelRequest::parse(text);
            if (!model)
                return tl::unexpected(model.error());
            options.models.push_back(*std::move(model));
        }
    for (const std::string &text : arguments.features) {
        Result<FeatureRequest> feature = FeatureRequest::parse(text);
        if (!feature)
            return tl::unexpected(feature.error());
        options.features.push_back(*std::move(feature));
    }
    if (options.models.empty() && options.features.empty())
        return fail(ErrorCode::invalid_argument, "nothing to score: --no_prediction needs a --feature");
    return options;
}

} // namespace

std::vector<std::string> pixel_format_names() { return keys(pixel_formats); }
std::vector<std::string> precision_names() { return keys(precisions); }
std::vector<std::string> semantics_names() { return keys(semantics); }

Result<ScoreJob> understand(const ScoreArguments &arguments) {
    ScoreJob job;
    if (arguments.reference == "-" && arguments.distorted == "-")
        return fail(ErrorCode::invalid_argument, "only one of the two videos can come from standard input");
    if (arguments.json + arguments.xml + arguments.csv + arguments.sub > 1)
        return fail(ErrorCode::invalid_argument, "a report has one format: give one of --json, --xml, --csv and --sub");
    Result<std::optional<VideoFormat>> raw = raw_format(arguments);
    if (!raw)
        return tl::unexpected(raw.error());
    Result<std::optional<Resize>> scaling = resize(arguments.resize);
    if (!scaling)
        return tl::unexpected(scaling.error());
    Result<SessionOptions> session = session_options(arguments);
    if (!session)
        return tl::unexpected(session.error());
    job.raw_format = *raw;
    job.pair.resize = *scaling;
    job.pair.skip_reference = arguments.skip_reference;
    job.pair.skip_distorted = arguments.skip_distorted;
    job.pair.frame_count = arguments.frame_count;
    job.pair.strict = arguments.strict;
    job.session = *std::move(session);
    job.report_format = report_format(arguments);
    job.precision = precisions.at(arguments.precision);
    return job;
}

} // namespace isovmaf::tool
