// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_request.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "request/option_table.hpp"

namespace isovmaf::tool {

namespace {

ReportFormat report_format(const ScoreArguments &arguments) {
    if (arguments.json)
        return ReportFormat::json;
    if (arguments.csv)
        return ReportFormat::csv;
    if (arguments.sub)
        return ReportFormat::sub;
    if (arguments.xml)
        return ReportFormat::xml;
    const std::string extension = std::filesystem::path(arguments.output.value_or("")).extension();
    if (extension == ".json")
        return ReportFormat::json;
    if (extension == ".csv")
        return ReportFormat::csv;
    return extension == ".sub" ? ReportFormat::sub : ReportFormat::xml;
}

bool format_given(const ScoreArguments &arguments) {
    return arguments.json || arguments.xml || arguments.csv || arguments.sub;
}

/// libvmaf's masks: that of CPUs is only checked, and that of GPUs limits `auto`.
Result<std::string> chosen_backend(const ScoreArguments &arguments) {
    TRY(parse_bit_mask("--cpumask", arguments.cpu_mask));
    const bool no_gpu = TRY(parse_bit_mask("--gpumask", arguments.gpu_mask)) != 0;
    return no_gpu && arguments.backend == "auto" ? "cpu" : arguments.backend;
}

} // namespace

Result<ScoreRequest> parse_arguments(const ScoreArguments &arguments) {
    if (arguments.json + arguments.xml + arguments.csv + arguments.sub > 1)
        return fail(ErrorCode::invalid_argument, "a report has one format: give one of --json, --xml, --csv and --sub");
    if (arguments.output && arguments.output->empty())
        return fail(ErrorCode::invalid_argument, "--output \"\" names no file: give a name, or - for standard output");
    const std::optional<std::string> output =
        arguments.output || !format_given(arguments) ? arguments.output : std::optional<std::string>("-");
    if (arguments.output && !format_given(arguments) && std::filesystem::path(*arguments.output).extension() == ".html")
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--output writes JSON, XML, CSV or SUB; for a page, give --html {}",
                                quote_for_shell(*arguments.output)));
    if (arguments.html && arguments.html->empty())
        return fail(ErrorCode::invalid_argument, "--html \"\" names no file: give a name, or - for standard output");
    const bool printed =
        (output && names_standard_output(*output)) || (arguments.html && names_standard_output(*arguments.html));
    if (arguments.worst > 0 && (arguments.quiet || printed))
        return fail(ErrorCode::invalid_argument,
                    "--worst prints a list, but with --quiet, or with the report on standard output, nothing else is "
                    "printed: leave one of them out");
    ScoreRequest job{TRY(parse_request(arguments)), output, report_format(arguments), precision_of(arguments.precision),
                     TRY(parse_limits(arguments.limits))};
    job.execution = {.backend = TRY(chosen_backend(arguments)),
                     .device = arguments.device,
                     .backend_folders = arguments.backend_folders,
                     .threads = arguments.threads,
                     .cpu_level = arguments.cpu_level,
                     .frames_in_flight = arguments.frames_in_flight,
                     .device_timing = arguments.timing || arguments.verbose};
    return job;
}

} // namespace isovmaf::tool
