// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "video_options.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"
#include "errors.hpp"
#include "options.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

void take_videos(Given &given, VideoArguments &arguments) {
    given.take("reference", arguments.reference);
    given.take("distorted", arguments.distorted);
    given.take("width", arguments.width);
    given.take("height", arguments.height);
    given.take("chroma", arguments.pixel_format);
    given.take("bit_depth", arguments.bit_depth);
    given.take("ref_format", arguments.reference_format);
    given.take("dis_format", arguments.distorted_format);
    given.take("allow_partial", arguments.allow_partial);
    given.take("ref_stream", arguments.reference_stream);
    given.take("dis_stream", arguments.distorted_stream);
    given.take("crop", arguments.crops);
    given.take("resize", arguments.resize);
    given.take("frame_skip_ref", arguments.skip_reference);
    given.take("frame_skip_dis", arguments.skip_distorted);
    given.take("frame_cnt", arguments.frame_count);
    given.take("strict", arguments.strict);
    given.take("as_is", arguments.as_is);
    given.take("fit", arguments.fit);
    given.take("convert", arguments.conversions);
    given.take("film_grain", arguments.film_grain);
}

/// A number, or "auto".
Result<void> take_offset(Given &given, NumberOrAuto &offset) {
    std::variant<std::int64_t, std::string> value = std::int64_t{0};
    given.take("offset", value);
    if (const auto *const number = std::get_if<std::int64_t>(&value))
        offset.number = *number;
    else
        TRY(check_choice("offset", std::get<std::string>(value), {"auto"}));
    offset.is_auto = std::holds_alternative<std::string>(value);
    return {};
}

void take_pairing(Given &given, SyncArguments &arguments) {
    given.take("sync", arguments.sync);
    given.take("sync_tolerance", arguments.sync_tolerance);
    value_or_raise(take_offset(given, arguments.offset));
}

Result<PairJob> parse(const RequestArguments &arguments) {
    if (arguments.pixel_format)
        TRY(check_choice("chroma", *arguments.pixel_format, chroma_codes()));
    TRY(check_choice("film_grain", arguments.film_grain, film_grain_names()));
    TRY(check_choice("sync", arguments.sync, sync_mode_names()));
    TRY(check_least("frame_skip_ref", arguments.skip_reference, 0));
    TRY(check_least("frame_skip_dis", arguments.skip_distorted, 0));
    TRY(check_least("frame_cnt", arguments.frame_count.value_or(1), 1));
    return parse_request(arguments);
}

} // namespace

VideoJob read_score_options(const py::dict &options) {
    Given given(options);
    RequestArguments arguments;
    take_videos(given, arguments);
    take_pairing(given, arguments);
    static_cast<ScoringArguments &>(arguments) = take_scoring(given);
    const ExecutionOptions execution = take_execution(given);
    std::string hwaccel = "none";
    given.take("hwaccel", hwaccel);
    given.finish();
    value_or_raise(check_choice("hwaccel", hwaccel, hardware_decoding_names()));
    VideoJob job{value_or_raise(parse(arguments)), arguments};
    job.videos.hwaccel = hardware_decoding_named(hwaccel);
    job.execution = execution;
    job.videos.readers = readers_of(job.scoring);
    return job;
}

} // namespace isovmaf::python
