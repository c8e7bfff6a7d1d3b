// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/pair_check.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

namespace {

Result<void> check_options(const SourceInfo &reference, const SourceInfo &distorted, const PairOptions &options) {
    if (reference.name == "-" && distorted.name == "-")
        return fail(ErrorCode::invalid_argument,
                    "reference and distorted cannot both be standard input; give one of them as a file");
    if (options.skip_reference < 0 || options.skip_distorted < 0)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("cannot skip {} frames of the reference and {} of the distorted video; the least is 0",
                                options.skip_reference, options.skip_distorted));
    if (options.frame_count && *options.frame_count - options.first_pair < 1)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("the number of frames to score has to be 1 or more, not {}",
                                *options.frame_count - options.first_pair));
    if (options.sync.tolerance_seconds && !(*options.sync.tolerance_seconds >= 0))
        return fail(ErrorCode::invalid_argument,
                    fmt::format("the tolerance of presentation times has to be 0 s or more, not {}",
                                *options.sync.tolerance_seconds));
    return {};
}

/// The mode and the tolerance that `options` select for these videos.
Result<SyncResult> resolve(const SyncOptions &options, const SourceInfo &reference, const SourceInfo &distorted) {
    SyncResult sync{resolve_sync(options.mode, reference, distorted)};
    if (sync.mode == SyncMode::index)
        return sync;
    const auto tolerance =
        options.tolerance_seconds ? options.tolerance_seconds : pairing_tolerance(reference, distorted);
    if (!tolerance)
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("neither {} nor {} states its frames per second, so the tolerance of presentation times "
                        "is not known; give --sync-tolerance SECONDS",
                        display_name(reference.name), display_name(distorted.name)));
    sync.tolerance_seconds = *tolerance;
    return sync;
}

Result<void> check_agreement(const SourceInfo &reference, const SourceInfo &distorted) {
    if (reference.format == distorted.format)
        return {};
    return fail(ErrorCode::mismatch,
                fmt::format("reference {} is {}, distorted {} is {}: frames that are compared have one size, chroma "
                            "and bit depth",
                            display_name(reference.name), format_text(reference.format), display_name(distorted.name),
                            format_text(distorted.format)));
}

} // namespace

Result<SyncResult> check_pair(const SourceInfo &reference, const SourceInfo &distorted, const PairOptions &options) {
    TRY(check_options(reference, distorted, options));
    TRY(check_agreement(reference, distorted));
    return resolve(options.sync, reference, distorted);
}

DriftCheck::DriftCheck(const SourceInfo &reference, std::int64_t skip_reference, const SourceInfo &distorted,
                       std::int64_t skip_distorted)
    : reference_{display_name(reference.name), skip_reference}, distorted_{display_name(distorted.name),
                                                                           skip_distorted} {
    if (!rates_differ(reference, distorted) || reference.timing.variable || distorted.timing.variable)
        tolerance_seconds_ = half_frame_seconds(reference, distorted);
}

void DriftCheck::start(std::optional<double> reference_seconds, std::optional<double> distorted_seconds) {
    if (!reference_seconds || !distorted_seconds)
        return;
    reference_.first_seconds = *reference_seconds;
    distorted_.first_seconds = *distorted_seconds;
}

std::optional<std::string> DriftCheck::see(std::int64_t number, const Frame &reference, const Frame &distorted) {
    if (!tolerance_seconds_ || !reference.seconds() || !distorted.seconds())
        return std::nullopt;
    const double r = *reference.seconds() - reference_.first_seconds;
    const double d = *distorted.seconds() - distorted_.first_seconds;
    if (std::abs(r - d) <= *tolerance_seconds_)
        return std::nullopt;
    tolerance_seconds_.reset(); // one warning is enough
    return fmt::format(
        "frame {} of reference {} is shown {:.3f} s after its first frame, and frame {} of distorted {}, its "
        "partner, {:.3f} s: frames seem to be dropped or repeated; use --sync pts to pair frames by presentation "
        "time, or --sync index --offset",
        number + reference_.skip, reference_.name, r, number + distorted_.skip, distorted_.name, d);
}

} // namespace isovmaf
