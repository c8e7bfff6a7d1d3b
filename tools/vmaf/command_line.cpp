// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <getopt.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "tools/vmaf/options.hpp"

namespace isovmaf::vmaf {

namespace {

constexpr int first_long_option = 256; // behind all letters

/// The table in the form that getopt_long takes.
struct GetoptTable {
    std::string letters = ":"; // a missing value is told apart from an unknown option
    std::vector<option> names;

    GetoptTable() {
        for (const CommandOption &spec : command_options()) {
            const int number = first_long_option + static_cast<int>(names.size());
            names.push_back({spec.name, spec.value ? required_argument : no_argument, nullptr, number});
            if (spec.letter)
                letters += spec.letter + std::string(spec.value ? ":" : "");
        }
        names.push_back({});
    }
};

const CommandOption &spec_of(int number) {
    const std::span<const CommandOption> specs = command_options();
    if (number >= first_long_option)
        return specs[static_cast<std::size_t>(number - first_long_option)];
    return *std::ranges::find(specs, static_cast<char>(number), &CommandOption::letter);
}

/// Why getopt_long refuses `argument`, which it has just read.
std::string describe_unknown(const std::string &argument) {
    if (optopt >= first_long_option)
        return fmt::format("--{} takes no value", spec_of(optopt).name);
    if (optopt != 0)
        return fmt::format("unknown option -{}", static_cast<char>(optopt));
    std::vector<std::string> matches;
    for (const CommandOption &spec : command_options())
        if (std::string_view(spec.name).starts_with(argument.substr(2, argument.find('=') - 2)))
            matches.push_back(fmt::format("--{}", spec.name));
    return matches.empty() ? fmt::format("unknown option {}", quote(argument))
                           : fmt::format("{} may mean {}", quote(argument), fmt::join(matches, " or "));
}

Result<void> complete(Options &options) {
    const auto refuse = [](const char *sentence) { return fail(ErrorCode::invalid_argument, sentence); };
    if (options.videos.reference.empty())
        return refuse("no reference video: give one with --reference");
    if (options.videos.distorted.empty())
        return refuse("no distorted video: give one with --distorted");
    if (options.write_output && options.output.empty())
        return refuse("--output takes the name of a file, not \"\"");
    const VideoArguments &videos = options.videos;
    const int stated = videos.width.has_value() + videos.height.has_value() + videos.pixel_format.has_value() +
                       videos.bit_depth.has_value();
    if (stated != 0 && stated != 4)
        return refuse("raw video needs all of --width, --height, --pixel_format and --bitdepth");
    options.videos.allow_partial = true; // libvmaf's program ends before a frame that is cut short
    options.request = TRY(parse_videos(options.videos));
    options.request.colours = ColourPolicy::warn; // it scores the samples as they are
    options.request.predicts = !options.no_prediction;
    if (options.models.empty() && !options.no_prediction)
        options.models.emplace_back();
    options.request.bits_added = BitsAdded::by_shift; // libvmaf's program does the same
    return {};
}

} // namespace

Result<Options> parse_command_line(const std::vector<std::string> &arguments) {
    std::vector<std::string> words{"vmaf"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char *> argv;
    for (std::string &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    const GetoptTable table;
    const auto refuse = [](std::string sentence) {
        return fail(ErrorCode::invalid_argument, sentence + "; `vmaf --help` lists the options");
    };
    Options options;
    optind = 0; // getopt_long starts anew
    opterr = 0;
    const auto read_option = [&] {
        return getopt_long(static_cast<int>(words.size()), argv.data(), table.letters.c_str(), table.names.data(),
                           nullptr);
    };
    for (int number = read_option(); number != -1; number = read_option()) {
        const std::string argument = argv[static_cast<std::size_t>(optind - 1)];
        if (number == ':')
            return refuse(fmt::format("--{} needs a value", spec_of(optopt).name));
        if (number == '?' && argument == "--help") { // no entry of the table: --h and --he stay short for --height
            options.show_help = true;
            return options;
        }
        if (number == '?')
            return refuse(describe_unknown(argument));
        TRY(spec_of(number).take(options, optarg ? optarg : ""));
        if (options.show_version)
            return options;
    }
    options.ignored.assign(argv.begin() + optind, argv.end() - 1);
    TRY(complete(options));
    return options;
}

namespace {

constexpr std::size_t help_column = 28, line_width = 80;

/// Appends `words` to `text`, whose last line is `column` wide. Lines break before line_width and start at help_column.
void append_wrapped(std::string &text, std::string_view words, std::size_t column) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (column > help_column && column + 1 + end > line_width) {
            text.append(1, '\n').append(help_column, ' ');
            column = help_column;
        }
        if (column > help_column) {
            text += ' ';
            column++;
        }
        text += words.substr(0, end);
        column += end;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    text += '\n';
}

std::string usage_of(const CommandOption &option) {
    const std::string letter = option.letter ? fmt::format("-{}, ", option.letter) : "    ";
    return fmt::format("  {}--{}{}{}", letter, option.name, option.value ? " " : "", option.value ? option.value : "");
}

} // namespace

std::string help_text() {
    std::string text =
        fmt::format("Usage: vmaf --reference PATH --distorted PATH [OPTION]...\nvmaf: {}.\n\n", program_summary);
    for (const CommandOption &option : command_options()) {
        std::string usage = usage_of(option);
        usage.resize(std::max(usage.size() + 1, help_column), ' ');
        if (usage.size() > help_column)
            usage += '\n' + std::string(help_column, ' ');
        text += usage;
        append_wrapped(text, option.help, help_column);
    }
    text += fmt::format("\n{}\n", exit_codes_text);
    return text;
}

} // namespace isovmaf::vmaf
