// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/decode_thread.hpp"

#include <utility>

#include "input/source.hpp"

namespace isovmaf {

DecodeThread::DecodeThread(std::unique_ptr<FrameSource> source, std::int64_t skip, std::optional<std::int64_t> limit)
    : source_(std::move(source)), info_(source_->info()), thread_([this, skip, limit] { run(skip, limit); }) {}

DecodeThread::~DecodeThread() {
    source_->cancel();
    queue_.close();
    thread_.join();
}

/// Returns when it has pushed the end of the video, an error, or `limit` frames.
void DecodeThread::run(std::int64_t skip, std::optional<std::int64_t> limit) {
    if (const auto skipped = skip_frames(*source_, skip); !skipped || *skipped < skip) {
        queue_.push(skipped ? Result<std::optional<Frame>>() : tl::unexpected(skipped.error()));
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
