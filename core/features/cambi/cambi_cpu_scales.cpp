// SPDX-License-Identifier: BSD-2-Clause-Patent
// From luma to masks and filtered pictures at all scales, row by row: cambi.md §3 to §5.
#include "features/cambi/cambi_cpu_scales.hpp"

#include <algorithm>

namespace isovmaf {

namespace {

/// The even bits of a word, in its lower half.
std::uint64_t cambi_even_bits(std::uint64_t bits) {
    bits &= 0x5555555555555555;
    bits = (bits | bits >> 1) & 0x3333333333333333;
    bits = (bits | bits >> 2) & 0x0f0f0f0f0f0f0f0f;
    bits = (bits | bits >> 4) & 0x00ff00ff00ff00ff;
    bits = (bits | bits >> 8) & 0x0000ffff0000ffff;
    return (bits | bits >> 16) & 0x00000000ffffffff;
}

int cambi_word_count(int width) { return (width + cambi_word_bits - 1) / cambi_word_bits; }

/// Every second bit of a row of `in_words` words.
void cambi_decimate_bits(const std::uint64_t *in, int in_words, std::uint64_t *out, int out_words) {
    for (int i = 0; i < out_words; i++) {
        const std::uint64_t high = 2 * i + 1 < in_words ? in[2 * i + 1] : 0;
        out[i] = cambi_even_bits(in[2 * i]) | cambi_even_bits(high) << 32;
    }
}

CambiCpuScale take_cambi_scale(const CambiSize &size, Workspace &workspace) {
    CambiCpuScale scale{size.width, size.height, CambiRows<std::uint16_t>::take(size.width, size.height, workspace)};
    scale.mask_words = cambi_word_count(size.width);
    scale.mask =
        workspace
            .take<std::uint64_t>(static_cast<std::size_t>(scale.mask_words) * static_cast<std::size_t>(size.height))
            .data();
    return scale;
}

/// The rows of a preprocessed picture, from the top.
template <class Sample>
class CambiPreprocessing {
  public:
    CambiPreprocessing(const CambiFunctions &functions, const Plane &luma, int bit_depth, const CambiPicture &picture,
                       const CambiPositions &positions, Workspace &workspace)
        : functions_(functions), luma_(luma), bit_depth_(bit_depth), picture_(picture), positions_(positions),
          converted_(CambiRows<std::uint16_t>::take(picture.width, 2, workspace)),
          resampled_(workspace.take<Sample>(static_cast<std::size_t>(picture.width)).data()) {
        if (picture.anti_dither)
            convert(0, converted_.row(0));
    }

    /// Writes row y. Rows are asked for in order.
    void next(int y, std::uint16_t *out) {
        if (!picture_.anti_dither) {
            convert(y, out);
            return;
        }
        const bool has_below = y + 1 < picture_.height;
        std::uint16_t *const below = converted_.row((y + 1) % 2);
        if (has_below)
            convert(y + 1, below);
        functions_.average(converted_.row(y % 2), has_below ? below : nullptr, picture_.width, out);
    }

  private:
    void convert(int y, std::uint16_t *out) {
        const auto index = static_cast<std::size_t>(y);
        const Sample *row = luma_.row<Sample>(positions_.rows.empty() ? y : positions_.rows[index]);
        if (!positions_.columns.empty()) {
            for (int x = 0; x < picture_.width; x++)
                resampled_[x] = row[positions_.columns[static_cast<std::size_t>(x)]];
            row = resampled_;
        }
        if constexpr (sizeof(Sample) == 1)
            functions_.convert_8(row, picture_.width, out);
        else
            functions_.convert_16(row, picture_.width, bit_depth_, out);
    }

    const CambiFunctions &functions_;
    const Plane &luma_;
    int bit_depth_;
    const CambiPicture &picture_;
    const CambiPositions &positions_;
    CambiRows<std::uint16_t> converted_; ///< the row and the one below, before they are averaged
    Sample *resampled_;                  ///< a row at the picture's width
};

/// The mask, from the flat samples of rows that are given in order: §4.
class CambiMaskRows {
  public:
    CambiMaskRows(const CambiFunctions &functions, int width, int height, Workspace &workspace)
        : functions_(functions), width_(width), height_(height),
          threshold_(
              cambi_mask_threshold(static_cast<std::uint32_t>(width >> 6) * static_cast<std::uint32_t>(height >> 6))),
          flat_(CambiRows<std::uint8_t>::take(width, rows, workspace)),
          sums_(CambiRows<std::uint8_t>::take(width, 1, workspace)) {
        std::fill_n(flat_.first - cambi_row_room, flat_.stride * rows, std::uint8_t{0});
        std::fill_n(sums_.first - cambi_row_room, sums_.stride, std::uint8_t{0});
    }

    /// Takes row y of the picture and the one below, which is the same for the last one. Behind the last row come
    /// CAMBI_MASK_RADIUS times nothing. Then row y - CAMBI_MASK_RADIUS of the mask can be had.
    void add(int y, const std::uint16_t *row, const std::uint16_t *below) {
        std::uint8_t *const flat = flat_.row(y % rows), *const sums = sums_.first;
        if (y < height_) {
            functions_.flat_columns(row, below, width_, flat, sums);
            return;
        }
        for (int x = 0; x < width_; x++) {
            sums[x] = static_cast<std::uint8_t>(sums[x] - flat[x]);
            flat[x] = 0;
        }
    }

    void get(std::uint64_t *bits) const { functions_.mask(sums_.first, width_, threshold_, bits); }

  private:
    static constexpr int rows = 2 * CAMBI_MASK_RADIUS + 1;

    const CambiFunctions &functions_;
    int width_, height_, threshold_;
    CambiRows<std::uint8_t> flat_; ///< of the last rows
    CambiRows<std::uint8_t> sums_; ///< of flat_, down the columns
};

/// Filters a scale in place: §5.
void filter_cambi_modes(const CambiFunctions &functions, const CambiCpuScale &scale, Workspace &workspace) {
    constexpr int rows = 3;
    const auto along = CambiRows<std::uint16_t>::take(scale.width, rows, workspace);
    for (int y = 0; y < scale.height; y++) {
        functions.mode_along(scale.samples.row(y), scale.width, along.row(y % rows));
        if (y >= 2)
            functions.mode_down(along.row((y - 2) % rows), along.row((y - 1) % rows), along.row(y % rows), scale.width,
                                scale.samples.row(y - 1));
    }
}

CambiCpuScale decimate_cambi_scale(const CambiFunctions &functions, const CambiCpuScale &in, Workspace &workspace) {
    const CambiCpuScale out = take_cambi_scale({(in.width + 1) / 2, (in.height + 1) / 2}, workspace);
    for (int y = 0; y < out.height; y++) {
        functions.decimate(in.samples.row(2 * y), out.width, out.samples.row(y));
        cambi_decimate_bits(in.mask_row(2 * y), in.mask_words, out.mask_row(y), out.mask_words);
    }
    return out;
}

void put_cambi_row(Taps taps, int stage, int y, const std::uint16_t *row, int width) {
    for (int x = 0; x < width && taps.memory; x++)
        taps.put(stage, x, y, row[x]);
}

void put_cambi_mask(Taps taps, int stage, const CambiCpuScale &scale) {
    for (int y = 0; y < scale.height && taps.memory; y++)
        for (int x = 0; x < scale.width; x++)
            taps.put(stage, x, y, scale.mask_row(y)[x / cambi_word_bits] >> (x % cambi_word_bits) & 1);
}

/// Scale 0 before the filter.
template <class Sample>
CambiCpuScale first_cambi_scale(const CambiFunctions &functions, CambiPreprocessing<Sample> rows,
                                const CambiPicture &picture, Workspace &workspace, Taps taps, int stage) {
    const int width = picture.width, height = picture.height;
    const CambiCpuScale scale = take_cambi_scale(cambi_scale_sizes(picture)[0], workspace);
    CambiMaskRows mask(functions, width, height, workspace);
    const auto pair = CambiRows<std::uint16_t>::take(width, 2, workspace); // rows, where they are decimated
    const int words = cambi_word_count(width);
    std::uint64_t *const bits = workspace.take<std::uint64_t>(static_cast<std::size_t>(words)).data();
    const auto row = [&](int y) { return picture.halved ? pair.row(y % 2) : scale.samples.row(y); };
    const auto prepare = [&](int y) {
        rows.next(y, row(y));
        put_cambi_row(taps, stage, y, row(y), width);
        if (picture.halved && y % 2 == 0)
            functions.decimate(row(y), scale.width, scale.samples.row(y / 2));
    };
    prepare(0);
    for (int y = 0; y < height + CAMBI_MASK_RADIUS; y++) {
        if (y + 1 < height)
            prepare(y + 1);
        const int last = height - 1;
        mask.add(y, row(std::min(y, last)), row(std::min(y + 1, last)));
        const int done = y - CAMBI_MASK_RADIUS;
        if (done >= 0 && !picture.halved) {
            mask.get(scale.mask_row(done));
        } else if (done >= 0 && done % 2 == 0) {
            mask.get(bits);
            cambi_decimate_bits(bits, words, scale.mask_row(done / 2), scale.mask_words);
        }
    }
    return scale;
}

} // namespace

template <class Sample>
CambiCpuScales make_cambi_scales(const CambiFunctions &functions, const Plane &luma, int bit_depth,
                                 const CambiPicture &picture, const CambiPositions &positions, Workspace &workspace,
                                 Taps taps, const CambiStages &stages, std::size_t index) {
    CambiCpuScales scales;
    for (std::size_t k = 0; k < scales.size(); k++) {
        scales[k] = k == 0 ? first_cambi_scale(
                                 functions,
                                 CambiPreprocessing<Sample>(functions, luma, bit_depth, picture, positions, workspace),
                                 picture, workspace, taps, stages.preprocessed(index))
                           : decimate_cambi_scale(functions, scales[k - 1], workspace);
        filter_cambi_modes(functions, scales[k], workspace);
        for (int y = 0; y < scales[k].height; y++)
            put_cambi_row(taps, stages.filtered(index, k), y, scales[k].samples.row(y), scales[k].width);
    }
    put_cambi_mask(taps, stages.mask(index), scales[0]);
    return scales;
}

template CambiCpuScales make_cambi_scales<std::uint8_t>(const CambiFunctions &, const Plane &, int,
                                                        const CambiPicture &, const CambiPositions &, Workspace &, Taps,
                                                        const CambiStages &, std::size_t);
template CambiCpuScales make_cambi_scales<std::uint16_t>(const CambiFunctions &, const Plane &, int,
                                                         const CambiPicture &, const CambiPositions &, Workspace &,
                                                         Taps, const CambiStages &, std::size_t);

} // namespace isovmaf
