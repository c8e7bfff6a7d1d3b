// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/frame_fetcher.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/align.hpp"
#include "base/failure.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"

namespace isovmaf {

namespace {

/// A window of features has a pair, and two frames before each of its frames. The next one has another pair.
constexpr int window_frames = 6, pair_frames = 2;

} // namespace

FrameFetcher::FrameFetcher(DeviceHandle device, const VideoFormat &format, int windows)
    : device_(std::move(device)), format_(format), pool_(format),
      most_fetched_(static_cast<std::size_t>(window_frames + pair_frames * (windows - 1))) {}

FrameFetcher::Places::Places(const Frame &frame) {
    for (std::size_t p = 0; p < static_cast<std::size_t>(frame.format().plane_count()); p++) {
        const int plane = static_cast<int>(p);
        address[p] = frame.address(plane);
        stride_bytes[p] = frame.stride_bytes(plane);
        samples[p] = frame.samples(plane);
    }
}

Frame FrameFetcher::fetch(const Frame &frame, int plane_count) {
    if (!frame.device())
        return frame;
    if (const Fetched *const found = find(frame, plane_count))
        return found->copy;
    Frame fetched = copy(frame, plane_count);
    count_++;
    if (fetched_.size() == most_fetched_)
        fetched_.pop_front();
    fetched_.push_back({frame.owner(), Places(frame), plane_count, fetched});
    return fetched;
}

const FrameFetcher::Fetched *FrameFetcher::find(const Frame &frame, int plane_count) const {
    const Places places(frame);
    const auto found = std::ranges::find_if(fetched_, [&](const Fetched &fetched) {
        return fetched.owner.lock() == frame.owner() && fetched.places == places && fetched.plane_count >= plane_count;
    });
    return found == fetched_.end() ? nullptr : &*found;
}

Frame FrameFetcher::copy(const Frame &frame, int plane_count) {
    const ImportedPicture imported = value_of(ImportedPicture::create(*device_, frame, plane_count));
    const Places places(frame);
    std::array<std::uint64_t, 3> offset{}, bytes{};
    std::uint64_t end = 0;
    for (std::size_t p = 0; p < static_cast<std::size_t>(plane_count); p++) {
        bytes[p] = plane_bytes(format_, static_cast<int>(p), static_cast<std::uint64_t>(places.stride_bytes[p]),
                               places.samples[p].step);
        offset[p] = align_up<std::uint64_t>(end, ISOVMAF_RANGE_ALIGNMENT);
        end = offset[p] + bytes[p];
    }
    open(end);
    Recorder recorder(*device_);
    std::array<const void *, 3> data{};
    for (std::size_t p = 0; p < static_cast<std::size_t>(plane_count); p++) {
        data[p] = staging_.host() + offset[p];
        if (bytes[p] > 0)
            recorder.copy(imported.picture().planes[p].samples, staging_.at(offset[p]), bytes[p]);
    }
    value_of(queue_->run(value_of(recorder.finish())));
    Frame staged(format_, nullptr, data, places.stride_bytes, ChromaEdge::absent, places.samples);
    staged.set_seconds(frame.seconds());
    return pool_.copy(staged, plane_count);
}

/// Makes the queue, and memory for so many bytes.
void FrameFetcher::open(std::uint64_t bytes) {
    if (!queue_)
        queue_ = value_of(device_->create_queue());
    if (staging_bytes_ >= bytes)
        return;
    staging_ = value_of(device_->create_buffer(ISOVMAF_MEMORY_READBACK, bytes));
    staging_bytes_ = bytes;
}

} // namespace isovmaf
