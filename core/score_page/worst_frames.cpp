// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/worst_frames.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/try.hpp"
#include "input/convert/jpeg.hpp"

namespace isovmaf {

namespace {

/// More than sessions have in flight. When a feature gives its scores only at the end of the video, older pairs are
/// given up, and their frames have no pictures.
constexpr std::size_t most_held_pairs = 256;

/// Of JPEG. Coarser pictures would have blocks that look like those of a video; differences are noise, which needs many
/// bytes and no precision. Maps have edges, as pictures have.
constexpr int picture_quantizer = 3, difference_quantizer = 8;

Result<std::string> jpeg_of(const SmallPicture &picture, int quantizer) {
    return encode_jpeg(picture.width, picture.height, {picture.planes[0], picture.planes[1], picture.planes[2]},
                       quantizer);
}

Result<void> encode(const SmallPicture &reference, const SmallPicture &distorted, const DifferencePicture &difference,
                    const SmallPicture &map, WorstFrame &frame) {
    std::string first = TRY(jpeg_of(reference, picture_quantizer)), second = TRY(jpeg_of(distorted, picture_quantizer));
    if (map.width > 0)
        frame.map = TRY(jpeg_of(map, picture_quantizer));
    frame.difference = TRY(jpeg_of(difference.picture, difference_quantizer));
    frame.reference = std::move(first);
    frame.distorted = std::move(second);
    frame.width = reference.width;
    frame.height = reference.height;
    frame.difference_factor = difference.factor;
    return {};
}

} // namespace

void WorstFrames::pushed(const FramePair &pair) {
    const std::int64_t frame = next_frame_++;
    if (frame % options_.subsample != 0)
        return;
    held_.push_back({frame, pair});
    if (held_.size() > most_held_pairs)
        held_.pop_front();
}

std::optional<FramePair> WorstFrames::take_pair(std::int64_t frame) {
    while (!held_.empty() && held_.front().frame < frame)
        held_.pop_front();
    if (held_.empty() || held_.front().frame != frame)
        return std::nullopt;
    FramePair pair = std::move(held_.front().pair);
    held_.pop_front();
    return pair;
}

void WorstFrames::scored(const FrameScores &scores) {
    const double score = scores.scores[options_.column];
    const double rank = std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
    Candidate candidate{scores.frame, score, rank, take_pair(scores.frame)};
    if (current_ && candidate.frame - current_->frame < options_.distance) {
        if (candidate.rank < current_->rank)
            current_ = std::move(candidate);
        return;
    }
    settle();
    current_ = std::move(candidate);
}

/// Keeps the current frame if it is among the worst.
void WorstFrames::settle() {
    if (!current_)
        return;
    const auto place =
        std::ranges::upper_bound(kept_, current_->rank, {}, [](const Kept &kept) { return kept.candidate.rank; });
    if (static_cast<std::size_t>(place - kept_.begin()) >= options_.count)
        return;
    Kept kept{std::move(*current_), {}, {}, {}, {}};
    if (const std::optional<FramePair> pair = std::exchange(kept.candidate.pair, std::nullopt))
        make_pictures(*pair, kept);
    kept_.insert(place, std::move(kept));
    kept_.resize(std::min(kept_.size(), options_.count));
}

void WorstFrames::make_pictures(const FramePair &pair, Kept &kept) const {
    kept.reference = shrink(pair.reference, options_.reference);
    kept.distorted = shrink(pair.distorted, options_.distorted);
    kept.difference = shrink_difference(pair);
    if (options_.maps)
        kept.map = shrink_maps(pair.distorted.format(), options_.maps(pair));
}

void WorstFrames::read_pairs(const std::function<Result<FramePair>(std::int64_t frame)> &read) {
    settle();
    current_.reset();
    for (Kept &kept : kept_) {
        if (kept.reference.width > 0)
            continue;
        const Result<FramePair> pair = read(kept.candidate.frame);
        if (pair)
            make_pictures(*pair, kept);
        else if (failure_.empty())
            failure_ = pair.error().message;
    }
}

std::vector<WorstFrame> WorstFrames::finish(const LogSink &log) {
    settle();
    current_.reset();
    held_.clear();
    std::vector<WorstFrame> frames;
    for (const Kept &kept : kept_) {
        frames.push_back({.frame = kept.candidate.frame, .score = kept.candidate.score});
        if (kept.reference.width == 0 || !failure_.empty())
            continue;
        const Result<void> encoded = encode(kept.reference, kept.distorted, kept.difference, kept.map, frames.back());
        if (!encoded)
            failure_ = encoded.error().message;
    }
    if (!failure_.empty())
        warn(log, "the HTML report has no pictures of the worst frames: " + failure_);
    return frames;
}

std::vector<std::int64_t> find_worst_frames(const ScoreTable &scores, WorstFrames::Options options) {
    WorstFrames worst(std::move(options));
    for (const FrameScores &frame : scores.frames)
        worst.scored(frame);
    std::vector<std::int64_t> numbers;
    for (const WorstFrame &frame : worst.finish({}))
        numbers.push_back(frame.frame);
    return numbers;
}

} // namespace isovmaf
