// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <CLI/CLI.hpp>

#include "tools/isovmaf/sync_arguments.hpp"

namespace isovmaf::tool {

namespace {

constexpr const char *time_group = "Time";

} // namespace

void declare_pairing(CLI::App &command, SyncArguments &arguments) {
    std::vector<std::string> modes;
    for (const auto &[name, mode] : sync_modes)
        modes.emplace_back(name);
    command
        .add_option("--sync", arguments.sync,
                    "Which frames are a pair. index: frame n and frame n; pts: frames with the same presentation time, "
                    "from the first frame of each video; pts-absolute: the same with the times that the files state; "
                    "auto: pts when the frame rates differ, else index")
        ->check(CLI::IsMember(modes))
        ->type_name("MODE")
        ->capture_default_str()
        ->group(time_group);
    command
        .add_option("--sync-tolerance", arguments.sync_tolerance,
                    "By how much the presentation times of a pair may differ (default: half the shorter frame)")
        ->check(CLI::Range(0.0, 3600.0))
        ->type_name("SECONDS")
        ->group(time_group);
    command
        .add_option("--offset", arguments.offset,
                    "Pair reference frame n with distorted frame n + N: the distorted video is N frames late; N may be "
                    "negative")
        ->check(CLI::Range(-1'000'000'000, 1'000'000'000))
        ->type_name("N")
        ->capture_default_str()
        ->group(time_group);
}

void declare_sync(CLI::App &command, SyncArguments &arguments) {
    declare_pairing(command, arguments);
    command
        .add_flag(
            "--align", arguments.align,
            "Say at which offset the videos fit, and the mean score of 40 sampled frames there; without it there is "
            "a hint, from small pictures, when another offset clearly fits better. No offset is applied by itself")
        ->group(time_group);
    command.add_option("--align-range", arguments.align_range, "Largest offset that is looked for, in frames")
        ->check(CLI::Range(1, 1000))
        ->type_name("N")
        ->capture_default_str()
        ->group(time_group);
}

} // namespace isovmaf::tool
