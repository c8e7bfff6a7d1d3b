// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_loop.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "run/videos.hpp"

namespace isovmaf::batch {

Result<std::optional<Frame>> UnitVideos::read(std::size_t member) {
    if (!pairs_[member])
        return isovmaf::fail(ErrorCode::unsupported, "this pair is not read beside others");
    // A reader that stands still would stop those that share its reference: it is closed when it gives no picture.
    std::unique_ptr<PairSource> pairs = std::move(pairs_[member]);
    std::optional<FramePair> pair = TRY(pairs->read());
    if (!pair) {
        ended_[member] = pairs->warnings();
        return std::nullopt;
    }
    if (!reference_)
        reference_ = std::move(pair->reference);
    else if (pair->reference.owner() != reference_.owner() || pair->reference.address(0) != reference_.address(0))
        return isovmaf::fail(ErrorCode::unsupported, "the reference picture of this pair is made from that of others");
    pairs_[member] = std::move(pairs);
    return std::move(pair->distorted);
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
    FrameNeeds needs = isovmaf::frame_needs(extraction.planes_read(), extraction.frame_memory(), extraction.device());
    if (threads > 0)
        needs.readers = std::clamp(threads / 2, 1, needs.readers);
    return needs;
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
