// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/decoding.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/try.hpp"

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

} // namespace isovmaf
