// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair_source.hpp"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/decode_thread.hpp"

namespace isovmaf {

namespace {

Result<void> check_options(const FrameSource &reference, const FrameSource &distorted, const PairOptions &options) {
    if (reference.info().name == "-" && distorted.info().name == "-")
        return fail(ErrorCode::invalid_argument,
                    "reference and distorted cannot both be standard input; give one of them as a file");
    if (options.skip_reference < 0 || options.skip_distorted < 0)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("cannot skip {} frames of the reference and {} of the distorted video; the least is 0",
                                options.skip_reference, options.skip_distorted));
    if (options.frame_count && *options.frame_count < 1)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("the number of frames to score has to be 1 or more, not {}", *options.frame_count));
    return {};
}

/// Scales the side that `resize` names to the other's size, when the sizes differ.
Result<void> apply_resize(const Resize &resize, std::unique_ptr<FrameSource> &reference,
                          std::unique_ptr<FrameSource> &distorted) {
    auto &scaled = resize.reference ? reference : distorted;
    const VideoFormat have = scaled->info().format;
    const VideoFormat want = (resize.reference ? distorted : reference)->info().format;
    if (have.width == want.width && have.height == want.height)
        return {};
    scaled = TRY(make_scaled_source(std::move(scaled), want.width, want.height, resize.filter));
    return {};
}

/// What to do about formats that differ.
std::string advice(const VideoFormat &reference, const VideoFormat &distorted) {
    if (reference.width != distorted.width || reference.height != distorted.height)
        return "use --resize dis:bicubic to scale the distorted video to the reference's size, or --resize ref:bicubic "
               "for the reverse";
    if (reference.chroma == distorted.chroma)
        return reference.bit_depth > distorted.bit_depth
                   ? fmt::format("use --convert dis:{} to give the distorted video as many bits", reference.bit_depth)
                   : fmt::format("use --convert ref:{} to give the reference as many bits", distorted.bit_depth);
    return "convert one of them to the other's pixel format first, for example with ffmpeg -pix_fmt";
}

Result<void> check_agreement(const SourceInfo &reference, const SourceInfo &distorted) {
    const VideoFormat &r = reference.format, &d = distorted.format;
    if (r == d)
        return {};
    return fail(ErrorCode::mismatch,
                fmt::format("reference {} is {}, distorted {} is {}; {}", display_name(reference.name), format_text(r),
                            display_name(distorted.name), format_text(d), advice(r, d)));
}

} // namespace

class PairSource::Impl {
  public:
    Impl(std::unique_ptr<FrameSource> reference, std::unique_ptr<FrameSource> distorted, const PairOptions &options)
        : options_(options), reference_(std::move(reference), options.skip_reference, options.frame_count),
          distorted_(std::move(distorted), options.skip_distorted, options.frame_count) {}

    const VideoFormat &format() const { return reference_.info().format; }

    std::optional<std::int64_t> expected_pairs() const {
        std::optional<std::int64_t> least = options_.frame_count;
        const auto consider = [&least](const SourceInfo &info, std::int64_t skip) {
            if (!info.frame_count)
                return;
            const std::int64_t left = std::max<std::int64_t>(*info.frame_count - skip, 0);
            least = std::min(least.value_or(left), left);
        };
        consider(reference_.info(), options_.skip_reference);
        consider(distorted_.info(), options_.skip_distorted);
        return least;
    }

    Result<std::optional<FramePair>> read() {
        if (ended_ || pairs_ == options_.frame_count)
            return std::nullopt;
        ended_ = true; // an error ends the reading as well
        auto reference = TRY(reference_.next());
        auto distorted = TRY(distorted_.next());
        if (!reference || !distorted)
            return end(!reference, !distorted);
        ended_ = false;
        pairs_++;
        return FramePair{*std::move(reference), *std::move(distorted)};
    }

  private:
    Result<std::optional<FramePair>> end(bool reference_ended, bool distorted_ended) {
        if (pairs_ == 0)
            return reference_ended ? nothing_to_score(reference_.info(), options_.skip_reference)
                                   : nothing_to_score(distorted_.info(), options_.skip_distorted);
        if (reference_ended && distorted_ended)
            return std::nullopt;
        const std::string lengths =
            fmt::format("reference {} has {} frames, distorted {} has {}", display_name(reference_.info().name),
                        count_text(reference_.info(), options_.skip_reference, reference_ended),
                        display_name(distorted_.info().name),
                        count_text(distorted_.info(), options_.skip_distorted, distorted_ended));
        if (options_.strict)
            return fail(ErrorCode::mismatch, lengths + ", and strict scoring wants equal lengths");
        warn(options_.log, fmt::format("{}; the {} frames that both have are scored", lengths, pairs_));
        return std::nullopt;
    }

    static tl::unexpected<Error> nothing_to_score(const SourceInfo &info, std::int64_t skip) {
        return fail(ErrorCode::corrupt_data, skip > 0
                                                 ? fmt::format("{} has no frame left after the {} that are skipped",
                                                               display_name(info.name), skip)
                                                 : fmt::format("{} holds no whole frame", display_name(info.name)));
    }

    /// Number of frames of one side after its skip. The number that a file states is used only when it is larger than
    /// the number of frames that were read.
    std::string count_text(const SourceInfo &info, std::int64_t skip, bool at_end) const {
        if (at_end)
            return fmt::format("{}", pairs_);
        if (info.frame_count && *info.frame_count - skip > pairs_)
            return fmt::format("{}", *info.frame_count - skip);
        return fmt::format("more than {}", pairs_);
    }

    const PairOptions options_;
    std::int64_t pairs_ = 0; ///< that `read` has returned
    bool ended_ = false;
    DecodeThread reference_;
    DecodeThread distorted_;
};

PairSource::PairSource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PairSource::~PairSource() = default;

Result<std::unique_ptr<PairSource>> PairSource::create(std::unique_ptr<FrameSource> reference,
                                                       std::unique_ptr<FrameSource> distorted,
                                                       const PairOptions &options) try {
    TRY(check_options(*reference, *distorted, options));
    if (options.resize)
        TRY(apply_resize(*options.resize, reference, distorted));
    TRY(check_agreement(reference->info(), distorted->info()));
    return std::unique_ptr<PairSource>(
        new PairSource(std::make_unique<Impl>(std::move(reference), std::move(distorted), options)));
} catch (const std::bad_alloc &) {
    return fail(ErrorCode::out_of_memory, "not enough memory to read two videos");
} catch (const std::system_error &error) {
    return fail(ErrorCode::io, fmt::format("cannot start a decoding thread: {}", error.what()));
}

const VideoFormat &PairSource::format() const { return impl_->format(); }
std::optional<std::int64_t> PairSource::expected_pairs() const { return impl_->expected_pairs(); }
Result<std::optional<FramePair>> PairSource::read() { return impl_->read(); }

} // namespace isovmaf
