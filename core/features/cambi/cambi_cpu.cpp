// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of CAMBI: cambi_vectors.cpp picture by picture and scale by scale. It counts in windows that move down:
// for each value that a scale has there is a row of counts, of how often the value stands in the window around each
// column. A pixel that a window gains or loses changes counts of its own value alone.
#include "features/cambi/cambi_cpu_scales.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(CambiFunctions, cambi_functions);

namespace {

/// The counts of one scale, and which steps are looked at.
class CambiWindows {
  public:
    CambiWindows(const CambiFunctions &functions, const CambiCpuScale &scale, const CambiContrast &contrast,
                 Workspace &workspace)
        : functions_(functions), scale_(scale), radius_(contrast.radius()), rows_(row_count), steps_(value_count),
          no_pixels_(static_cast<std::size_t>(scale.mask_words)) {
        std::vector<std::uint8_t> present(value_count);
        for (int y = 0; y < scale.height; y++)
            functions.mark_values(scale.samples.row(y), scale.mask_row(y), scale.width, present.data());
        const auto stride = static_cast<std::uint32_t>(align_up(scale.width, cambi_word_bits) + 2 * cambi_row_room);
        std::uint32_t used = 1; // the first row is that of values that are not there
        rows_.assign(row_count, cambi_row_room);
        for (std::size_t value = 0; value < value_count; value++)
            if (present[value])
                rows_[CAMBI_LARGEST_STEP + value] = stride * used++ + cambi_row_room;
        for (std::size_t value = 0; value < value_count; value++)
            if (present[value])
                steps_[value] = visible_steps(static_cast<int>(value), contrast);
        counts_ = workspace.take<std::uint16_t>(std::size_t{stride} * used);
        clear();
    }

    /// Moves to the first row again.
    void clear() {
        std::ranges::fill(counts_, std::uint16_t{0});
        next_ = -radius_;
    }

    /// Moves the windows to row y, where they have not been: rows come in order.
    void move_to(int y) {
        for (; next_ <= y; next_++) {
            const int enters = next_ + radius_, leaves = next_ - radius_ - 1;
            functions_.move_windows(samples(enters), mask(enters), samples(leaves), mask(leaves), scale_.width,
                                    histogram());
        }
    }

    /// c-values of row y, to which the windows were moved.
    std::ptrdiff_t c_values(int y, bool in_place, float *out) const {
        return functions_.c_values(samples(y), mask(y), scale_.width, histogram(), in_place, out);
    }

  private:
    static constexpr std::size_t value_count = CAMBI_LARGEST_SAMPLE + 1;
    static constexpr std::size_t row_count = value_count + 2 * CAMBI_LARGEST_STEP;

    [[nodiscard]] bool is_inside(int y) const { return y >= 0 && y < scale_.height; }
    [[nodiscard]] const std::uint16_t *samples(int y) const { return scale_.samples.row(is_inside(y) ? y : 0); }
    [[nodiscard]] const std::uint64_t *mask(int y) const {
        return is_inside(y) ? scale_.mask_row(y) : no_pixels_.data();
    }
    [[nodiscard]] CambiHistogram histogram() const {
        return {counts_.data(), rows_.data(), steps_.data(), cambi_reciprocals().data(), radius_};
    }

    /// Steps that are visible at a value, and have pixels.
    [[nodiscard]] std::uint32_t visible_steps(int value, const CambiContrast &contrast) const {
        const auto has_pixels = [&](int other) {
            return rows_[static_cast<std::size_t>(CAMBI_LARGEST_STEP + other)] != cambi_row_room;
        };
        std::uint32_t steps = 0;
        for (int d = 1; d <= contrast.steps; d++)
            if (contrast.is_visible(value, d) && (has_pixels(value + d) || has_pixels(value - d)))
                steps |= std::uint32_t{1} << (d - 1);
        return steps;
    }

    const CambiFunctions &functions_;
    const CambiCpuScale &scale_;
    int radius_;
    std::vector<std::uint32_t> rows_, steps_; ///< as in CambiHistogram
    std::vector<std::uint64_t> no_pixels_;    ///< the mask of rows outside the picture
    std::span<std::uint16_t> counts_;
    int next_ = 0; ///< row to which the windows move next
};

/// How often each digit stands in the bits of values: digits of `width` bits, from bit `shift` on.
std::vector<std::int64_t> cambi_count_digits(std::span<const float> values, int width, int shift) {
    constexpr std::size_t turns = 4; // neighbours are often equal: in one array they would wait for each other
    std::vector<std::array<std::uint32_t, turns>> counts(std::size_t{1} << width);
    for (std::size_t i = 0; i < values.size(); i++)
        counts[std::bit_cast<std::uint32_t>(values[i]) >> shift & ((1U << width) - 1)][i % turns]++;
    std::vector<std::int64_t> sums;
    for (const auto &count : counts)
        sums.push_back(std::accumulate(count.begin(), count.end(), std::int64_t{0}));
    return sums;
}

/// The values with that digit, of which there are `count`.
std::vector<float> cambi_with_digit(std::span<const float> values, int width, int shift, std::size_t digit,
                                    std::int64_t count) {
    std::vector<float> found(static_cast<std::size_t>(count) + 1); // the last place is written and not used
    std::size_t next = 0;
    for (const float value : values) {
        found[next] = value;
        next += (std::bit_cast<std::uint32_t>(value) >> shift & ((1U << width) - 1)) == digit ? std::size_t{1} : 0;
    }
    found.pop_back();
    return found;
}

/// The `wanted`th largest of some values, all at least 0. Positive floats have the order of their bits, of which the
/// upper ones are found first.
float cambi_nth_largest(std::span<const float> values, std::int64_t wanted) {
    std::vector<float> candidates; // with the digits that were found
    int shift = 31;
    for (const int width : {11, 10, 10}) {
        shift -= width;
        const std::vector<std::int64_t> counts = cambi_count_digits(values, width, shift);
        std::size_t digit = counts.size() - 1;
        for (; counts[digit] < wanted; digit--)
            wanted -= counts[digit];
        candidates = cambi_with_digit(values, width, shift, digit, counts[digit]);
        values = candidates;
    }
    return values.front();
}

/// Whether the f64 sum of the values from `smallest` on, or of some of those that equal it and all larger ones, has no
/// rounding in any order: cambi_is_exact. Where it rounds, it is still as large as the exact sum has to be for that.
bool cambi_sum_is_exact(std::span<const float> values, float smallest, double sum) {
    constexpr double always_exact = 1 << 29, no_more = 0x1p39; // in units, 2^53 and 2^63
    if (sum < always_exact || sum >= no_more)
        return sum < always_exact;
    std::uint32_t lowest = 0;
    for (const float value : values)
        if (value >= smallest)
            lowest |= static_cast<std::uint32_t>(cambi_units(f32_bits(value)));
    return cambi_is_exact(static_cast<std::uint64_t>(sum * (1 << CAMBI_UNIT_BITS)), lowest);
}

class CambiPath final : public BandedExtractor {
  public:
    CambiPath(const VideoFormat &format, CambiDemand demand, CpuLevel level, const CambiFunctions &functions)
        : BandedExtractor(level), format_(format), demand_(std::move(demand)), stages_(cambi_stages(demand_)),
          functions_(functions) {
        for (const CambiPicture &picture : demand_.pictures)
            positions_.push_back(picture.width == format.width && picture.height == format.height
                                     ? CambiPositions{}
                                     : CambiPositions{cambi_scaled_positions(format.width, picture.width),
                                                      cambi_scaled_positions(format.height, picture.height)});
    }

    /// What the largest c-values are can be said of whole pictures alone.
    [[nodiscard]] int most_bands() const override { return 1; }

    void extract_band(const PictureWindow &frames, Band, Workspace &workspace, Words words, Taps taps) const override {
        words[demand_.word_count()] = 0; // no flag
        std::vector<CambiCpuScales> pictures;
        for (std::size_t i = 0; i < demand_.pictures.size(); i++)
            pictures.push_back(make_scales(frames, i, workspace, taps));
        for (std::size_t i = 0; i < demand_.counts.size(); i++)
            for (std::size_t scale = 0; scale < CAMBI_SCALE_COUNT; scale++)
                count(i, scale, pictures[demand_.counts[i].picture][scale], workspace, words, taps);
    }

  private:
    CambiCpuScales make_scales(const PictureWindow &frames, std::size_t index, Workspace &workspace, Taps taps) const {
        const CambiPicture &picture = demand_.pictures[index];
        const Plane &luma = (picture.is_source ? frames.reference : frames.distorted)->plane(0);
        const auto make =
            format_.bytes_per_sample() == 1 ? make_cambi_scales<std::uint8_t> : make_cambi_scales<std::uint16_t>;
        return make(functions_, luma, format_.bit_depth, picture, positions_[index], workspace, taps, stages_, index);
    }

    /// Writes the words of all sums of one scale's c-values.
    void count(std::size_t counts, std::size_t k, const CambiCpuScale &scale, Workspace &workspace, Words words,
               Taps taps) const {
        CambiWindows windows(functions_, scale, demand_.counts[counts].contrast, workspace);
        const CambiSize size{scale.width, scale.height};
        const auto room = size.pixels() + cambi_word_bits * static_cast<std::size_t>(scale.height);
        const std::span<float> memory = workspace.take<float>(room + cambi_row_room);
        std::ptrdiff_t count = 0;
        CambiTotal total;
        for (int y = 0; y < scale.height; y++) {
            windows.move_to(y);
            const std::ptrdiff_t added = windows.c_values(y, false, memory.data() + count);
            const CambiTotal row = functions_.total(memory.data() + count, added, 0);
            total.sum += row.sum;
            total.count += row.count;
            count += added;
        }
        const std::span<const float> values = memory.first(static_cast<std::size_t>(count));
        std::span<float> plane; // all c-values in raster order, where they are needed
        if (taps.memory) {
            plane = raster(windows, size, workspace);
            put(taps, stages_.c_values(counts, k), plane, size);
        }
        for (std::size_t i = 0; i < demand_.sums.size(); i++) {
            if (demand_.sums[i].counts != counts)
                continue;
            const std::size_t wanted = cambi_pooled_count(demand_.sums[i].topk, size.pixels());
            double sum = total.sum;
            float smallest = 0;
            if (total.count > static_cast<std::int64_t>(wanted)) {
                smallest = cambi_nth_largest(values, static_cast<std::int64_t>(wanted));
                sum = largest(values, smallest, static_cast<std::int64_t>(wanted));
            }
            if (!cambi_sum_is_exact(values, smallest, sum)) {
                plane = raster(windows, size, workspace);
                sum = cambi_pooled_sum(plane, wanted);
            }
            words[i * CAMBI_SCALE_COUNT + k] = word_of(sum);
        }
    }

    /// The sum of the `wanted` largest values, of which `smallest` is the smallest.
    double largest(std::span<const float> values, float smallest, std::int64_t wanted) const {
        const CambiTotal larger = functions_.total(values.data(), std::ssize(values), smallest);
        return larger.sum + static_cast<double>(wanted - larger.count) * double{smallest};
    }

    static std::span<float> raster(CambiWindows &windows, const CambiSize &size, Workspace &workspace) {
        const std::span<float> plane = workspace.take<float>(size.pixels() + cambi_row_room);
        std::ranges::fill(plane, 0.0F);
        windows.clear();
        for (int y = 0; y < size.height; y++) {
            float *const row = plane.data() + std::ptrdiff_t{y} * size.width;
            windows.move_to(y);
            windows.c_values(y, true, row);
        }
        return plane.first(size.pixels());
    }

    static void put(Taps taps, int stage, std::span<const float> plane, const CambiSize &size) {
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++)
                taps.put_f32(stage, x, y,
                             plane[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) +
                                   static_cast<std::size_t>(x)]);
    }

    VideoFormat format_;
    CambiDemand demand_;
    CambiStages stages_;
    std::vector<CambiPositions> positions_; ///< of each picture
    const CambiFunctions &functions_;
};

} // namespace

const CambiFunctions *cambi_functions(CpuLevel level) {
    return functions_of<CambiFunctions>(cambi_functions_levels, level);
}

std::unique_ptr<Extractor> make_cambi_cpu(const VideoFormat &format, const CambiDemand &demand, CpuLevel cap) {
    const LevelEntry<CambiFunctions> *const newest = newest_entry<CambiFunctions>(cambi_functions_levels, cap);
    if (!newest)
        return nullptr;
    return std::make_unique<CambiPath>(format, demand, newest->level, *newest->functions);
}

} // namespace isovmaf
