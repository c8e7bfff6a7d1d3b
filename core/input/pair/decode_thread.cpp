// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/decode_thread.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "input/raw/planar_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {
namespace {

/// Of the frames of one video that wait: two of 2160p at 10 bit fit.
constexpr std::uint64_t bytes_ahead = std::uint64_t{64} << 20;

} // namespace

std::size_t DecodeThread::frames_ahead(const VideoFormat &format) {
    return std::clamp<std::size_t>(bytes_ahead / stored_frame_bytes(format), 1, most_frames_ahead);
}

DecodeThread::DecodeThread(std::unique_ptr<FrameSource> source, std::int64_t skip, std::int64_t passed,
                           std::optional<std::int64_t> limit)
    : source_(std::move(source)), info_(source_->info()), queue_(frames_ahead(info_.format)),
      thread_([this, skip, passed, limit] { run(skip, passed, limit); }) {}

DecodeThread::~DecodeThread() {
    source_->cancel();
    queue_.close();
    thread_.join();
}

/// False when the video ends before.
Result<bool> DecodeThread::pass_over(std::int64_t skip, std::int64_t passed) {
    if (TRY(skip_frames(*source_, skip)) < skip)
        return false;
    if (passed == 0)
        return true;
    const auto first = TRY(read_frame(*source_));
    if (!first)
        return false;
    passed_seconds_ = first->seconds();
    return TRY(skip_frames(*source_, passed - 1)) == passed - 1;
}

/// Returns when it has pushed the end of the video, an error, or `limit` frames.
void DecodeThread::run(std::int64_t skip, std::int64_t passed, std::optional<std::int64_t> limit) {
    if (const auto at_start = pass_over(skip, passed); !at_start || !*at_start) {
        queue_.push(at_start ? Result<std::optional<Frame>>() : tl::unexpected(at_start.error()));
        return;
    }
    for (std::int64_t n = 0; !limit || n < *limit; n++) {
        auto frame = read_frame(*source_);
        const bool last = !frame || !*frame;
        if (!queue_.push(std::move(frame)) || last)
            return;
    }
}

} // namespace isovmaf
