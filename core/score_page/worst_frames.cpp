// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/worst_frames.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "html/heat_map.hpp"
#include "html/page.hpp"
#include "input/convert/jpeg.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"
#include "score_page/page_data.hpp"

namespace isovmaf {

namespace {

/// More than sessions have in flight. When a feature gives its scores only at the end of the video, older pairs are
/// given up, and their frames have no pictures.
constexpr std::size_t most_held_pairs = 256;

/// Of JPEG. Coarser pictures would have blocks that look like those of a video; differences are noise, which needs many
/// bytes and no precision.
constexpr int picture_quantizer = 3, difference_quantizer = 8;

Result<std::string> jpeg_of(const SmallPicture &picture, int quantizer) {
    return encode_jpeg(picture.width, picture.height, {picture.planes[0], picture.planes[1], picture.planes[2]},
                       quantizer);
}

Result<void> encode(const SmallPicture &reference, const SmallPicture &distorted, const DifferencePicture &difference,
                    WorstFrame &frame) {
    std::string first = TRY(jpeg_of(reference, picture_quantizer)), second = TRY(jpeg_of(distorted, picture_quantizer));
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
    Kept kept{std::move(*current_), {}, {}, {}};
    if (const std::optional<FramePair> pair = std::exchange(kept.candidate.pair, std::nullopt)) {
        kept.reference = shrink(pair->reference, options_.reference);
        kept.distorted = shrink(pair->distorted, options_.distorted);
        kept.difference = shrink_difference(*pair);
    }
    kept_.insert(place, std::move(kept));
    kept_.resize(std::min(kept_.size(), options_.count));
}

std::vector<WorstFrame> WorstFrames::finish(const LogSink &log) {
    settle();
    current_.reset();
    held_.clear();
    std::vector<WorstFrame> frames;
    std::string failure;
    for (const Kept &kept : kept_) {
        frames.push_back({.frame = kept.candidate.frame, .score = kept.candidate.score});
        if (kept.reference.width == 0 || !failure.empty())
            continue;
        const Result<void> encoded = encode(kept.reference, kept.distorted, kept.difference, frames.back());
        if (!encoded)
            failure = encoded.error().message;
    }
    if (!failure.empty())
        warn(log, "the HTML report has no pictures of the worst frames: " + failure);
    return frames;
}

namespace {

/// The script shows pictures in it.
constexpr std::string_view viewer = "<dialog id=viewer><img id=viewer-picture src=\"data:,\" alt=\"\">"
                                    "<p id=viewer-text></p></dialog>\n";

std::string picture_html(const WorstFrame &frame, const std::string &jpeg, const std::string &name) {
    return fmt::format("<figure><img src=\"data:image/jpeg;base64,{}\" width={} height={} alt=\"{} of frame {}\">"
                       "<figcaption>{}</figcaption></figure>\n",
                       base64(jpeg), frame.width, frame.height, name, count_text(frame.frame), name);
}

std::string pictures_html(const WorstFrame &frame) {
    if (frame.reference.empty())
        return "";
    return "<div class=pictures>" + picture_html(frame, frame.reference, "reference") +
           picture_html(frame, frame.distorted, "distorted") +
           picture_html(frame, frame.difference, fmt::format("luma difference × {}", frame.difference_factor)) +
           "</div>\n";
}

/// The other scores of the frame.
std::string scores_text(std::int64_t number, const Report &report, std::span<const ShownColumn> columns) {
    const auto &frames = report.scores.frames;
    const auto frame = std::ranges::lower_bound(frames, number, {}, &FrameScores::frame);
    if (frame == frames.end())
        return "";
    std::string out;
    for (const ShownColumn &column : columns.subspan(1))
        out += fmt::format("{}{} {}", out.empty() ? "" : " · ", html_escape(column.label),
                           score_text(column.scores[static_cast<std::size_t>(frame - frames.begin())]));
    return out.empty() ? out : fmt::format("<p class=hint>{}</p>", out);
}

std::string frame_html(const WorstFrame &frame, const ScorePage &page, std::span<const ShownColumn> columns) {
    const std::optional<double> time = page.report.frame_time(frame.frame);
    return fmt::format("<article class=\"card worst\"><h3><a href=\"#chart\" data-frame={}>frame {}</a>{}"
                       "<b>{} {}</b></h3>\n{}{}</article>\n",
                       frame.frame, count_text(frame.frame),
                       time ? fmt::format("<span>{}</span>", time_code(*time)) : "", html_escape(columns.front().label),
                       score_text(frame.score), pictures_html(frame), scores_text(frame.frame, page.report, columns));
}

std::string heading(const ScorePage &page, const ShownColumn &column) {
    std::string text = "The lowest values of " + column.label + ".";
    if (page.distance > 1)
        text += fmt::format(" Of frames less than {} frames apart only the worst is listed.", page.distance);
    const WorstFrame &first = page.worst.front();
    const VideoFormat &format = page.report.reference.format;
    if (first.width > 0 && first.width < format.width)
        text += fmt::format(" Pictures are reduced to {}x{}.", first.width, first.height);
    if (std::ranges::any_of(page.worst, [](const WorstFrame &frame) { return frame.reference.empty(); }))
        text += " Where pictures are missing, they could not be made.";
    return fmt::format("<h2>Worst frames</h2>\n<p class=lead>{}</p>\n", html_escape(text));
}

} // namespace

std::string worst_frames_html(const ScorePage &page, std::span<const ShownColumn> columns) {
    if (page.worst.empty())
        return "";
    std::string out = heading(page, columns.front());
    for (const WorstFrame &frame : page.worst)
        out += frame_html(frame, page, columns);
    return out + std::string(viewer);
}

} // namespace isovmaf
