// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/sync.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf {

namespace {

/// Containers round rates by less; 24 and 24000/1001 differ by twice as much.
constexpr double relative_rate_tolerance = 0.0005;
constexpr double variable_rate_tolerance = 0.05;
/// 24000/1001 and 25 are 4.1 % apart.
constexpr double most_retiming = 0.05;

std::optional<double> rate_of(const SourceInfo &info) {
    const auto &rate = info.timing.average_rate;
    return rate && rate->value() > 0 ? std::optional(rate->value()) : std::nullopt;
}

/// "25 frames per second"
std::string rate_text(const SourceInfo &info) {
    return fmt::format("{:.6g} frame{} per second{}", *rate_of(info), *rate_of(info) == 1 ? "" : "s",
                       info.timing.variable ? " on average, at varying distances" : "");
}

/// "reference a has 24 frames per second, distorted b has 25 frames per second"
std::string both_rates_text(const SourceInfo &reference, const SourceInfo &distorted) {
    return fmt::format("reference {} has {}, distorted {} has {}", display_name(reference.name), rate_text(reference),
                       display_name(distorted.name), rate_text(distorted));
}

} // namespace

std::string_view sync_mode_name(SyncMode mode) {
    return std::ranges::find(sync_modes, mode, &std::pair<std::string_view, SyncMode>::second)->first;
}

bool rates_differ(const SourceInfo &reference, const SourceInfo &distorted) {
    const auto r = rate_of(reference), d = rate_of(distorted);
    if (!r || !d)
        return false;
    if (reference.timing.variable != distorted.timing.variable)
        return true;
    const double tolerance = reference.timing.variable ? variable_rate_tolerance : relative_rate_tolerance;
    return std::abs(*r - *d) > tolerance * std::max(*r, *d);
}

Retiming find_retiming(const SourceInfo &reference, const SourceInfo &distorted) {
    if (!rates_differ(reference, distorted) || reference.timing.variable || distorted.timing.variable)
        return Retiming::none;
    const double r = *rate_of(reference), d = *rate_of(distorted);
    if (std::abs(r - d) > most_retiming * std::max(r, d))
        return Retiming::none;
    if (!reference.frame_count || !distorted.frame_count)
        return Retiming::assumed;
    const auto r_frames = static_cast<double>(*reference.frame_count);
    const auto d_frames = static_cast<double>(*distorted.frame_count);
    // How far apart the ends are, in frames, if pairs are made by number, and if they are made by time.
    const double by_number = std::abs(r_frames - d_frames);
    const double by_time = std::abs(r_frames / r - d_frames / d) * std::max(r, d);
    return by_number < by_time && by_number <= std::max(1.0, by_time / 4) ? Retiming::certain : Retiming::none;
}

SyncMode resolve_sync(SyncMode mode, const SourceInfo &reference, const SourceInfo &distorted) {
    if (mode != SyncMode::automatic)
        return mode;
    const bool variable = reference.timing.variable && distorted.timing.variable;
    const bool differ = rates_differ(reference, distorted) && find_retiming(reference, distorted) == Retiming::none;
    return variable || differ ? SyncMode::pts : SyncMode::index;
}

std::optional<double> half_frame_seconds(const SourceInfo &reference, const SourceInfo &distorted) {
    const double fastest = std::max(rate_of(reference).value_or(0), rate_of(distorted).value_or(0));
    return fastest > 0 ? std::optional(0.5 / fastest) : std::nullopt;
}

double rounding_seconds(double half_frame_seconds) { return std::min(0.001, half_frame_seconds / 4); }

std::optional<double> pairing_tolerance(const SourceInfo &reference, const SourceInfo &distorted) {
    const auto half_frame = half_frame_seconds(reference, distorted);
    return half_frame ? std::optional(*half_frame + rounding_seconds(*half_frame)) : std::nullopt;
}

std::string retiming_note(const SourceInfo &reference, const SourceInfo &distorted, SyncMode mode) {
    if (mode != SyncMode::automatic || find_retiming(reference, distorted) != Retiming::certain)
        return "";
    return fmt::format(
        "{}, and both have about {} frames: frame n is paired with frame n (--sync index); use --sync pts "
        "to pair frames by presentation time",
        both_rates_text(reference, distorted), *distorted.frame_count);
}

std::string rate_difference(const SourceInfo &reference, const SourceInfo &distorted, SyncMode mode) {
    if (!rates_differ(reference, distorted) || mode == SyncMode::pts || mode == SyncMode::pts_absolute ||
        !retiming_note(reference, distorted, mode).empty())
        return "";
    const bool by_time = resolve_sync(mode, reference, distorted) != SyncMode::index;
    return fmt::format("{}: {}", both_rates_text(reference, distorted),
                       by_time ? "frames are paired by presentation time (--sync pts); use --sync index if both videos "
                                 "hold the same frames"
                               : "frame n is paired with frame n; use --sync pts to pair frames by presentation time");
}

std::string start_difference(const SourceInfo &reference, const SourceInfo &distorted, SyncMode mode) {
    const auto tolerance = half_frame_seconds(reference, distorted);
    const auto r = reference.timing.start_seconds, d = distorted.timing.start_seconds;
    if (mode == SyncMode::pts_absolute || !r || !d || !tolerance || std::abs(*r - *d) <= *tolerance)
        return "";
    return fmt::format("reference {} starts at {:.3f} s, distorted {} at {:.3f} s: their first frames are paired; use "
                       "--sync pts-absolute if the times are right, or --offset",
                       display_name(reference.name), *r, display_name(distorted.name), *d);
}

TimePairing::TimePairing(Video reference, Video distorted, double tolerance_seconds, double rounding, bool absolute)
    : sides_{State{std::move(reference)}, State{std::move(distorted)}}, tolerance_(tolerance_seconds),
      rounding_(rounding), absolute_(absolute) {}

/// The time of a frame, from the video's first frame on unless `absolute_`.
double TimePairing::time_of(const State &state, const Frame &frame) { return *frame.seconds() - *state.first_seconds; }

Result<std::optional<Frame>> TimePairing::read(State &state) const {
    auto frame = TRY(state.video.read());
    if (!frame)
        return std::nullopt;
    if (!frame->seconds())
        return fail(ErrorCode::unsupported,
                    fmt::format("frame {} of {} has no presentation time, so it cannot be paired by time; use --sync "
                                "index to pair frame n with frame n",
                                state.frames, state.video.name));
    if (!state.first_seconds)
        state.first_seconds = absolute_ ? 0 : *frame->seconds();
    const double time = time_of(state, *frame);
    if (state.frames > 0 && time <= state.last_seconds)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("frame {} of {} is shown at {:.3f} s, not after the frame before it at {:.3f} s; use "
                                "--sync index to pair frame n with frame n",
                                state.frames, state.video.name, time, state.last_seconds));
    state.last_seconds = time;
    state.frames++;
    return frame;
}

Result<void> TimePairing::advance(State &state) const {
    state.current = std::move(state.after);
    state.after.reset();
    state.ended = !state.current;
    if (!state.ended)
        state.after = TRY(read(state));
    return {};
}

Result<void> TimePairing::pass_over(State &state) const {
    state.unpaired.push_back(state.frames - (state.after ? 2 : 1));
    if (watcher_)
        watcher_(&state == sides_.data(), *state.current);
    return advance(state);
}

/// Passes over the current frame of one video when it has no partner; true when it did.
Result<bool> TimePairing::pass_over_one() {
    for (std::size_t s = 0; s < 2; s++) {
        State &state = sides_[s];
        const double other = time_of(sides_[1 - s], *sides_[1 - s].current);
        const double gap = other - time_of(state, *state.current);
        const bool too_early = gap > tolerance_;
        const bool next_is_nearer =
            state.after && std::abs(other - time_of(state, *state.after)) < std::abs(gap) - rounding_;
        if (too_early || next_is_nearer) {
            TRY(pass_over(state));
            return true;
        }
    }
    return false;
}

Result<void> TimePairing::start() {
    started_ = true;
    for (State &state : sides_) {
        state.after = TRY(read(state));
        TRY(advance(state));
    }
    return {};
}

Result<std::optional<FramePair>> TimePairing::next() {
    if (!started_)
        TRY(start());
    for (;;) {
        if (sides_[0].ended || sides_[1].ended)
            return std::nullopt;
        const bool passed_over = TRY(pass_over_one());
        if (!passed_over)
            break;
    }
    FramePair pair{*std::move(sides_[0].current), *std::move(sides_[1].current)};
    for (State &state : sides_)
        TRY(advance(state));
    return pair;
}

Result<double> TimePairing::seconds_left(double enough) {
    if (sides_[0].ended && sides_[1].ended)
        return 0;
    State &longer = sides_[sides_[0].ended ? 1 : 0];
    const double end = sides_[sides_[0].ended ? 0 : 1].last_seconds;
    while (longer.last_seconds - end <= enough && longer.after)
        longer.after = TRY(read(longer));
    return longer.last_seconds - end;
}

} // namespace isovmaf
