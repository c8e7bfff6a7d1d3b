// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/turned_source.hpp"

#include <cassert>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "frame/frame_pool.hpp"
#include "input/convert/per_frame_source.hpp"

namespace isovmaf {

namespace {

/// Where the first sample of a turned picture is in the stored one, and whether its rows are stored columns.
struct Turn {
    bool from_right = false;
    bool from_bottom = false;
    bool swaps_sides = false;
    const char *filter = ""; ///< of ffmpeg
};

/// Nothing for other angles. A mirrored picture has its rows, as players show them, in the other order.
std::optional<Turn> turn_of(const ColourDescription &colour) {
    const bool mirrored = colour.mirrored;
    switch (colour.rotation) {
    case 0:
        return mirrored ? Turn{false, true, false, "vflip"} : Turn{};
    case 90:
        return mirrored ? Turn{false, false, true, "transpose=cclock_flip"}
                        : Turn{false, true, true, "transpose=clock"};
    case 180:
        return mirrored ? Turn{true, false, false, "hflip"} : Turn{true, true, false, "hflip,vflip"};
    case 270:
        return mirrored ? Turn{true, true, true, "transpose=clock_flip"} : Turn{true, false, true, "transpose=cclock"};
    default:
        return std::nullopt;
    }
}

template <class Sample>
void turn_plane(const Plane &from, const Turn &turn, std::byte *to, std::ptrdiff_t stride_bytes) {
    const int width = turn.swaps_sides ? from.height : from.width, height = turn.swaps_sides ? from.width : from.height;
    for (int y = 0; y < height; y++) {
        auto *const out = reinterpret_cast<Sample *>(to + y * stride_bytes);
        for (int x = 0; x < width; x++) {
            const int column = turn.swaps_sides ? y : x, row = turn.swaps_sides ? x : y;
            out[x] = from.row<Sample>(turn.from_bottom ? from.height - 1 - row
                                                       : row)[turn.from_right ? from.width - 1 - column : column];
        }
    }
}

ColourDescription turned(ColourDescription colour, const Turn &turn) {
    colour.rotation = 0;
    colour.mirrored = false;
    if (!turn.swaps_sides)
        return colour;
    colour.chroma_location.clear(); // "left" has become "top"
    if (colour.sample_aspect_ratio)
        std::swap(colour.sample_aspect_ratio->numerator, colour.sample_aspect_ratio->denominator);
    return colour;
}

SourceInfo turned(SourceInfo info, const Turn &turn) {
    info.conversions.push_back(
        {fmt::format("turned as players do: rotation {}", rotation_text(info.colour)), turn.filter});
    info.colour = turned(info.colour, turn);
    if (turn.swaps_sides)
        std::swap(info.format.width, info.format.height);
    return info;
}

class TurnedSource final : public PerFrameSource {
  public:
    TurnedSource(std::unique_ptr<FrameSource> source, SourceInfo info, const Turn &turn)
        : PerFrameSource(std::move(source), std::move(info)), turn_(turn),
          pool_(this->info().format, ChromaEdge::present) {}

  private:
    Result<Frame> make(const Frame &frame) override {
        WritableFrame turned = pool_.take();
        const VideoFormat &format = info().format;
        const auto turn_samples = format.bytes_per_sample() == 1 ? turn_plane<std::uint8_t> : turn_plane<std::uint16_t>;
        for (int p = 0; p < format.plane_count(); p++) {
            const auto i = static_cast<std::size_t>(p);
            const Plane from = frame.stored_plane(p);
            assert(from.width == stored_width(frame.format(), p) && from.height == stored_height(frame.format(), p));
            turn_samples(from, turn_, turned.data[i], turned.stride_bytes[i]);
        }
        if (frame.samples_checked())
            turned.frame.set_samples_checked();
        return turned.frame;
    }

    /// All pictures are turned as the first one.
    ColourChange make_change(const ColourChange &change) const override {
        const std::string began = rotation_text(converted_info().colour), now = rotation_text(change.colour);
        return {turned(change.colour, turn_),
                now == began ? change.conflict : fmt::format("rotation from {} to {}", began, now)};
    }

    Turn turn_;
    FramePool pool_;
};

} // namespace

Result<std::unique_ptr<FrameSource>> make_turned_source(std::unique_ptr<FrameSource> source) {
    const SourceInfo &info = source->info();
    const std::optional<Turn> turn = turn_of(info.colour);
    if (!turn)
        return fail(ErrorCode::unsupported,
                    fmt::format("cannot turn {} by {} degrees: only multiples of 90 move whole samples; turn it first, "
                                "for example with ffmpeg -vf rotate",
                                display_name(info.name), info.colour.rotation));
    if (turn->swaps_sides && info.format.chroma == Chroma::k422)
        return fail(ErrorCode::unsupported,
                    fmt::format("cannot turn {} by {} degrees: its chroma is 4:2:2, and no format has fewer chroma "
                                "rows than columns; convert it too, with 420p{} or 444p{}",
                                display_name(info.name), info.colour.rotation, info.format.bit_depth,
                                info.format.bit_depth));
    if (*turn->filter == '\0')
        return source;
    SourceInfo upright = turned(info, *turn);
    return std::make_unique<TurnedSource>(std::move(source), std::move(upright), *turn);
}

} // namespace isovmaf
