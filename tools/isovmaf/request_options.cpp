// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/request_options.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "run/decoding.hpp"
#include "tools/isovmaf/option_checks.hpp"

namespace isovmaf::tool {

namespace {

std::string describe_purpose(const OptionRule &rule) {
    return rule.meanings == nullptr ? std::string(rule.help) : fmt::format("{}. {}", rule.help, rule.meanings());
}

/// The values that an option takes, as option_checks.hpp describes them.
std::string describe_values(const OptionRule &rule) {
    if (rule.choices != nullptr)
        return fmt::format("{{{}}}", fmt::join(rule.choices(), ","));
    if (!rule.range)
        return {};
    return rule.range->most ? fmt::format("{:.0f} to {:.0f}", rule.range->least, *rule.range->most)
                            : fmt::format("{:.0f} or more", rule.range->least);
}

/// What the help shows as the default; empty for nothing.
template <class Value>
std::string describe_default(const Value &value) {
    if constexpr (std::is_same_v<Value, int> || std::is_same_v<Value, std::int64_t> ||
                  std::is_same_v<Value, std::string>)
        return fmt::format("{}", value);
    else if constexpr (std::is_same_v<Value, NumberOrAuto>)
        return fmt::format("{}", value.number);
    else
        return {};
}

/// Declares an option. The option's own table reads and checks the texts.
template <class Arguments>
void declare_option(CLI::App &command, Arguments &arguments, const RequestOption<Arguments> &option) {
    CLI::Option *const declared =
        command
            .add_option(std::string(option.names), CLI::callback_t([&arguments, &option](const CLI::results_t &texts) {
                            if (const Result<void> read = option.read(texts, arguments); !read)
                                throw CLI::ValidationError(read.error().message);
                            return true;
                        }),
                        describe_purpose(option))
            ->type_name(std::string(option.value_name));
    if (option.is_list()) // --feature a b, too
        declared->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args();
    if (option.is_flag()) // CLI11 gives it the text "true"
        declared->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)->expected(0);
    option.visit_value(arguments, [&](const auto &value) { declared->default_str(describe_default(value)); });
    if (const std::string values = describe_values(option); !values.empty())
        declared->check(CLI::Validator(values));
}

template <class Arguments>
void declare_table(CLI::App &command, Arguments &arguments, std::span<const RequestOption<Arguments>> options,
                   const char *heading) {
    const OptionHeading under(command, heading);
    for (const RequestOption<Arguments> &option : options)
        declare_option(command, arguments, option);
}

} // namespace

OptionHeading::OptionHeading(CLI::App &command, const char *heading)
    : command_(command), before_(command.option_defaults()->get_group()) {
    command_.option_defaults()->group(heading);
}

OptionHeading::~OptionHeading() { command_.option_defaults()->group(before_); }

void declare_scoring(CLI::App &command, ScoringArguments &arguments, const std::string &default_models) {
    declare_table(command, arguments, scoring_options(), "Scores");
    CLI::Option *const model = command.get_option("--model");
    model->description(fmt::format("{} (default: {})", model->get_description(), default_models));
}

void declare_pairing(CLI::App &command, SyncArguments &arguments) {
    declare_table(command, arguments, pairing_options(), "Time");
}

void declare_sync(CLI::App &command, SyncArguments &arguments) {
    const OptionHeading heading(command, "Time");
    declare_pairing(command, arguments);
    command.add_flag(
        "--align", arguments.align,
        "Search for the offset at which the videos fit best, and score 40 sampled frames with it. Without --align, "
        "a hint still tells when another offset clearly fits better. No offset is applied unless --offset gives it");
    command.add_option("--align-range", arguments.align_range, "Largest offset that is searched for, in frames")
        ->transform(whole_number(1, 1000))
        ->type_name("N")
        ->capture_default_str();
}

void declare_reference(CLI::App &command, std::string &reference) {
    const OptionHeading heading(command, "Input");
    command
        .add_option("-r,--reference", reference,
                    "Reference video: Y4M, raw, or anything FFmpeg reads; - is standard input")
        ->type_name("FILE");
}

void declare_videos(CLI::App &command, VideoArguments &arguments) {
    const OptionHeading heading(command, "Input");
    declare_reference(command, arguments.reference);
    command.add_option("-d,--distorted", arguments.distorted, "Distorted video, in the same formats")
        ->type_name("FILE");
    declare_reading(command, arguments);
}

void declare_reading(CLI::App &command, VideoArguments &arguments) {
    declare_table(command, arguments, reading_options(), "Input");
}

void declare_crop(CLI::App &command, VideoArguments &arguments) {
    declare_table(command, arguments, crop_options(), "Input");
}

void declare_backend_name(CLI::App &command, std::string &backend) {
    command
        .add_option(
            "--backend", backend,
            "Where to compute: a plugin's name (see isovmaf backends); cpu; cpu-ref: the definitions, on the CPU; "
            "NAME,cpu: the CPU computes what the plugin has no kernels for; auto: the same with the first GPU, or cpu")
        ->capture_default_str();
}

void declare_backend(CLI::App &command, std::string &backend, std::optional<int> &device) {
    declare_backend_name(command, backend);
    command.add_option("--device", device, "Number of the backend's device (default: the first that works)")
        ->transform(whole_number(0))
        ->type_name("N");
}

void declare_backend_folders(CLI::App &command, std::vector<std::string> &folders) {
    command
        .add_option("--backend-dir", folders,
                    "Folder searched for plugins, in place of ISOVMAF_BACKEND_DIR and the default; may be repeated")
        ->type_name("FOLDER")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void declare_cpu_level(CLI::App &command, std::string &level) {
    command
        .add_option("--cpu", level,
                    "Newest instruction set that code for the CPU may use: auto (the newest that the processor has), "
                    "scalar (definitions), sse4, avx2, avx512, neon or sve; never changes a score")
        ->type_name("LEVEL")
        ->capture_default_str();
}

void declare_threads(CLI::App &command, int &threads) {
    command
        .add_option(
            "--threads", threads,
            "Threads of the CPU, 0: one for each processor that the process may use, within the CPU quota of its "
            "container or job; never changes a score")
        ->transform(whole_number(0, 1024))
        ->capture_default_str();
}

void declare_hwaccel(CLI::App &command, std::string &hwaccel) {
    command
        .add_option("--hwaccel", hwaccel,
                    "Who decodes coded video. none: the CPU; cuda: the decoder of the NVIDIA GPU that computes "
                    "(--backend cuda), or an error; auto: the decoder of the device that computes if it can, else the "
                    "CPU. What decodes never changes a score of a sound file; a device does not report damage inside a "
                    "picture, the CPU does")
        ->transform(one_of(hardware_decoding_names()))
        ->capture_default_str();
}

void declare_row_options(CLI::App &command, RequestArguments &arguments) {
    declare_reading(command, arguments);
    declare_crop(command, arguments);
    declare_pairing(command, arguments);
    declare_scoring(command, arguments, "version=" + ModelRequest{}.version);
}

batch::ManifestColumns manifest_columns() {
    batch::ManifestColumns columns{{"label", "bit_rate"}, {}};
    for (const RequestOptionName &option : request_option_names()) {
        columns.known.insert(option.name);
        if (option.is_list)
            columns.lists.insert(option.name);
    }
    return columns;
}

batch::Fields given_row_options(const CLI::App &command) {
    batch::Fields fields;
    for (const RequestOptionName &option : request_option_names()) {
        const CLI::Option *const given = command.get_option_no_throw("--" + option.name);
        if (given != nullptr && given->count() > 0)
            fields[option.name] = given->results();
    }
    return fields;
}

} // namespace isovmaf::tool
