// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/decoding.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/try.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf {

namespace {

constexpr std::array<std::pair<std::string_view, HardwareDecoding>, 3> wishes{{
    {"none", HardwareDecoding::none},
    {"auto", HardwareDecoding::automatic},
    {"cuda", HardwareDecoding::cuda},
}};

Result<std::shared_ptr<DecodingDevice>> open(const DeviceHandle &device) {
    if (!device)
        return fail(ErrorCode::unavailable, "the scores are computed on the CPU, not on a device that decodes");
    return create_cuda_decoding(device);
}

/// How many of the rows lie at equal distances, from the first one on.
std::size_t equal_distances(std::span<const int> rows) {
    std::size_t count = std::min<std::size_t>(rows.size(), 2);
    while (count < rows.size() && rows[count] - rows[count - 1] == rows[1] - rows[0])
        count++;
    return count;
}

} // namespace

std::vector<std::string> hardware_decoding_names() {
    std::vector<std::string> names;
    for (const auto &[name, wish] : wishes)
        names.emplace_back(name);
    return names;
}

HardwareDecoding hardware_decoding_named(std::string_view name) {
    return std::ranges::find(wishes, name, &std::pair<std::string_view, HardwareDecoding>::first)->second;
}

Result<Decoding> decoding_for(HardwareDecoding wish, const DeviceHandle &device, const LogSink &log) {
    if (wish == HardwareDecoding::none)
        return Decoding{};
    const bool required = wish != HardwareDecoding::automatic;
    auto decoding = open(device);
    if (decoding)
        return Decoding{*std::move(decoding), required, log};
    if (required)
        return fail(decoding.error().code, fmt::format("--hwaccel cuda cannot be had: {}", decoding.error().message));
    if (log)
        log(Severity::info, fmt::format("the CPU decodes both videos: {}", decoding.error().message));
    return Decoding{};
}

Result<Frame> FetchingDevice::fetch(const Frame &frame, int planes) try {
    if (!frame.device())
        return frame;
    const SharedStageClock clock(fetching_);
    const std::lock_guard lock(mutex_);
    if (!fetcher_ || format_ != frame.format())
        fetcher_ = std::make_unique<FrameFetcher>(std::vector{device_}, format_ = frame.format());
    return fetcher_->fetch(frame, planes);
} catch (const Failure &failure) {
    return tl::unexpected(failure.error());
}

Result<Thumbnail> FetchingDevice::thumbnail(const Frame &frame) {
    if (!frame.device())
        return make_thumbnail(frame);
    const SharedStageClock clock(fetching_);
    const std::lock_guard lock(mutex_);
    return make_thumbnail(frame.format(), TRY(rows_.fetch(frame, thumbnail_rows(frame.format().height))).plane(0));
}

Result<Frame> RowFetcher::fetch(const Frame &frame, std::span<const int> rows) {
    const VideoFormat &format = frame.format();
    const auto stride = static_cast<std::uint64_t>(frame.stride_bytes(0));
    const std::uint64_t row = row_bytes(format, 0, frame.samples(0).step), bytes = row * rows.size();
    if (!queue_)
        queue_ = TRY(device_->create_queue());
    if (staging_bytes_ < bytes) {
        staging_ = TRY(device_->create_buffer(ISOVMAF_MEMORY_READBACK, bytes));
        staging_bytes_ = bytes;
    }
    const Buffer luma =
        TRY(device_->import_buffer(frame.address(0), plane_bytes(format, 0, stride, frame.samples(0).step)));
    Recorder recorder(*device_);
    for (std::size_t done = 0, count = 0; done < rows.size(); done += count) {
        const std::span<const int> left = rows.subspan(done);
        count = equal_distances(left);
        const auto distance = static_cast<std::uint64_t>(count > 1 ? left[1] - left[0] : 1);
        recorder.copy({luma.at(static_cast<std::uint64_t>(left[0]) * stride), staging_.at(done * row),
                       distance * stride, row, row, count});
    }
    TRY(queue_->run(TRY(recorder.finish())));
    const VideoFormat of_rows{.width = format.width,
                              .height = static_cast<int>(rows.size()),
                              .chroma = Chroma::k400,
                              .bit_depth = format.bit_depth};
    const Frame staged(of_rows, nullptr, {staging_.host()}, {static_cast<std::ptrdiff_t>(row)}, ChromaEdge::absent,
                       {frame.samples(0)});
    return FramePool(of_rows).copy(staged);
}

} // namespace isovmaf
