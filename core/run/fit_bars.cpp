// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/fit_bars.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/crop.hpp"

namespace isovmaf {

namespace {

constexpr std::int64_t most_places = 16;      ///< in each file, evenly spread
constexpr std::int64_t frames_per_place = 48; ///< where a file does not state its number of frames
constexpr int least_lit_frames = 4;           ///< fewer say too little
constexpr int narrow_share = 32;              ///< bars of less than a 32nd of a side may be dark edges
constexpr double most_rounding = 2;           ///< samples: encoders want even sizes

/// A video as a rectangle.
struct Shape {
    double width, height; ///< in samples
    double sample;        ///< width of a sample / its height

    [[nodiscard]] double ratio() const { return width * sample / height; }
};

std::pair<Shape, Shape> shapes_of(const SourceInfo &reference, const SourceInfo &distorted) {
    const auto &r = reference.colour.sample_aspect_ratio, &d = distorted.colour.sample_aspect_ratio;
    const bool known = r && d;
    const auto shape = [&](const SourceInfo &info, const std::optional<Rational> &sample) {
        return Shape{static_cast<double>(info.format.width), static_cast<double>(info.format.height),
                     known ? sample->value() : 1};
    };
    return {shape(reference, r), shape(distorted, d)};
}

/// Whether a picture has this ratio when one of its sides is rounded.
bool is_rounded(const Shape &shape, double ratio) {
    return std::abs(shape.width * shape.sample / ratio - shape.height) <= most_rounding ||
           std::abs(shape.height * ratio / shape.sample - shape.width) <= most_rounding;
}

/// The bars of one direction, and what is known of the picture between them.
struct Candidate {
    const BarredVideo &video;
    std::string_view side;  ///< "reference"
    std::string_view lines; ///< "rows"
    BlackBars::Bars bars;
    Crop crop;
    double wanted;       ///< lines of the picture, if it has the shape of the other video
    double others_lines; ///< that the other video has for them

    [[nodiscard]] bool any() const { return bars.before + bars.after > 0; }
    [[nodiscard]] int size() const { return bars.before + bars.after + left(); }

    /// Whether they are wider than edges of a picture that happen to be dark.
    [[nodiscard]] bool is_wide() const { return (bars.before + bars.after) * narrow_share > size(); }

    [[nodiscard]] int left() const { return lines == "rows" ? crop.height : crop.width; }

    /// Why the bars are not cropped; empty: they are.
    [[nodiscard]] std::string doubt() const {
        if (video.bars.lit_frames() < least_lit_frames)
            return fmt::format("only {} of {} pictures that were looked at are bright enough to tell",
                               video.bars.lit_frames(), video.bars.frames());
        if (!bars.clear)
            return "it is not clear where they end";
        if (std::abs(left() - wanted) > most_rounding * std::max(1.0, wanted / others_lines))
            return fmt::format("what is left without them, {}x{}, has another shape than the other video", crop.width,
                               crop.height);
        if (!check_crop(video.info.format, crop) || !check_crop_size(video.info.format.chroma, crop))
            return "they do not end at whole chroma samples";
        return "";
    }

    [[nodiscard]] std::string text() const {
        return fmt::format("{} {} has {} black {} at the {} and {} at the {}", side, display_name(video.info.name),
                           bars.before, lines, lines == "rows" ? "top" : "left", bars.after,
                           lines == "rows" ? "bottom" : "right");
    }
};

Candidate rows_of(const BarredVideo &video, std::string_view side, const Shape &own, const Shape &other) {
    const BlackBars::Bars bars = video.bars.rows();
    const VideoFormat &format = video.info.format;
    return {video,
            side,
            "rows",
            bars,
            {format.width, format.height - bars.before - bars.after, 0, bars.before},
            own.width * own.sample / other.ratio(),
            other.height};
}

Candidate columns_of(const BarredVideo &video, std::string_view side, const Shape &own, const Shape &other) {
    const BlackBars::Bars bars = video.bars.columns();
    const VideoFormat &format = video.info.format;
    return {video,
            side,
            "columns",
            bars,
            {format.width - bars.before - bars.after, format.height, bars.before, 0},
            own.height * other.ratio() / own.sample,
            other.width};
}

/// Looks at pictures at fixed places.
Result<BlackBars> look_for_bars(FrameSource &source) {
    const SourceInfo &info = source.info();
    BlackBars bars(info.format, info.colour.range == "full");
    TRY(source.prepare({.planes = 1}));
    const std::int64_t frames = info.frame_count.value_or(most_places * frames_per_place);
    const std::int64_t places = std::min(most_places, frames);
    std::int64_t next = 0;
    for (std::int64_t place = 0; place < places; place++) {
        const std::int64_t wanted = (2 * place + 1) * frames / (2 * places);
        if (TRY(skip_frames(source, wanted - next)) < wanted - next)
            break;
        const std::optional<Frame> frame = TRY(read_frame(source));
        if (!frame)
            break;
        bars.see(*frame);
        next = wanted + 1;
    }
    return bars;
}

} // namespace

bool have_same_shape(const SourceInfo &reference, const SourceInfo &distorted) {
    const auto [r, d] = shapes_of(reference, distorted);
    return is_rounded(r, d.ratio()) || is_rounded(d, r.ratio());
}

BarsDecision decide_bars(const BarredVideo &reference, const BarredVideo &distorted) {
    const auto [r, d] = shapes_of(reference.info, distorted.info);
    const bool reference_is_higher = r.ratio() < d.ratio();
    const Candidate of_reference =
        reference_is_higher ? rows_of(reference, "reference", r, d) : columns_of(reference, "reference", r, d);
    const Candidate of_distorted =
        reference_is_higher ? columns_of(distorted, "distorted", d, r) : rows_of(distorted, "distorted", d, r);
    if (!of_reference.any() && !of_distorted.any())
        return {.reason = "neither video has black bars, so that nothing is cropped"};
    const auto crops = [](const Candidate &own, const Candidate &other) {
        return own.any() && own.doubt().empty() && !other.is_wide();
    };
    const bool crop_reference = crops(of_reference, of_distorted), crop_distorted = crops(of_distorted, of_reference);
    if (crop_reference != crop_distorted) {
        const Candidate &barred = crop_reference ? of_reference : of_distorted;
        return {.reference = crop_reference ? std::optional(barred.crop) : std::nullopt,
                .distorted = crop_reference ? std::nullopt : std::optional(barred.crop),
                .reason = barred.text() + ", which the other video has not"};
    }
    const Candidate &named = of_reference.any() ? of_reference : of_distorted;
    const std::string doubt = named.doubt();
    return {.reason = fmt::format("{}, but {}, so that nothing is cropped; --crop does it by hand", named.text(),
                                  doubt.empty() ? "the other video may have bars, too" : doubt)};
}

Result<void> fit_bars(VideoRequest &request, FrameSource &reference, FrameSource &distorted) {
    if (have_same_shape(reference.info(), distorted.info()))
        return {};
    const BarsDecision decision = decide_bars({reference.info(), TRY(look_for_bars(reference))},
                                              {distorted.info(), TRY(look_for_bars(distorted))});
    request.reference.crop = decision.reference;
    request.distorted.crop = decision.distorted;
    const std::optional<Crop> &crop = decision.reference ? decision.reference : decision.distorted;
    request.settled.push_back({crop ? "crop" : "",
                               crop ? fmt::format("{}:{}", decision.reference ? "ref" : "dis", crop_text(*crop)) : "",
                               "--fit: " + decision.reason});
    return {};
}

} // namespace isovmaf
