// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/frame_fetcher.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/align.hpp"
#include "base/failure.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"

namespace isovmaf {

namespace {

/// A window of features has a pair, and two frames before each of its frames. The next one has another pair.
constexpr int window_frames = 6, pair_frames = 2;

} // namespace

FrameFetcher::FrameFetcher(const std::vector<DeviceHandle> &devices, const VideoFormat &format, int windows)
    : format_(format), pool_(format),
      most_fetched_(static_cast<std::size_t>(window_frames + pair_frames * (windows - 1))) {
    for (const DeviceHandle &device : devices)
        sources_.push_back({device});
}

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

FrameFetcher::Source &FrameFetcher::source_of(const Frame &frame) {
    const auto source =
        std::ranges::find_if(sources_, [&](const Source &one) { return is_same_device(*one.device, *frame.device()); });
    if (source == sources_.end())
        throw Failure({ErrorCode::unsupported,
                       fmt::format("frames in memory of {} cannot be read here", label_of(*frame.device()))});
    return *source;
}

Frame FrameFetcher::copy(const Frame &frame, int plane_count) {
    Source &source = source_of(frame);
    const ImportedPicture imported = value_of(ImportedPicture::create(*source.device, frame, plane_count));
    const Places places(frame);
    std::array<std::uint64_t, 3> offset{}, bytes{};
    std::uint64_t end = 0;
    for (std::size_t p = 0; p < static_cast<std::size_t>(plane_count); p++) {
        bytes[p] = plane_bytes(format_, static_cast<int>(p), static_cast<std::uint64_t>(places.stride_bytes[p]),
                               places.samples[p].step);
        offset[p] = align_up<std::uint64_t>(end, ISOVMAF_RANGE_ALIGNMENT);
        end = offset[p] + bytes[p];
    }
    source.open(end);
    Recorder recorder(*source.device);
    std::array<const void *, 3> data{};
    for (std::size_t p = 0; p < static_cast<std::size_t>(plane_count); p++) {
        data[p] = source.staging.host() + offset[p];
        if (bytes[p] > 0)
            recorder.copy(imported.picture().planes[p].samples, source.staging.at(offset[p]), bytes[p]);
    }
    value_of(source.queue->run(value_of(recorder.finish())));
    Frame staged(format_, nullptr, data, places.stride_bytes, ChromaEdge::absent, places.samples);
    staged.set_seconds(frame.seconds());
    return pool_.copy(staged, plane_count);
}

/// Makes the queue, and memory for so many bytes.
void FrameFetcher::Source::open(std::uint64_t bytes) {
    if (!queue)
        queue = value_of(device->create_queue());
    if (staging_bytes >= bytes)
        return;
    staging = value_of(device->create_buffer(ISOVMAF_MEMORY_READBACK, bytes));
    staging_bytes = bytes;
}

} // namespace isovmaf
