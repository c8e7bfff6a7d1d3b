// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/decode_thread.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "input/raw/planar_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {

std::size_t DecodeThread::frames_ahead(const VideoFormat &format) {
    return std::clamp<std::size_t>(most_bytes_ahead / stored_frame_bytes(format), 1, most_frames_ahead);
}

DecodeThread::DecodeThread(std::unique_ptr<FrameSource> source, std::int64_t skip, std::int64_t passed,
                           std::optional<std::int64_t> limit)
    : source_(std::move(source)), info_(source_->info()), queue_(frames_ahead(info_.format)), skip_(skip),
      passed_(passed), limit_(limit) {}

DecodeThread::~DecodeThread() {
    source_->cancel();
    queue_.close();
    if (thread_.joinable())
        thread_.join();
}

Result<void> DecodeThread::start(const FrameNeeds &needs) {
    TRY(source_->prepare(needs));
    thread_ = std::thread([this] { run(); });
    return {};
}

void DecodeThread::go_to(std::int64_t passed, std::optional<std::int64_t> limit) {
    queue_.close();
    thread_.join();
    queue_.reopen();
    passed_ = passed;
    limit_ = limit;
    moved_ = true;
    thread_ = std::thread([this] { run(); });
}

/// False when the video ends before the first frame that is wanted.
Result<bool> DecodeThread::find_first() {
    const SharedStageClock clock(busy_);
    return moved_ ? go_to_frame(*source_, skip_ + passed_) : pass_over();
}

Result<bool> DecodeThread::pass_over() {
    if (TRY(skip_frames(*source_, skip_)) < skip_)
        return false;
    if (passed_ == 0)
        return true;
    const auto first = TRY(read_frame(*source_));
    if (!first)
        return false;
    first_seconds_ = first->seconds();
    return TRY(skip_frames(*source_, passed_ - 1)) == passed_ - 1;
}

Result<std::optional<ReadFrame>> DecodeThread::read() {
    const SharedStageClock clock(busy_);
    std::optional<Frame> frame = TRY(read_frame(*source_));
    return frame ? std::optional(ReadFrame{*std::move(frame), source_->change()}) : std::nullopt;
}

/// Returns when it has pushed the end of the video, an error, or `limit_` frames.
void DecodeThread::run() {
    if (const auto at_start = find_first(); !at_start || !*at_start) {
        queue_.push(at_start ? Result<std::optional<ReadFrame>>() : tl::unexpected(at_start.error()));
        return;
    }
    for (std::int64_t n = 0; !limit_ || n < *limit_; n++) {
        auto frame = read();
        const bool last = !frame || !*frame;
        if (!last && n == 0 && passed_ == 0)
            first_seconds_ = (*frame)->frame.seconds();
        if (!queue_.push(std::move(frame)) || last)
            return;
    }
}

} // namespace isovmaf
