// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/converted_source.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frame/frame_pool.hpp"
#include "frame/validate.hpp"
#include "input/convert/per_frame_source.hpp"
#include "input/convert/pixel_format.hpp"

namespace isovmaf {

namespace {

/// The new value of every sample, by the old one.
using SampleTable = std::vector<std::uint16_t>;

struct SampleTables {
    SampleTable luma, chroma;
};

SampleTable make_table(int bit_depth, const std::function<std::int64_t(std::int64_t)> &value) {
    SampleTable table(std::size_t{1} << bit_depth);
    for (std::size_t i = 0; i < table.size(); i++)
        table[i] = static_cast<std::uint16_t>(value(static_cast<std::int64_t>(i)));
    return table;
}

/// numerator / denominator, rounded to the nearest integer, halves away from zero. The denominator is above 0.
std::int64_t divide_rounded(std::int64_t numerator, std::int64_t denominator) {
    const std::int64_t half = denominator / 2;
    return (numerator < 0 ? numerator - half : numerator + half) / denominator;
}

SampleTables range_tables(int bit_depth, bool to_full) {
    const std::int64_t step = std::int64_t{1} << (bit_depth - 8), top = (std::int64_t{1} << bit_depth) - 1;
    const std::int64_t black = 16 * step, luma_span = 219 * step, centre = 128 * step, chroma_span = 224 * step;
    const auto clip = [top](std::int64_t value) { return std::clamp(value, std::int64_t{0}, top); };
    if (to_full)
        return {
            make_table(bit_depth, [=](std::int64_t v) { return clip(divide_rounded((v - black) * top, luma_span)); }),
            make_table(bit_depth,
                       [=](std::int64_t v) { return clip(divide_rounded((v - centre) * top, chroma_span) + centre); })};
    return {make_table(bit_depth, [=](std::int64_t v) { return divide_rounded(v * luma_span, top) + black; }),
            make_table(bit_depth,
                       [=](std::int64_t v) { return divide_rounded((v - centre) * chroma_span, top) + centre; })};
}

SampleTables full_depth_tables(int from, int to) {
    const std::int64_t old_top = (std::int64_t{1} << from) - 1, top = (std::int64_t{1} << to) - 1;
    const std::int64_t old_centre = std::int64_t{1} << (from - 1), centre = std::int64_t{1} << (to - 1);
    return {make_table(from, [=](std::int64_t v) { return divide_rounded(v * top, old_top); }),
            make_table(from, [=](std::int64_t v) {
                return std::clamp(divide_rounded((v - old_centre) * top, old_top) + centre, std::int64_t{0}, top);
            })};
}

template <class In, class Out>
void map_rows(const Plane &from, const SampleTable &table, std::byte *to, std::ptrdiff_t stride_bytes) {
    for (int y = 0; y < from.height; y++) {
        const In *in = from.row<In>(y);
        auto *out = reinterpret_cast<Out *>(to + y * stride_bytes);
        for (int x = 0; x < from.width; x++)
            out[x] = static_cast<Out>(table[in[x]]);
    }
}

class LutSource : public PerFrameSource {
  public:
    LutSource(std::unique_ptr<FrameSource> source, SourceInfo info, SampleTables tables)
        : PerFrameSource(std::move(source), std::move(info)), tables_(std::move(tables)),
          pool_(this->info().format, ChromaEdge::present) {}

  private:
    Result<Frame> make(const Frame &frame) override {
        WritableFrame mapped = pool_.take();
        const int in_bytes = frame.format().bytes_per_sample(), out_bytes = info().format.bytes_per_sample();
        const auto rows = in_bytes == 2    ? map_rows<std::uint16_t, std::uint16_t>
                          : out_bytes == 2 ? map_rows<std::uint8_t, std::uint16_t>
                                           : map_rows<std::uint8_t, std::uint8_t>;
        for (int p = 0; p < info().format.plane_count(); p++) {
            const auto i = static_cast<std::size_t>(p);
            rows(frame.stored_plane(p), p == 0 ? tables_.luma : tables_.chroma, mapped.data[i], mapped.stride_bytes[i]);
        }
        mapped.frame.set_samples_checked(); // no table has a larger one
        return mapped.frame;
    }

    SampleTables tables_;
    FramePool pool_;
};

/// The tables are those of the range that the video began with.
class RangeSource final : public LutSource {
  public:
    using LutSource::LutSource;

  private:
    ColourChange make_change(const ColourChange &change) const override {
        const std::string &began = converted_info().colour.range, &now = change.colour.range;
        ColourChange made = change;
        if (!began.empty() && now != began)
            made.conflict = fmt::format("colour range from {} to {}", began, now);
        made.colour.range = info().colour.range;
        return made;
    }
};

/// ffmpeg's filter that gives samples of a lower bit depth the depth of `video`. libswscale multiplies by a power of
/// two only samples of limited range in formats with chroma.
std::optional<std::string> depth_filter(const SourceInfo &video) {
    const std::string pixels = planar_format_name(video.format);
    if (video.colour.range == "full" || video.format.chroma == Chroma::k400 || pixels.empty())
        return std::nullopt;
    return "format=" + pixels;
}

using TakePart = std::function<Frame(const Frame &)>;

class PartSource final : public PerFrameSource {
  public:
    PartSource(std::unique_ptr<FrameSource> source, SourceInfo info, TakePart part)
        : PerFrameSource(std::move(source), std::move(info)), part_(std::move(part)) {}

  private:
    Result<Frame> make(const Frame &frame) override { return part_(frame); }

    TakePart part_;
};

Frame luma_of(const Frame &frame) {
    VideoFormat format = frame.format();
    format.chroma = Chroma::k400;
    const Plane luma = frame.plane(0);
    Frame alone(format, frame.owner(), {luma.data}, {luma.stride_bytes}, frame.chroma_edge());
    if (frame.samples_checked())
        alone.set_samples_checked();
    return alone;
}

} // namespace

std::unique_ptr<FrameSource> make_range_source(std::unique_ptr<FrameSource> source, std::string_view range) {
    SourceInfo info = source->info();
    const std::string from = info.colour.range.empty() ? "limited" : info.colour.range;
    if (from == range)
        return source;
    info.colour.range = range;
    info.conversions.push_back({fmt::format("range from {} to {}, rounded to nearest", from, range)});
    SampleTables tables = range_tables(info.format.bit_depth, range == "full");
    return std::make_unique<RangeSource>(std::move(source), std::move(info), std::move(tables));
}

Result<std::unique_ptr<FrameSource>> make_deeper_source(std::unique_ptr<FrameSource> source, int bit_depth) {
    SourceInfo info = source->info();
    const int shift = bit_depth - info.format.bit_depth;
    if (shift == 0)
        return source;
    if (shift < 0)
        return fail(ErrorCode::unsupported,
                    fmt::format("cannot convert {} from {} to {} bit: bits would be lost; convert the other video up "
                                "instead",
                                display_name(info.name), info.format.bit_depth, bit_depth));
    const int from = std::exchange(info.format.bit_depth, bit_depth);
    info.conversions.push_back(
        {fmt::format("bit depth from {} to {}, samples times {}", from, bit_depth, 1 << shift), depth_filter(info)});
    const SampleTable table = make_table(from, [shift](std::int64_t v) { return v << shift; });
    return std::make_unique<LutSource>(std::move(source), std::move(info), SampleTables{table, table});
}

std::unique_ptr<FrameSource> make_deeper_full_source(std::unique_ptr<FrameSource> source, int bit_depth) {
    SourceInfo info = source->info();
    const int from = std::exchange(info.format.bit_depth, bit_depth);
    assert(bit_depth >= from);
    if (from == bit_depth)
        return source;
    info.conversions.push_back({fmt::format("bit depth of full range from {} to {}, samples times {}/{}, rounded to "
                                            "nearest",
                                            from, bit_depth, (1 << bit_depth) - 1, (1 << from) - 1)});
    SampleTables tables = full_depth_tables(from, bit_depth);
    return std::make_unique<RangeSource>(std::move(source), std::move(info), std::move(tables));
}

Result<std::unique_ptr<FrameSource>> make_cropped_source(std::unique_ptr<FrameSource> source, const Crop &crop) {
    SourceInfo info = source->info();
    const VideoFormat from = info.format;
    for (const auto &valid : {check_crop(from, crop), check_crop_size(from.chroma, crop)})
        if (!valid)
            return fail(valid.error().code,
                        fmt::format("cannot crop {}: {}", display_name(info.name), valid.error().message));
    info.format = cropped(from, crop);
    info.conversions.push_back({fmt::format("cropped from {}x{} to {}x{} at ({}, {})", from.width, from.height,
                                            crop.width, crop.height, crop.left, crop.top),
                                fmt::format("crop={}:{}:{}:{}", crop.width, crop.height, crop.left, crop.top)});
    return std::make_unique<PartSource>(std::move(source), std::move(info),
                                        [crop](const Frame &frame) { return cropped(frame, crop); });
}

std::unique_ptr<FrameSource> make_luma_source(std::unique_ptr<FrameSource> source) {
    SourceInfo info = source->info();
    info.format.chroma = Chroma::k400;
    info.conversions.push_back({"luma alone", "extractplanes=y"});
    return std::make_unique<PartSource>(std::move(source), std::move(info), luma_of);
}

} // namespace isovmaf
