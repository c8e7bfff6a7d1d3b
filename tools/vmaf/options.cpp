// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/vmaf/options.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "features/stored_value.hpp"
#include "request/option_table.hpp"
#include "request/scoring_arguments.hpp"

namespace isovmaf::vmaf {

namespace {

tl::unexpected<Error> refuse(std::string sentence) { return fail(ErrorCode::invalid_argument, std::move(sentence)); }

constexpr int largest_number = std::numeric_limits<int>::max();

/// A number as libvmaf's program reads it: hexadecimal behind 0x, octal behind 0, of 32 bits: -1 is the largest one.
std::optional<std::int64_t> parse_unsigned(const std::string &text) {
    char *end = nullptr;
    const auto value = static_cast<std::uint32_t>(std::strtoul(text.c_str(), &end, 0));
    return end == text.c_str() || *end != '\0' ? std::nullopt : std::optional<std::int64_t>(value);
}

Result<int> take_number(std::string_view option, const std::string &text, int smallest, int largest) {
    const std::optional<std::int64_t> value = parse_unsigned(text);
    if (!value || *value < smallest || *value > largest)
        return refuse(fmt::format("--{} takes a number from {} to {}, not {}", option, smallest, largest, quote(text)));
    return static_cast<int>(*value);
}

/// 0 means all frames.
Result<void> take_frame_count(Options &options, const std::string &text) {
    const std::optional<std::int64_t> count = parse_unsigned(text);
    if (!count)
        return refuse(fmt::format("--frame_cnt takes a number of frames, not {}", quote(text)));
    options.videos.frame_count = *count > 0 ? count : std::nullopt;
    return {};
}

Result<void> take_pixel_format(Options &options, const std::string &text) {
    const std::vector<std::string> known = pixel_format_names();
    if (std::ranges::find(known, text) == known.end())
        return refuse(fmt::format("--pixel_format takes {}, not {}", fmt::join(known, ", "), quote(text)));
    options.videos.pixel_format = text;
    return {};
}

Result<void> take_bit_depth(Options &options, const std::string &text) {
    const int depth = TRY(take_number("bitdepth", text, 8, 16));
    if (depth != 8 && depth != 10 && depth != 12 && depth != 16)
        return refuse(fmt::format("--bitdepth takes 8, 10, 12 or 16, not {}", depth));
    options.videos.bit_depth = depth;
    return {};
}

/// Two models whose scores have one name could not be told apart in a report.
Result<void> add_model(Options &options, ModelRequest request) {
    if (std::ranges::find(options.models, request.name, &ModelRequest::name) != options.models.end())
        return refuse(
            fmt::format("two models are named {}: give one of them another name with :name=NAME", quote(request.name)));
    options.models.push_back(std::move(request));
    return {};
}

void store_values(FeatureRequest &request) {
    for (auto &[name, value] : request.options)
        value = stored_value(value);
}

Result<void> take_model(Options &options, const std::string &text) {
    ModelRequest request = TRY(ModelRequest::parse(text));
    for (FeatureRequest &over : request.feature_options)
        store_values(over);
    return add_model(options, std::move(request));
}

Result<void> take_preset(Options &options, std::string_view name, const std::string &version) {
    const Preset preset = TRY(find_preset(name, version));
    for (const ModelRequest &model : preset.models)
        TRY(add_model(options, model));
    options.features.insert(options.features.end(), preset.features.begin(), preset.features.end());
    return {};
}

template <ReportFormat format>
Result<void> take_format(Options &options, const std::string &) {
    options.report_format = format;
    return {};
}

template <bool Options::*flag>
Result<void> take_flag(Options &options, const std::string &) {
    options.*flag = true;
    return {};
}

constexpr CommandOption specs[] = {
    {"reference", 'r', path_value, "", "Reference video: Y4M, raw planar YUV, or anything FFmpeg reads",
     [](Options &options, const std::string &text) -> Result<void> {
         options.videos.reference = text;
         return {};
     }},
    {"distorted", 'd', path_value, "", "Distorted video, likewise",
     [](Options &options, const std::string &text) -> Result<void> {
         options.videos.distorted = text;
         return {};
     }},
    {"width", 'w', "N", "", "Width of raw planar YUV",
     [](Options &options, const std::string &text) -> Result<void> {
         options.videos.width = TRY(take_number("width", text, 1, max_frame_side));
         return {};
     }},
    {"height", 'h', "N", "", "Height of raw planar YUV",
     [](Options &options, const std::string &text) -> Result<void> {
         options.videos.height = TRY(take_number("height", text, 1, max_frame_side));
         return {};
     }},
    {"pixel_format", 'p', "FORMAT", "400 420 422 444", "Chroma of raw planar YUV: 420, 422, 444 or 400",
     take_pixel_format},
    {"bitdepth", 'b', "N", "8 10 12 16", "Bit depth of raw planar YUV: 8, 10, 12 or 16", take_bit_depth},
    {"model", 'm', "MODEL", "",
     "version=NAME or path=FILE, then any of :name=NAME :enable_transform :disable_clip :FEATURE.OPTION=VALUE; may be "
     "repeated; by default version=vmaf_v0.6.1",
     take_model},
    {"output", 'o', path_value, "", "Report file",
     [](Options &options, const std::string &text) -> Result<void> {
         options.output = text;
         options.write_output = true;
         return {};
     }},
    {"xml", 0, nullptr, "", "Write the report as XML; the default", take_format<ReportFormat::xml>},
    {"json", 0, nullptr, "", "Write the report as JSON", take_format<ReportFormat::json>},
    {"csv", 0, nullptr, "", "Write the report as CSV", take_format<ReportFormat::csv>},
    {"sub", 0, nullptr, "", "Write the report as MicroDVD subtitles", take_format<ReportFormat::sub>},
    {"threads", 0, "N", "", "Threads of the CPU; by default one",
     [](Options &options, const std::string &text) -> Result<void> {
         options.threads = TRY(take_number("threads", text, 0, 1024));
         return {};
     }},
    {"feature", 0, "FEATURE", "",
     "Report this feature too: NAME or NAME=OPTION=VALUE[:OPTION=VALUE]...; may be repeated",
     [](Options &options, const std::string &text) -> Result<void> {
         store_values(options.features.emplace_back(TRY(FeatureRequest::parse(text))));
         return {};
     }},
    {"cpumask", 0, "MASK", "",
     "Instruction sets that libvmaf must not use; accepted and without effect: they change no score of isovmaf",
     [](Options &, const std::string &text) -> Result<void> {
         TRY(parse_bit_mask("--cpumask", text));
         return {};
     }},
    {"gpumask", 0, "MASK", "", "0: use a GPU if there is one, the default; anything else: use no GPU",
     [](Options &options, const std::string &text) -> Result<void> {
         options.use_gpu = TRY(parse_bit_mask("--gpumask", text)) == 0;
         return {};
     }},
    {"aom_ctc", 0, "VERSION", "", "Models and features of the AOM common test conditions: v1.0 to v7.0",
     [](Options &options, const std::string &text) { return take_preset(options, "aom_ctc", text); }},
    {"nflx_ctc", 0, "VERSION", "", "Models and features of the Netflix common test conditions: v1.0",
     [](Options &options, const std::string &text) { return take_preset(options, "nflx_ctc", text); }},
    {"frame_cnt", 0, "N", "", "Score at most N frames; 0: all",
     [](Options &options, const std::string &text) -> Result<void> { return take_frame_count(options, text); }},
    {"frame_skip_ref", 0, "N", "", "Leave out the first N reference frames",
     [](Options &options, const std::string &text) -> Result<void> {
         options.videos.skip_reference = TRY(take_number("frame_skip_ref", text, 0, largest_number));
         return {};
     }},
    {"frame_skip_dist", 0, "N", "", "Leave out the first N distorted frames",
     [](Options &options, const std::string &text) -> Result<void> {
         options.videos.skip_distorted = TRY(take_number("frame_skip_dist", text, 0, largest_number));
         return {};
     }},
    {"subsample", 0, "N", "", "Score every Nth frame only",
     [](Options &options, const std::string &text) -> Result<void> {
         options.subsample = std::max(1, TRY(take_number("subsample", text, 0, largest_number)));
         return {};
     }},
    {"no_prediction", 'n', nullptr, "", "No model: report features only", take_flag<&Options::no_prediction>},
    {"quiet", 'q', nullptr, "", "Show no progress on a terminal", take_flag<&Options::quiet>},
    {"version", 'v', nullptr, "", "Print the version and exit", take_flag<&Options::show_version>},
};

} // namespace

std::span<const CommandOption> command_options() { return specs; }

} // namespace isovmaf::vmaf
