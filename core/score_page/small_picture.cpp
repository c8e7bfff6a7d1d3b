// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/small_picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <string_view>

namespace isovmaf {

namespace {

constexpr int largest_factor = 64;

/// Shares of red and blue in luma.
struct LumaWeights {
    double red, blue;
};

constexpr LumaWeights bt601{0.299, 0.114}, bt709{0.2126, 0.0722}, bt2020{0.2627, 0.0593};

LumaWeights weights_of(std::string_view matrix, int height) {
    if (matrix == "bt709")
        return bt709;
    if (matrix == "bt470bg" || matrix == "smpte170m" || matrix == "smpte240m" || matrix == "fcc")
        return bt601;
    if (matrix.starts_with("bt2020"))
        return bt2020;
    return height >= 720 ? bt709 : bt601;
}

struct Range {
    int begin, end;
    [[nodiscard]] int size() const { return end - begin; }
};

/// How the samples of a frame become those of a small picture.
class Shrinking {
  public:
    explicit Shrinking(const VideoFormat &format)
        : format_(format), n_((std::max(format.width, format.height) + largest_small_side - 1) / largest_small_side) {}

    [[nodiscard]] int width() const { return std::max(1, format_.width / n_); }
    [[nodiscard]] int height() const { return std::max(1, format_.height / n_); }

    /// The samples of a plane that belong to one place: one at least, also of subsampled chroma.
    [[nodiscard]] Range columns(int plane, int x) const {
        return part(x, plane == 0 ? 0 : format_.chroma_shift_x(), format_.plane_width(plane));
    }
    [[nodiscard]] Range rows(int plane, int y) const {
        return part(y, plane == 0 ? 0 : format_.chroma_shift_y(), format_.plane_height(plane));
    }

  private:
    [[nodiscard]] Range part(int place, int shift, int side) const {
        const int begin = std::min((place * n_) >> shift, side - 1);
        return {begin, std::clamp(((place + 1) * n_) >> shift, begin + 1, side)};
    }

    VideoFormat format_;
    int n_; ///< samples of a side that become one
};

/// Adds the samples of a row, or, with another plane, their distances to the samples of that plane.
template <class Sample>
void add_row(const Plane &plane, const Plane *other, int y, std::vector<std::uint32_t> &sums) {
    const Sample *row = plane.row<Sample>(y), *against = other ? other->row<Sample>(y) : nullptr;
    const std::size_t width = sums.size();
    if (!against)
        for (std::size_t x = 0; x < width; x++)
            sums[x] += row[x];
    else
        for (std::size_t x = 0; x < width; x++)
            sums[x] += static_cast<std::uint32_t>(std::abs(row[x] - against[x]));
}

/// The means of the samples of each place, in 8-bit levels, row by row; with another frame, of the absolute
/// differences.
std::vector<double> means(const Frame &frame, int p, const Frame *other = nullptr) {
    const Shrinking shrinking(frame.format());
    const int bit_depth = frame.format().bit_depth;
    const Plane plane = frame.plane(p);
    const Plane against = other ? other->plane(p) : Plane();
    std::vector<double> levels;
    levels.reserve(static_cast<std::size_t>(shrinking.width()) * static_cast<std::size_t>(shrinking.height()));
    for (int y = 0; y < shrinking.height(); y++) {
        std::vector<std::uint32_t> sums(static_cast<std::size_t>(plane.width)); // at most 52 rows of 16 bits
        const Range rows = shrinking.rows(p, y);
        for (int row = rows.begin; row < rows.end; row++)
            bit_depth == 8 ? add_row<std::uint8_t>(plane, other ? &against : nullptr, row, sums)
                           : add_row<std::uint16_t>(plane, other ? &against : nullptr, row, sums);
        for (int x = 0; x < shrinking.width(); x++) {
            const Range columns = shrinking.columns(p, x);
            const auto sum =
                std::accumulate(sums.begin() + columns.begin, sums.begin() + columns.end, std::uint64_t{0});
            levels.push_back(static_cast<double>(sum) / (rows.size() * columns.size() * (1 << (bit_depth - 8))));
        }
    }
    return levels;
}

std::uint8_t eight_bits(double level) { return static_cast<std::uint8_t>(std::clamp(level, 0.0, 255.0) + 0.5); }

/// Y, Cb and Cr in 8-bit levels, from the colour of the video to that of JPEG.
class ColourConversion {
  public:
    ColourConversion(const PictureColour &colour, int height)
        : from_(weights_of(colour.matrix, height)), black_(colour.full_range ? 0 : 16),
          luma_levels_(colour.full_range ? 255 : 219), chroma_levels_(colour.full_range ? 255 : 224) {}

    [[nodiscard]] std::array<std::uint8_t, 3> convert(const std::array<double, 3> &levels) const {
        const double luma = (levels[0] - black_) / luma_levels_;
        const double cb = (levels[1] - 128) / chroma_levels_, cr = (levels[2] - 128) / chroma_levels_;
        const double red = luma + 2 * (1 - from_.red) * cr, blue = luma + 2 * (1 - from_.blue) * cb;
        const double green = (luma - from_.red * red - from_.blue * blue) / (1 - from_.red - from_.blue);
        const double r = std::clamp(red, 0.0, 1.0), g = std::clamp(green, 0.0, 1.0), b = std::clamp(blue, 0.0, 1.0);
        const double y = bt601.red * r + (1 - bt601.red - bt601.blue) * g + bt601.blue * b;
        return {eight_bits(255 * y), eight_bits(128 + 255 * (b - y) / 2 / (1 - bt601.blue)),
                eight_bits(128 + 255 * (r - y) / 2 / (1 - bt601.red))};
    }

  private:
    LumaWeights from_;
    double black_, luma_levels_, chroma_levels_;
};

/// The largest factor that keeps 99 % of the levels below 256.
int factor_of(std::vector<double> levels) {
    const auto rank = static_cast<std::ptrdiff_t>((levels.size() - 1) * 99 / 100);
    std::nth_element(levels.begin(), levels.begin() + rank, levels.end());
    int factor = 1;
    while (factor < largest_factor && levels[static_cast<std::size_t>(rank)] * factor * 2 < 256)
        factor *= 2;
    return factor;
}

} // namespace

SmallPicture shrink(const Frame &frame, const PictureColour &colour) {
    const Shrinking shrinking(frame.format());
    const ColourConversion conversion(colour, frame.format().height);
    const bool gray = frame.format().chroma == Chroma::k400 || frame.plane(1).width == 0 || frame.plane(1).height == 0;
    SmallPicture picture{shrinking.width(), shrinking.height(), {}};
    const std::vector<double> luma = means(frame, 0);
    const std::vector<double> cb = gray ? std::vector<double>(luma.size(), 128) : means(frame, 1);
    const std::vector<double> cr = gray ? cb : means(frame, 2);
    for (auto &plane : picture.planes)
        plane.resize(luma.size());
    for (std::size_t i = 0; i < luma.size(); i++) {
        const auto samples = conversion.convert({luma[i], cb[i], cr[i]});
        for (std::size_t p = 0; p < samples.size(); p++)
            picture.planes[p][i] = samples[p];
    }
    return picture;
}

DifferencePicture shrink_difference(const FramePair &pair) {
    const Shrinking shrinking(pair.reference.format());
    const std::vector<double> levels = means(pair.reference, 0, &pair.distorted);
    DifferencePicture difference{{shrinking.width(), shrinking.height(), {}}, factor_of(levels)};
    auto &planes = difference.picture.planes;
    for (const double level : levels)
        planes[0].push_back(eight_bits(level * difference.factor));
    planes[1].assign(levels.size(), 128);
    planes[2].assign(levels.size(), 128);
    return difference;
}

namespace {

/// The largest share of a map in the part of its picture that belongs to a place of a small picture.
class MapParts {
  public:
    MapParts(const MapShares &map, int width, int height) : map_(map), width_(width), height_(height) {}

    [[nodiscard]] float largest(int x, int y) const {
        float most = 0;
        const Range rows = part(y, height_, map_.height), columns = part(x, width_, map_.width);
        for (int row = rows.begin; row < rows.end; row++)
            for (int column = columns.begin; column < columns.end; column++)
                most = std::max(most, map_.shares[static_cast<std::size_t>(row) * static_cast<std::size_t>(map_.width) +
                                                  static_cast<std::size_t>(column)]);
        return most;
    }

  private:
    static Range part(int place, int places, int side) {
        const auto begin = static_cast<int>(std::int64_t{place} * side / places);
        return {begin, std::max(begin + 1, static_cast<int>((std::int64_t{place} + 1) * side / places))};
    }

    const MapShares &map_;
    int width_, height_;
};

} // namespace

SmallPicture shrink_maps(const VideoFormat &format, std::span<const MapShares> maps) {
    const Shrinking shrinking(format);
    SmallPicture picture{shrinking.width(), shrinking.height(), {}};
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < picture.width; x++) {
            float share = 0;
            for (const MapShares &map : maps)
                share = std::max(share, MapParts(map, picture.width, picture.height).largest(x, y));
            picture.planes[0].push_back(eight_bits(255 * std::sqrt(static_cast<double>(share))));
        }
    picture.planes[1].assign(picture.planes[0].size(), 128);
    picture.planes[2] = picture.planes[1];
    return picture;
}

} // namespace isovmaf
