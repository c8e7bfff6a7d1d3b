// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/part_source.hpp"

#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf {

namespace {

using TakePart = std::function<Frame(const Frame &)>;

class PartSource final : public FrameSource {
  public:
    PartSource(std::unique_ptr<FrameSource> source, const VideoFormat &format, Conversion conversion, TakePart part)
        : source_(std::move(source)), info_(source_->info()), part_(std::move(part)) {
        info_.format = format;
        info_.conversions.push_back(std::move(conversion));
    }

    const SourceInfo &info() const override { return info_; }

    Result<std::optional<Frame>> read() override {
        auto frame = source_->read();
        if (!frame || !*frame)
            return frame;
        Frame part = part_(**frame);
        part.set_seconds((*frame)->seconds());
        return part;
    }

    Result<std::int64_t> skip(std::int64_t count) override { return source_->skip(count); }
    void cancel() override { source_->cancel(); }

  private:
    std::unique_ptr<FrameSource> source_;
    SourceInfo info_;
    TakePart part_;
};

Frame luma_of(const Frame &frame) {
    VideoFormat format = frame.format();
    format.chroma = Chroma::k400;
    const Plane luma = frame.plane(0);
    return {format, frame.owner(), {luma.data}, {luma.stride_bytes}, frame.chroma_edge()};
}

} // namespace

Result<std::unique_ptr<FrameSource>> make_cropped_source(std::unique_ptr<FrameSource> source, const Crop &crop) {
    const VideoFormat from = source->info().format;
    for (const auto &valid : {check_crop(from, crop), check_crop_size(from.chroma, crop)})
        if (!valid)
            return fail(valid.error().code,
                        fmt::format("cannot crop {}: {}", display_name(source->info().name), valid.error().message));
    Conversion conversion{fmt::format("cropped from {}x{} to {}x{} at ({}, {})", from.width, from.height, crop.width,
                                      crop.height, crop.left, crop.top),
                          fmt::format("crop={}:{}:{}:{}", crop.width, crop.height, crop.left, crop.top)};
    return std::make_unique<PartSource>(std::move(source), cropped(from, crop), std::move(conversion),
                                        [crop](const Frame &frame) { return cropped(frame, crop); });
}

std::unique_ptr<FrameSource> make_luma_source(std::unique_ptr<FrameSource> source) {
    VideoFormat format = source->info().format;
    format.chroma = Chroma::k400;
    return std::make_unique<PartSource>(std::move(source), format, Conversion{"luma alone", "extractplanes=y"},
                                        luma_of);
}

} // namespace isovmaf
