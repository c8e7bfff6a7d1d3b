// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/sync_arguments.hpp"

#include <algorithm>

namespace isovmaf {

namespace {

constexpr RequestOption<SyncArguments> pairing_table[] = {
    {{"--sync",
      "MODE",
      "Which frames are a pair. index: frame n and frame n; pts: frames with the same presentation time, from the "
      "first "
      "frame of each video; pts-absolute: the same with the times that the files state; auto: pts when the frame rates "
      "differ, else index",
      {},
      sync_mode_names},
     &SyncArguments::sync},
    {{"--sync-tolerance", "SECONDS",
      "Largest difference between the presentation times of a pair (default: half the duration of the shorter frame)",
      NumberRange{0, 3600}},
     &SyncArguments::sync_tolerance},
    {{"--offset", "N",
      "Pair reference frame n with distorted frame n + N: the distorted video is N frames late; N may be negative",
      NumberRange{-1'000'000'000, 1'000'000'000}},
     &SyncArguments::offset},
};

} // namespace

std::vector<std::string> sync_mode_names() {
    std::vector<std::string> names;
    for (const auto &[name, mode] : sync_modes)
        names.emplace_back(name);
    return names;
}

std::span<const RequestOption<SyncArguments>> pairing_options() { return pairing_table; }

void add_offset(std::int64_t offset, PairOptions &options) {
    options.skip_distorted += std::max<std::int64_t>(offset, 0);
    options.skip_reference += std::max<std::int64_t>(-offset, 0);
}

Result<void> apply_sync(const SyncArguments &arguments, PairOptions &options) {
    options.sync = {
        std::ranges::find(sync_modes, arguments.sync, &std::pair<std::string_view, SyncMode>::first)->second,
        arguments.sync_tolerance};
    if (arguments.sync_tolerance && options.sync.mode == SyncMode::index)
        return fail(ErrorCode::invalid_argument,
                    "--sync index pairs by number: give --sync-tolerance with --sync pts or pts-absolute");
    add_offset(arguments.offset, options);
    return {};
}

} // namespace isovmaf
