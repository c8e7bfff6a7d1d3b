// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of motion's sums, line by line from features.md §2.1 and §2.4.
#include "features/motion/motion.hpp"

#include <algorithm>
#include <cstdlib>

#include "features/motion/motion_math.h"
#include "portable/edges.h"

namespace isovmaf {

namespace {

constexpr int radius = MOTION_TAP_COUNT / 2;

void put_row(Taps taps, int stage, int y, const std::int32_t *values, int count) {
    for (int x = 0; x < count && taps.memory; x++)
        taps.put(stage, x, y, values[x]);
}

/// Σ|blur(earlier - current)| over the frame: features.md §2.1 steps 1 to 3.
template <class Sample>
std::int64_t blurred_difference(const Plane &earlier, const Plane &current, int bit_depth, Workspace &workspace,
                                Taps taps, const MotionStages &stages) {
    const int w = current.width, h = current.height;
    const auto column = workspace.take<std::int32_t>(static_cast<std::size_t>(w + 2 * radius));
    std::int32_t *const y = column.data() + radius; // y[-2..w+1], mirrored ends included
    const auto blurred = workspace.take<std::int32_t>(static_cast<std::size_t>(w));
    std::int64_t sad = 0;
    for (int i = 0; i < h; i++) {
        const Sample *p[MOTION_TAP_COUNT], *c[MOTION_TAP_COUNT];
        for (int k = 0; k < MOTION_TAP_COUNT; k++) {
            const int row = mirror_101(i - radius + k, h);
            p[k] = earlier.row<Sample>(row);
            c[k] = current.row<Sample>(row);
        }
        for (int j = 0; j < w; j++) {
            std::int64_t sum = 0;
            for (int k = 0; k < MOTION_TAP_COUNT; k++)
                sum += std::int64_t{motion_taps[k]} * (std::int32_t{p[k][j]} - std::int32_t{c[k][j]});
            y[j] = motion_round_vertical(sum, bit_depth);
        }
        put_row(taps, stages.column(0), i, y, w);
        for (int j = 1; j <= radius; j++) {
            y[-j] = y[mirror_101(-j, w)];
            y[w - 1 + j] = y[mirror_101(w - 1 + j, w)];
        }
        std::int64_t row_sum = 0;
        for (int j = 0; j < w; j++) {
            std::int64_t sum = 0;
            for (int k = 0; k < MOTION_TAP_COUNT; k++)
                sum += std::int64_t{motion_taps[k]} * y[j - radius + k];
            blurred[static_cast<std::size_t>(j)] = motion_round_horizontal(sum);
            row_sum += std::abs(blurred[static_cast<std::size_t>(j)]);
        }
        put_row(taps, stages.blurred(0), i, blurred.data(), w);
        if (taps.memory)
            taps.put(stages.row_sums(), 0, i, row_sum);
        sad += row_sum;
    }
    return sad;
}

/// Blurred plane of MotionBlur::each_picture: MASYM edges, u16 after each direction (features.md §2.4).
template <class Sample>
std::span<std::uint16_t> legacy_blur(const Plane &plane, int bit_depth, Workspace &workspace, Taps taps,
                                     const MotionStages &stages, int layer) {
    const int w = plane.width, h = plane.height;
    const auto blurred = workspace.take<std::uint16_t>(static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
    const auto column = workspace.take<std::int32_t>(static_cast<std::size_t>(w));
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < w; j++) {
            std::int64_t sum = 0;
            for (int k = 0; k < MOTION_TAP_COUNT; k++)
                sum += std::int64_t{motion_taps[k]} * plane.row<Sample>(mirror_asymmetric(i - radius + k, h))[j];
            column[static_cast<std::size_t>(j)] = motion_round_vertical(sum, bit_depth);
        }
        put_row(taps, stages.column(layer), i, column.data(), w);
        for (int j = 0; j < w; j++) {
            std::int64_t sum = 0;
            for (int k = 0; k < MOTION_TAP_COUNT; k++)
                sum += std::int64_t{motion_taps[k]} *
                       column[static_cast<std::size_t>(mirror_asymmetric(j - radius + k, w))];
            const auto value = static_cast<std::uint16_t>(motion_round_horizontal(sum));
            blurred[static_cast<std::size_t>(i) * static_cast<std::size_t>(w) + static_cast<std::size_t>(j)] = value;
            if (taps.memory)
                taps.put(stages.blurred(layer), j, i, value);
        }
    }
    return blurred;
}

template <class Sample>
std::int64_t legacy_difference(const Plane &earlier, const Plane &current, int bit_depth, Workspace &workspace,
                               Taps taps, const MotionStages &stages) {
    const auto a = legacy_blur<Sample>(earlier, bit_depth, workspace, taps, stages, 0);
    const auto b = legacy_blur<Sample>(current, bit_depth, workspace, taps, stages, 1);
    const auto w = static_cast<std::size_t>(current.width);
    std::int64_t sad = 0;
    for (int y = 0; y < current.height; y++) {
        const std::size_t row = static_cast<std::size_t>(y) * w;
        std::int64_t row_sum = 0;
        for (std::size_t i = row; i < row + w; i++)
            row_sum += std::abs(std::int32_t{a[i]} - std::int32_t{b[i]});
        if (taps.memory)
            taps.put(stages.row_sums(), 0, y, row_sum);
        sad += row_sum;
    }
    return sad;
}

template <class Sample>
class MotionReference final : public Extractor {
  public:
    MotionReference(int bit_depth, const MotionDemand &demand) : bit_depth_(bit_depth), demand_(demand) {}

    void extract(const PictureWindow &frames, Workspace &workspace, Words sums, Taps taps) const override {
        const Plane &current = frames.reference->plane(0);
        const auto [back1, back2] = frames.earlier_reference;
        const auto compare =
            demand_.blur == MotionBlur::difference ? blurred_difference<Sample> : legacy_difference<Sample>;
        const MotionDemandStages stages = motion_stages(demand_);
        std::ranges::fill(sums, 0);
        if (demand_.one_back && back1)
            sums[motion_word(demand_.blur, 1)] =
                compare(back1->plane(0), current, bit_depth_, workspace, taps, stages.one_back);
        if (demand_.two_back && back2)
            sums[motion_word(demand_.blur, 2)] =
                compare(back2->plane(0), current, bit_depth_, workspace, taps, stages.two_back);
    }

  private:
    int bit_depth_;
    MotionDemand demand_;
};

} // namespace

std::unique_ptr<Extractor> make_motion_reference(const VideoFormat &format, const MotionDemand &demand) {
    if (format.bytes_per_sample() == 1)
        return std::make_unique<MotionReference<std::uint8_t>>(format.bit_depth, demand);
    return std::make_unique<MotionReference<std::uint16_t>>(format.bit_depth, demand);
}

} // namespace isovmaf
