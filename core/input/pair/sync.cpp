// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/sync.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace isovmaf {

namespace {

/// Containers round rates by less; 24 and 24000/1001 differ by twice as much.
constexpr double relative_rate_tolerance = 0.0005;

std::optional<double> rate_of(const SourceInfo &info) {
    const auto &rate = info.timing.average_rate;
    return rate && rate->value() > 0 ? std::optional(rate->value()) : std::nullopt;
}

std::string rate_sentence(const SourceInfo &reference, const SourceInfo &distorted, SyncMode mode) {
    const bool by_time = resolve_sync(mode, reference, distorted) != SyncMode::index;
    return fmt::format("reference {} has {:.6g} frames per second, distorted {} has {:.6g}: {}",
                       display_name(reference.name), *rate_of(reference), display_name(distorted.name),
                       *rate_of(distorted),
                       by_time ? "frames are paired by presentation time (--sync pts); use --sync index if both videos "
                                 "hold the same frames"
                               : "frame n is paired with frame n; use --sync pts to pair frames by presentation time");
}

std::string start_sentence(const SourceInfo &reference, const SourceInfo &distorted) {
    return fmt::format("reference {} starts at {:.3f} s, distorted {} at {:.3f} s: their first frames are paired; use "
                       "--sync pts-absolute if the times are right, or --offset",
                       display_name(reference.name), *reference.timing.start_seconds, display_name(distorted.name),
                       *distorted.timing.start_seconds);
}

} // namespace

std::string_view sync_mode_name(SyncMode mode) {
    return std::ranges::find(sync_modes, mode, &std::pair<std::string_view, SyncMode>::second)->first;
}

bool rates_differ(const SourceInfo &reference, const SourceInfo &distorted) {
    const auto r = rate_of(reference), d = rate_of(distorted);
    return r && d && std::abs(*r - *d) > relative_rate_tolerance * std::max(*r, *d);
}

SyncMode resolve_sync(SyncMode mode, const SourceInfo &reference, const SourceInfo &distorted) {
    if (mode != SyncMode::automatic)
        return mode;
    return rates_differ(reference, distorted) ? SyncMode::pts : SyncMode::index;
}

std::optional<double> half_frame_seconds(const SourceInfo &reference, const SourceInfo &distorted) {
    const double fastest = std::max(rate_of(reference).value_or(0), rate_of(distorted).value_or(0));
    return fastest > 0 ? std::optional(0.5 / fastest) : std::nullopt;
}

std::vector<std::string> timing_differences(const SourceInfo &reference, const SourceInfo &distorted, SyncMode mode) {
    std::vector<std::string> sentences;
    const bool by_request = mode == SyncMode::pts || mode == SyncMode::pts_absolute;
    if (rates_differ(reference, distorted) && !by_request)
        sentences.push_back(rate_sentence(reference, distorted, mode));
    const auto tolerance = half_frame_seconds(reference, distorted);
    const auto r = reference.timing.start_seconds, d = distorted.timing.start_seconds;
    if (mode != SyncMode::pts_absolute && r && d && tolerance && std::abs(*r - *d) > *tolerance)
        sentences.push_back(start_sentence(reference, distorted));
    return sentences;
}

} // namespace isovmaf
