// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of CAMBI's sums, from cambi.md §3 to §7.
#include "features/cambi/cambi.hpp"

#include <algorithm>

namespace isovmaf {

namespace {

/// A plane of values. Rows follow each other without gaps.
template <class T>
struct CambiPlane {
    int width = 0, height = 0;
    std::vector<T> values = {};

    CambiPlane(int plane_width, int plane_height) : width(plane_width), height(plane_height) {
        values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    }
    T &at(int x, int y) {
        return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
    const T &at(int x, int y) const { return const_cast<CambiPlane *>(this)->at(x, y); }
};
using CambiSamples = CambiPlane<std::uint32_t>;
using CambiMask = CambiPlane<std::uint8_t>; // 0 or 1

/// §3: to 10 bits and to the picture's size.
template <class Sample>
CambiSamples resample(const Plane &luma, int bit_depth, const CambiPicture &picture) {
    CambiSamples samples(picture.width, picture.height);
    const std::vector<int> columns = cambi_scaled_positions(luma.width, picture.width);
    const std::vector<int> rows = cambi_scaled_positions(luma.height, picture.height);
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < picture.width; x++)
            samples.at(x, y) = cambi_to_10_bits(
                luma.row<Sample>(rows[static_cast<std::size_t>(y)])[columns[static_cast<std::size_t>(x)]], bit_depth);
    return samples;
}

/// §3: averages each sample with its neighbours on the right and below.
CambiSamples average(const CambiSamples &in) {
    CambiSamples out = in;
    for (int y = 0; y < in.height; y++)
        for (int x = 0; x < in.width; x++) {
            const bool has_right = x + 1 < in.width, has_below = y + 1 < in.height;
            if (has_right && has_below)
                out.at(x, y) = (in.at(x, y) + in.at(x + 1, y) + in.at(x, y + 1) + in.at(x + 1, y + 1)) >> 2;
            else if (has_below)
                out.at(x, y) = (in.at(x, y) + in.at(x, y + 1)) >> 1;
            else if (has_right)
                out.at(x, y) = (in.at(x, y) + in.at(x + 1, y)) >> 1;
        }
    return out;
}

/// §4: the pixels in flat surroundings.
CambiMask make_mask(const CambiSamples &in) {
    CambiMask flat(in.width, in.height), mask(in.width, in.height);
    for (int y = 0; y < in.height; y++)
        for (int x = 0; x < in.width; x++)
            flat.at(x, y) = (x + 1 == in.width || in.at(x, y) == in.at(x + 1, y)) &&
                            (y + 1 == in.height || in.at(x, y) == in.at(x, y + 1));
    const int threshold =
        cambi_mask_threshold(static_cast<std::uint32_t>(in.width >> 6) * static_cast<std::uint32_t>(in.height >> 6));
    for (int y = 0; y < in.height; y++)
        for (int x = 0; x < in.width; x++) {
            int count = 0;
            for (int j = std::max(y - CAMBI_MASK_RADIUS, 0); j <= std::min(y + CAMBI_MASK_RADIUS, in.height - 1); j++)
                for (int i = std::max(x - CAMBI_MASK_RADIUS, 0); i <= std::min(x + CAMBI_MASK_RADIUS, in.width - 1);
                     i++)
                    count += flat.at(i, j);
            mask.at(x, y) = count > threshold;
        }
    return mask;
}

/// §5: every second sample of every second row.
template <class T>
CambiPlane<T> decimate(const CambiPlane<T> &in) {
    CambiPlane<T> out((in.width + 1) / 2, (in.height + 1) / 2);
    for (int y = 0; y < out.height; y++)
        for (int x = 0; x < out.width; x++)
            out.at(x, y) = in.at(2 * x, 2 * y);
    return out;
}

/// §5: filters along the rows, then down the columns. The first and the last row stay as they are.
CambiSamples filter_modes(const CambiSamples &in) {
    CambiSamples along = in, out = in;
    for (int y = 0; y < in.height; y++)
        for (int x = 1; x + 1 < in.width; x++)
            along.at(x, y) = cambi_mode(in.at(x - 1, y), in.at(x, y), in.at(x + 1, y));
    for (int y = 1; y + 1 < in.height; y++)
        for (int x = 0; x < in.width; x++)
            out.at(x, y) = cambi_mode(along.at(x, y - 1), along.at(x, y), along.at(x, y + 1));
    return out;
}

struct CambiScale {
    CambiSamples samples; ///< filtered
    CambiMask mask;
};

/// §6
float c_value(const CambiScale &scale, const CambiContrast &contrast, int x, int y) {
    if (!scale.mask.at(x, y))
        return 0;
    const auto value = static_cast<int>(scale.samples.at(x, y));
    const int steps = contrast.steps, radius = contrast.radius();
    std::array<std::uint32_t, 2 * CAMBI_LARGEST_STEP + 1> counts{}; // [steps + d]: of value + d
    for (int j = std::max(y - radius, 0); j <= std::min(y + radius, scale.samples.height - 1); j++)
        for (int i = std::max(x - radius, 0); i <= std::min(x + radius, scale.samples.width - 1); i++) {
            const int difference = static_cast<int>(scale.samples.at(i, j)) - value;
            if (scale.mask.at(i, j) && std::abs(difference) <= steps)
                counts[static_cast<std::size_t>(steps + difference)]++;
        }
    const auto count = [&](int d) { return counts[static_cast<std::size_t>(steps + d)]; };
    float largest = 0;
    for (int d = 1; d <= steps; d++)
        if (contrast.is_visible(value, d)) {
            const std::uint32_t other = std::max(count(d), count(-d));
            largest = std::max(
                largest, cambi_contrast(cambi_weights[d - 1], count(0), other, cambi_reciprocals()[count(0) + other]));
        }
    return largest;
}

template <class Sample>
class CambiReference final : public Extractor {
  public:
    CambiReference(int bit_depth, CambiDemand demand)
        : bit_depth_(bit_depth), demand_(std::move(demand)), stages_(cambi_stages(demand_)) {}

    void extract(const PictureWindow &frames, Workspace &, Words words, Taps taps) const override {
        words[demand_.word_count()] = 0; // no flag
        std::vector<std::vector<CambiScale>> pictures;
        for (std::size_t i = 0; i < demand_.pictures.size(); i++)
            pictures.push_back(make_scales(frames, i, taps));
        for (std::size_t i = 0; i < demand_.counts.size(); i++)
            for (std::size_t scale = 0; scale < CAMBI_SCALE_COUNT; scale++) {
                const CambiPlane<float> values =
                    c_values(pictures[demand_.counts[i].picture][scale], demand_.counts[i].contrast);
                put(taps, stages_.c_values(i, scale), values);
                pool(i, scale, values.values, words);
            }
    }

  private:
    std::vector<CambiScale> make_scales(const PictureWindow &frames, std::size_t index, Taps taps) const {
        const CambiPicture &picture = demand_.pictures[index];
        const Plane &luma = (picture.is_source ? frames.reference : frames.distorted)->plane(0);
        CambiSamples samples = resample<Sample>(luma, bit_depth_, picture);
        if (picture.anti_dither)
            samples = average(samples);
        put(taps, stages_.preprocessed(index), samples);
        CambiMask mask = make_mask(samples);
        std::vector<CambiScale> scales;
        for (std::size_t scale = 0; scale < CAMBI_SCALE_COUNT; scale++) {
            if (scale > 0 || picture.halved) {
                samples = decimate(samples);
                mask = decimate(mask);
            }
            if (scale == 0)
                put(taps, stages_.mask(index), mask);
            samples = filter_modes(samples);
            put(taps, stages_.filtered(index, scale), samples);
            scales.push_back({samples, mask});
        }
        return scales;
    }

    static CambiPlane<float> c_values(const CambiScale &scale, const CambiContrast &contrast) {
        CambiPlane<float> values(scale.samples.width, scale.samples.height);
        for (int y = 0; y < values.height; y++)
            for (int x = 0; x < values.width; x++)
                values.at(x, y) = c_value(scale, contrast, x, y);
        return values;
    }

    /// §7: writes the words of all sums of these c-values.
    void pool(std::size_t counts, std::size_t scale, const std::vector<float> &values, Words words) const {
        for (std::size_t i = 0; i < demand_.sums.size(); i++)
            if (demand_.sums[i].counts == counts) {
                std::vector<float> moved = values;
                words[i * CAMBI_SCALE_COUNT + scale] =
                    word_of(cambi_pooled_sum(moved, cambi_pooled_count(demand_.sums[i].topk, moved.size())));
            }
    }

    template <class T>
    static void put(Taps taps, int stage, const CambiPlane<T> &plane) {
        for (int y = 0; y < plane.height && taps.memory; y++)
            for (int x = 0; x < plane.width; x++)
                if constexpr (std::is_same_v<T, float>)
                    taps.put_f32(stage, x, y, plane.at(x, y));
                else
                    taps.put(stage, x, y, plane.at(x, y));
    }

    int bit_depth_;
    CambiDemand demand_;
    CambiStages stages_;
};

} // namespace

std::unique_ptr<Extractor> make_cambi_reference(const VideoFormat &format, const CambiDemand &demand) {
    if (format.bytes_per_sample() == 1)
        return std::make_unique<CambiReference<std::uint8_t>>(format.bit_depth, demand);
    return std::make_unique<CambiReference<std::uint16_t>>(format.bit_depth, demand);
}

} // namespace isovmaf
