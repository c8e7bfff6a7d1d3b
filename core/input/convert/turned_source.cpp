// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/turned_source.hpp"

#include <cassert>
#include <cstdint>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/frame_pool.hpp"

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

SourceInfo turned(SourceInfo info, const Turn &turn) {
    ColourDescription &colour = info.colour;
    info.conversions.push_back({fmt::format("turned as players do: rotation {}", rotation_text(colour)), turn.filter});
    colour.rotation = 0;
    colour.mirrored = false;
    if (!turn.swaps_sides)
        return info;
    std::swap(info.format.width, info.format.height);
    colour.chroma_location.clear(); // "left" has become "top"
    if (colour.sample_aspect_ratio)
        std::swap(colour.sample_aspect_ratio->numerator, colour.sample_aspect_ratio->denominator);
    return info;
}

class TurnedSource final : public FrameSource {
  public:
    TurnedSource(std::unique_ptr<FrameSource> source, const Turn &turn)
        : source_(std::move(source)), info_(turned(source_->info(), turn)), turn_(turn),
          pool_(info_.format, ChromaEdge::present) {}

    const SourceInfo &info() const override { return info_; }

    Result<std::optional<Frame>> read() override try {
        auto frame = source_->read();
        if (!frame || !*frame)
            return frame;
        return turn(**frame);
    } catch (const std::bad_alloc &) {
        return fail(ErrorCode::out_of_memory, fmt::format("not enough memory to turn {}", info_.name));
    }

    Result<std::int64_t> skip(std::int64_t count) override { return source_->skip(count); }
    std::string end_warning() const override { return source_->end_warning(); }
    void cancel() override { source_->cancel(); }

  private:
    Frame turn(const Frame &frame) {
        WritableFrame turned = pool_.take();
        for (int p = 0; p < info_.format.plane_count(); p++) {
            const auto i = static_cast<std::size_t>(p);
            const Plane from = frame.stored_plane(p);
            assert(from.width == stored_width(frame.format(), p) && from.height == stored_height(frame.format(), p));
            const auto turn_samples =
                info_.format.bytes_per_sample() == 1 ? turn_plane<std::uint8_t> : turn_plane<std::uint16_t>;
            turn_samples(from, turn_, turned.data[i], turned.stride_bytes[i]);
        }
        turned.frame.set_seconds(frame.seconds());
        if (frame.samples_checked())
            turned.frame.set_samples_checked();
        return turned.frame;
    }

    std::unique_ptr<FrameSource> source_;
    SourceInfo info_;
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
    return std::make_unique<TurnedSource>(std::move(source), *turn);
}

} // namespace isovmaf
