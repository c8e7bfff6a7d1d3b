// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_loop.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "run/videos.hpp"

namespace isovmaf::batch {

UnitPair make_unit_pair(OpenedVideos opened, const FrameRange &frames) {
    UnitPair unit{.start_difference = opened.start_difference, .rate = rate_of_pairs(opened)};
    unit.doctor =
        std::make_unique<AlignmentDoctor>(AlignmentDoctor::usual_range, opened, static_cast<std::size_t>(frames.first));
    unit.pairs = std::move(opened.pairs);
    return unit;
}

Result<std::optional<Frame>> UnitVideos::read(std::size_t member) {
    UnitPair &unit = units_[member];
    if (!unit.pairs)
        return isovmaf::fail(ErrorCode::unsupported, "this pair is not read beside others");
    // A reader that stands still would stop those that share its reference: it is closed when it gives no picture.
    std::unique_ptr<PairSource> pairs = std::move(unit.pairs);
    std::optional<FramePair> pair = TRY(pairs->read());
    if (!pair) {
        ended_[member] = pairs->warnings(frames_.first, frames_.end);
        return std::nullopt;
    }
    const std::int64_t frame = next_ - 1;
    const bool in_unit = frame >= frames_.first && (!frames_.end || frame < *frames_.end);
    if (!reference_) {
        reference_ = std::move(pair->reference);
        if (in_unit)
            small_reference_ = TRY(small(reference_));
    } else if (pair->reference.owner() != reference_.owner() || pair->reference.address(0) != reference_.address(0))
        return isovmaf::fail(ErrorCode::unsupported, "the reference picture of this pair is made from that of others");
    if (in_unit)
        unit.doctor->see({small_reference_, TRY(small(pair->distorted))});
    unit.pairs = std::move(pairs);
    return std::move(pair->distorted);
}

Result<Thumbnail> UnitVideos::small(const Frame &frame) const {
    return frame.device() ? TRY(device_->thumbnail(frame)) : make_thumbnail(frame);
}

Result<void> UnitWords::push(const Frame &reference, std::span<const Frame> distorted) {
    pushed_++;
    return extraction_.push(reference, distorted);
}

Result<void> UnitWords::end(std::size_t member, bool ends_video) {
    const bool has_frames = pushed_ > extraction_.lead_in();
    Result<WordsFile> words = extraction_.finish(ends_video, member);
    if (words)
        words_[member] = *std::move(words);
    else if (has_frames)
        return tl::unexpected(words.error());
    return {};
}

Result<void> UnitWords::fail(std::size_t member, const Error &error) {
    if (words_.size() == 1)
        return tl::unexpected(error);
    (void)extraction_.finish(false, member);
    return {};
}

FrameNeeds frame_needs(const SegmentExtraction &extraction, int threads) {
    return isovmaf::frame_needs(extraction.planes_read(), extraction.frame_memory(), extraction.device(),
                                {.threads = threads});
}

Result<void> run_unit_loop(FrameLoop &loop, const SegmentExtraction &extraction, StageTimes &times) {
    const double uploaded = extraction.upload_seconds();
    const Result<VideoEnd> end = loop.run();
    times.decode += loop.times().reading;
    times.kernels += loop.times().pushing;
    times.upload += extraction.upload_seconds() - uploaded;
    if (!end)
        return tl::unexpected(end.error());
    return {};
}

} // namespace isovmaf::batch
