// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/describe_command.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device/backend_names.hpp"
#include "features/registry.hpp"
#include "isovmaf/isovmaf.hpp"
#include "model/model_choice.hpp"
#include "simd/level.hpp"

namespace isovmaf::tool {

namespace {

/// Descriptions of the option's checks: see option_checks.hpp.
std::vector<std::string> check_texts(CLI::Option &option) {
    std::vector<std::string> texts;
    try {
        for (int i = 0;; i++)
            if (const std::string text = option.get_validator(i)->get_description(); !text.empty())
                texts.push_back(text);
    } catch (const CLI::OptionNotFound &) { // how CLI11 ends the list
    }
    return texts;
}

std::vector<std::string> split_choices(const std::string &text) {
    std::vector<std::string> choices(1);
    for (const char c : text)
        if (c == ',')
            choices.emplace_back();
        else if (c != '{' && c != '}')
            choices.back() += c;
    return choices;
}

/// The names of other options, which CLI11 keeps in the order of their addresses.
std::vector<std::string> names_of(const std::set<CLI::Option *> &options) {
    std::vector<std::string> names;
    for (const CLI::Option *option : options)
        names.push_back(option->get_name());
    std::ranges::sort(names);
    return names;
}

/// What stands in brackets behind the help: what the value may be, and options that belong to this one or do not.
std::vector<std::string> describe_rules(CLI::Option &option) {
    std::vector<std::string> rules;
    for (const std::string &text : check_texts(option))
        if (!text.starts_with('{'))
            rules.push_back(text);
    if (!option.get_default_str().empty())
        rules.push_back("default: " + option.get_default_str());
    for (const std::string &name : names_of(option.get_needs()))
        rules.push_back("with " + name);
    for (const std::string &name : names_of(option.get_excludes()))
        rules.push_back("not with " + name);
    return rules;
}

std::vector<std::string> feature_names() {
    std::vector<std::string> names;
    for (const FeatureDescriptor *const feature : all_features())
        names.emplace_back(feature->name);
    return names;
}

/// The plugins are those that isovmaf has: which of them a machine has is not known when completions are generated.
std::vector<std::string> backend_names() {
    return {
        std::string(auto_backend), std::string(cpu_backend), std::string(definition_backend), "hip", "cuda", "vulkan"};
}

/// All levels: completions may be generated on another processor.
std::vector<std::string> level_names() {
    std::vector<std::string> names{"auto"};
    for (int level = 0; level <= static_cast<int>(CpuLevel::sve); level++)
        names.emplace_back(cpu_level_name(static_cast<CpuLevel>(level)));
    return names;
}

/// Values that a shell's completion offers for a long option, without its dashes. The option takes others too. Empty
/// for an option whose values have no list.
std::vector<std::string> suggested_values(std::string_view option) {
    if (option == "model") {
        std::vector<std::string> versions; // a model may be named without version=
        for (const ModelPurpose &model : model_purposes())
            versions.emplace_back(model.version);
        return versions;
    }
    if (option == "feature")
        return feature_names();
    if (option == "backend")
        return backend_names();
    if (option == "cpu")
        return level_names();
    return {};
}

reference::OptionText describe_option(CLI::Option &option) {
    reference::OptionText text;
    for (const std::string &letter : option.get_snames())
        text.names.push_back("-" + letter);
    for (const std::string &name : option.get_lnames())
        text.names.push_back("--" + name);
    text.help = option.get_description();
    if (const std::vector<std::string> rules = describe_rules(option); !rules.empty())
        text.help += fmt::format(" ({})", fmt::join(rules, "; "));
    if (option.get_items_expected_max() == 0)
        return text;
    text.value = value_name(option);
    for (const std::string &check : check_texts(option))
        if (check.starts_with('{'))
            text.choices = split_choices(check);
    if (!option.get_lnames().empty())
        text.suggestions = suggested_values(option.get_lnames().front());
    text.takes_file = text.value == "FILE" || text.value == "FOLDER";
    return text;
}

/// "isovmaf batch merge [OPTION]... FOLDER..."
std::string usage_of(CLI::App &command) {
    std::string text = full_name(command);
    if (command.get_require_subcommand_min() > 0)
        return text + " COMMAND [OPTION]...";
    text += " [OPTION]...";
    for (CLI::Option *const option : command.get_options())
        if (option->get_positional()) {
            const bool several = option->get_items_expected_max() > 1;
            const std::string form = value_name(*option) + (several ? "..." : "");
            text += option->get_required() ? ' ' + form : fmt::format(" [{}]", form);
        }
    return text;
}

/// The sections of the manual page that no option says.
std::vector<reference::ManualSection> manual_sections() {
    return {
        {"EXIT STATUS",
         {{"0", "Done: every score, report and table that was asked for is written. diff: everything is equal."},
          {"1", "The command failed, and one sentence says why. diff: something differs."},
          {"2", "The command line is wrong. diff: also when the comparison could not run."},
          {"3", "diff: a side of the comparison ran no kernel on its device."},
          {"4", "score: done, but a score is below a limit, such as that of --min-mean or --not-below."},
          {"65", "batch, rescore: done, but some rows have no scores and would fail again."},
          {"69", "batch: a device, its driver or its plugin cannot be used on this machine."},
          {"75", "batch, rescore: run the command again: rows failed that may succeed then, or are not done yet."},
          {"130", "Stopped by a signal."}}},
        {"ENVIRONMENT",
         {{"ISOVMAF_BACKEND_DIR",
           "Folders that are searched for backend plugins, with colons between them, in place of "
           "the installed one; --backend-dir goes before it."},
          {"ISOVMAF_HOST", "The name of this host in the stores of a batch, in place of its own."},
          {"COLUMNS", "The width of the lines of --help, in place of that of the terminal."},
          {"TERM, NO_COLOR",
           "Without TERM, with TERM=dumb, and with NO_COLOR that is not empty, terminals get no escape "
           "sequences."}}},
        {"FILES",
         {{"NAME.partial", "The report of a run that was interrupted, beside the report NAME, which stays as it was."},
          {"share/doc/isovmaf",
           "The licence, README.md, and in docs the pages that help and messages name; below the prefix."},
          {"share/isovmaf/report.schema.json", "The schema of JSON reports, below the prefix."},
          {"libvmaf_*.so", "Backend plugins, in the folder that isovmaf backends names."},
          {"/tmp/isovmaf-UID", "Locks of the units that batches of this host have in work."}}},
        {"EXAMPLES",
         {{"isovmaf score ref.mkv dis.mkv", "Prints VMAF and its features."},
          {"isovmaf score ref.mkv a.mkv b.mkv -o '{stem}.json'",
           "Compares two encodes in one table, and writes a.json and b.json."},
          {"isovmaf score -r ref.yuv -d dis.yuv -w 1920 -h 1080 -p 420 -b 8 -q", "Prints one number, of raw video."},
          {"isovmaf score ref.mkv dis.mkv -m version=vmaf_4k_v0.6.1 --html report.html",
           "Scores with the model for 4K screens, and writes a page with charts and the worst frames."},
          {"isovmaf score ref.mkv dis.mkv --min-mean 93 --strict",
           "For CI: ends with 4 when the mean of VMAF is below 93, and with 1 on a warning about the videos."},
          {"isovmaf score ref.mkv dis.mkv --not-below base.json:0.5 --junit limits.xml",
           "For CI: ends with 4 when VMAF is more than 0.5 below that of the report base.json."},
          {"isovmaf batch pairs.csv --run results", "Scores the pairs of a manifest; the same command continues."},
          {"isovmaf diff --backends cpu-ref,hip --devices all",
           "Compares GPUs with the definitions, to the last bit."}}},
    };
}

} // namespace

std::string full_name(const CLI::App &command) {
    return command.get_parent() == nullptr ? command.get_name()
                                           : full_name(*command.get_parent()) + " " + command.get_name();
}

CLI::App &asked_command(CLI::App &app) {
    const std::vector<CLI::App *> nested = app.get_subcommands();
    return nested.empty() ? app : asked_command(*nested.back());
}

std::string value_name(CLI::Option &option) {
    std::string name = option.get_type_name();
    for (const std::string &check : check_texts(option)) // which CLI11 puts behind the name and a colon
        name.resize(name.size() - check.size() - 1);
    return name;
}

reference::CommandText describe_command(CLI::App &command) {
    reference::CommandText text{
        command.get_name(), command.get_description(), usage_of(command), {}, command.get_footer(), {}};
    for (CLI::Option *const option : command.get_options()) {
        const std::string &heading = option->get_group();
        if (heading.empty()) // a hidden option
            continue;
        auto group = std::ranges::find(text.groups, heading, &reference::OptionGroup::heading);
        if (group == text.groups.end())
            group = text.groups.insert(group, {heading, {}});
        group->options.push_back(describe_option(*option));
    }
    for (CLI::App *const nested : command.get_subcommands([](const CLI::App *) { return true; }))
        if (!nested->get_group().empty())
            text.commands.push_back(describe_command(*nested));
    return text;
}

reference::ProgramText describe_program(CLI::App &app) {
    return {std::string(version()), describe_command(app), manual_sections()};
}

} // namespace isovmaf::tool
