// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "options.hpp"

#include <algorithm>
#include <variant>

#include <fmt/ranges.h>

#include "errors.hpp"
#include "execution/execution.hpp"
#include "frame/validate.hpp"

namespace py = pybind11;

namespace isovmaf::python {

void Given::finish() const {
    if (!options_.empty())
        throw py::type_error(
            fmt::format("there is no option {}", py::repr(options_.begin()->first).cast<std::string>()));
}

void Given::raise_wrong_type(const char *name, const py::object &given) {
    throw py::type_error(fmt::format("{}={} has the wrong type ({}): see the help of the function", name,
                                     py::repr(given).cast<std::string>(),
                                     py::type::handle_of(given).attr("__name__").cast<std::string>()));
}

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

std::vector<std::string> chroma_codes() {
    std::vector<std::string> codes;
    for (const Chroma chroma : all_chromas)
        codes.emplace_back(chroma_code(chroma));
    return codes;
}

ScoringArguments take_scoring(Given &given) {
    ScoringArguments arguments;
    given.take("models", arguments.models);
    given.take("model_dir", arguments.model_folders);
    given.take("features", arguments.features);
    given.take("no_prediction", arguments.no_prediction);
    given.take("subsample", arguments.subsample);
    given.take("compat", arguments.compat);
    value_or_raise(check_choice("compat", arguments.compat, semantics_names()));
    return arguments;
}

ExecutionOptions take_execution(Given &given) {
    ExecutionOptions options{.backend = "auto"};
    given.take("backend", options.backend);
    std::variant<std::string, int, std::vector<int>> device; // as on the command line, a number, or several
    given.take("device", device);
    const auto *const text = std::get_if<std::string>(&device);
    const auto *const number = std::get_if<int>(&device);
    value_or_raise(read_devices("device",
                                text     ? *text
                                : number ? std::to_string(*number)
                                         : fmt::format("{}", fmt::join(std::get<std::vector<int>>(device), ",")),
                                options));
    given.take("backend_dir", options.backend_folders);
    given.take("frames_in_flight", options.frames_in_flight);
    given.take("threads", options.threads);
    given.take("cpu", options.cpu_level);
    return options;
}

FramesRequest read_session_options(const py::dict &options) {
    Given given(options);
    VideoFormat format;
    std::string chroma = "420";
    given.take("width", format.width);
    given.take("height", format.height);
    given.take("bit_depth", format.bit_depth);
    given.take("chroma", chroma);
    value_or_raise(check_choice("chroma", chroma, chroma_codes()));
    format.chroma = find_chroma(chroma).value();
    FramesRequest request{{format, {}, {}}, take_scoring(given)};
    request.options.execution = take_execution(given);
    given.finish();
    request.options.scoring = value_or_raise(parse_scoring(request.asked));
    return request;
}

} // namespace isovmaf::python
