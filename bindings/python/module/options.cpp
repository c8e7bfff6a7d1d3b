// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "options.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"
#include "errors.hpp"
#include "frame/validate.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

/// The options that no reader has taken yet.
class Given {
  public:
    explicit Given(const py::dict &options) : options_(options.attr("copy")()) {}

    /// Sets `value` when the option is given.
    template <class T>
    void take(const char *name, T &value) {
        if (!options_.contains(name))
            return;
        const py::object given = options_[name];
        try {
            value = given.cast<T>();
        } catch (const py::cast_error &) {
            throw py::type_error(fmt::format("{}={} has the wrong type ({}): see help(isovmaf.score)", name,
                                             py::repr(given).cast<std::string>(),
                                             py::type::handle_of(given).attr("__name__").cast<std::string>()));
        }
        options_.attr("pop")(name);
    }

    /// After the last `take`.
    void finish() const {
        if (!options_.empty())
            throw py::type_error(
                fmt::format("there is no option {}", py::repr(options_.begin()->first).cast<std::string>()));
    }

  private:
    py::dict options_;
};

Result<void> check_choice(const char *option, const std::string &given, const std::vector<std::string> &choices) {
    if (std::ranges::find(choices, given) != choices.end())
        return {};
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}=\"{}\" is not known: give one of {}", option, given, fmt::join(choices, ", ")));
}

Result<void> check_least(const char *option, std::int64_t given, std::int64_t least) {
    if (given >= least)
        return {};
    return fail(ErrorCode::invalid_argument, fmt::format("{}={} is too small: give {} or more", option, given, least));
}

std::vector<std::string> sync_names() {
    std::vector<std::string> names;
    for (const auto &[name, mode] : sync_modes)
        names.emplace_back(name);
    return names;
}

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
    given.take("convert", arguments.conversions);
}

void take_pairing(Given &given, SyncArguments &arguments) {
    given.take("sync", arguments.sync);
    given.take("sync_tolerance", arguments.sync_tolerance);
    given.take("offset", arguments.offset);
}

Result<VideoRequest> parse(const VideoArguments &arguments, const SyncArguments &pairing) {
    if (arguments.pixel_format)
        TRY(check_choice("chroma", *arguments.pixel_format, pixel_format_names()));
    TRY(check_choice("sync", pairing.sync, sync_names()));
    TRY(check_least("frame_skip_ref", arguments.skip_reference, 0));
    TRY(check_least("frame_skip_dis", arguments.skip_distorted, 0));
    TRY(check_least("frame_cnt", arguments.frame_count.value_or(1), 1));
    VideoRequest request = TRY(parse_videos(arguments));
    TRY(apply_sync(pairing, request.pair));
    return request;
}

ScoringOptions take_scoring(Given &given) {
    ScoringArguments arguments;
    given.take("models", arguments.models);
    given.take("model_dir", arguments.model_folders);
    given.take("features", arguments.features);
    given.take("no_prediction", arguments.no_prediction);
    given.take("subsample", arguments.subsample);
    given.take("compat", arguments.compat);
    value_or_raise(check_choice("compat", arguments.compat, semantics_names()));
    return value_or_raise(parse_scoring(arguments));
}

ExecutionOptions take_execution(Given &given) {
    ExecutionOptions options{.backend = "auto"};
    given.take("backend", options.backend);
    given.take("device", options.device);
    given.take("backend_dir", options.backend_folders);
    given.take("frames_in_flight", options.frames_in_flight);
    given.take("threads", options.threads);
    given.take("cpu", options.cpu_level);
    return options;
}

} // namespace

PairJob read_score_options(const py::dict &options) {
    Given given(options);
    VideoArguments videos;
    SyncArguments pairing;
    take_videos(given, videos);
    take_pairing(given, pairing);
    PairJob job{value_or_raise(parse(videos, pairing)), take_scoring(given), take_execution(given)};
    given.finish();
    job.videos.predicts = !job.scoring.models.empty();
    job.videos.chroma_readers = chroma_readers_of(job.scoring);
    return job;
}

SessionOptions read_session_options(const py::dict &options) {
    Given given(options);
    VideoFormat format;
    std::string chroma = "420";
    given.take("width", format.width);
    given.take("height", format.height);
    given.take("bit_depth", format.bit_depth);
    given.take("chroma", chroma);
    value_or_raise(check_choice("chroma", chroma, pixel_format_names()));
    format.chroma = chroma_named(chroma);
    SessionOptions session{format, take_scoring(given), take_execution(given)};
    given.finish();
    return session;
}

} // namespace isovmaf::python
