// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of motion: motion_vectors.cpp block by block. A block is a few rows of the blurred difference; each
// difference that is wanted is done while the block's rows are in the cache.
#include <algorithm>
#include <array>

#include "features/motion/motion.hpp"
#include "features/motion/motion_functions.hpp"
#include "portable/edges.h"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(MotionFunctions, motion_functions);

namespace {

constexpr int motion_radius = MOTION_TAP_COUNT / 2;

bool blur_columns(const MotionFunctions &functions, const MotionWindow<std::uint8_t> &window, int width, int bit_depth,
                  const MotionRow *rows) {
    return functions.columns_8(window, width, bit_depth, rows);
}
bool blur_columns(const MotionFunctions &functions, const MotionWindow<std::uint16_t> &window, int width, int bit_depth,
                  const MotionRow *rows) {
    return functions.columns_16(window, width, bit_depth, rows);
}

/// Which row or column stands for one outside the picture: mirror_101 or mirror_asymmetric.
using MotionMirror = std::int32_t (*)(std::int32_t index, std::int32_t count);

/// Rows of one block, counted from the top of the picture.
struct MotionBlock {
    int begin, end;
};

/// MotionScratch memory of one band.
template <class Sample>
struct MotionScratch {
    MotionScratch(int picture_width, bool keeps_values, Workspace &workspace) : width(picture_width) {
        const int inner = (width + motion_row_step - 1) / motion_row_step * motion_row_step;
        const auto take_row = [&] {
            return workspace.take<std::int16_t>(static_cast<std::size_t>(inner + 2 * motion_row_step)).data() +
                   motion_row_step;
        };
        for (MotionRow &row : rows)
            row = {take_row(), take_row()};
        for (auto &picture : blurred)
            for (std::int32_t *&row : picture)
                row = keeps_values ? workspace.take<std::int32_t>(static_cast<std::size_t>(inner)).data() : nullptr;
    }

    int width;
    std::array<MotionRow, motion_block_rows> rows;
    std::array<std::array<std::int32_t *, motion_block_rows>, 2> blurred; ///< one picture, or two; null unless kept
    std::span<Sample> grey{}; ///< a row of mid-grey, where single pictures are blurred
};

void mirror_motion_ends(const MotionRow &row, int width, MotionMirror mirror) {
    for (std::int16_t *const values : {row.low, row.high})
        for (int i = 1; i <= motion_radius && values; i++) {
            values[-i] = values[mirror(-i, width)];
            values[width - 1 + i] = values[mirror(width - 1 + i, width)];
        }
}

template <class Sample>
class MotionPath final : public BandedExtractor {
  public:
    MotionPath(int bit_depth, const MotionDemand &demand, CpuLevel level, const MotionFunctions &functions)
        : BandedExtractor(level), bit_depth_(bit_depth), demand_(demand), stages_(motion_stages(demand)),
          functions_(functions) {}

    void extract_band(const PictureWindow &frames, Band band, Workspace &workspace, Words sums,
                      Taps taps) const override {
        const Plane &current = frames.reference->plane(0);
        const auto [back1, back2] = frames.earlier_reference;
        const bool blurs_each = demand_.blur == MotionBlur::each_picture;
        MotionScratch<Sample> scratch(current.width, blurs_each || taps.memory, workspace);
        if (blurs_each) {
            scratch.grey = workspace.take<Sample>(static_cast<std::size_t>(current.width));
            std::ranges::fill(scratch.grey, static_cast<Sample>(1 << (bit_depth_ - 1)));
        }
        std::ranges::fill(sums, 0);
        const int end = band.end(current.height);
        for (int y = band.begin(current.height); y < end; y += motion_block_rows) {
            const MotionBlock block{y, std::min(y + motion_block_rows, end)};
            const auto compare = [&](const HostPicture &earlier, const MotionStages &stages) {
                return blurs_each ? legacy_difference(earlier.plane(0), current, block, scratch, taps, stages)
                                  : difference(earlier.plane(0), current, block, scratch, taps, stages);
            };
            if (demand_.one_back && back1)
                sums[motion_word(demand_.blur, 1)] += compare(*back1, stages_.one_back);
            if (demand_.two_back && back2)
                sums[motion_word(demand_.blur, 2)] += compare(*back2, stages_.two_back);
        }
    }

  private:
    std::int64_t difference(const Plane &earlier, const Plane &current, MotionBlock block,
                            const MotionScratch<Sample> &scratch, Taps taps, const MotionStages &stages) const {
        MotionWindow<Sample> window;
        point(window.earlier, earlier, block, mirror_101);
        point(window.current, current, block, mirror_101);
        return blur(window, block, mirror_101, scratch, taps, stages, 0);
    }

    /// MotionBlur::each_picture, which keeps 16 bits of the results. Here it is the picture's difference to
    /// mid-grey that is blurred: it has smaller values, each of them lower by grey_level.
    std::int64_t legacy_difference(const Plane &earlier, const Plane &current, MotionBlock block,
                                   const MotionScratch<Sample> &scratch, Taps taps, const MotionStages &stages) const {
        MotionWindow<Sample> window;
        std::ranges::fill(window.current, scratch.grey.data());
        for (const int layer : {0, 1}) {
            point(window.earlier, layer == 0 ? earlier : current, block, mirror_asymmetric);
            blur(window, block, mirror_asymmetric, scratch, taps, stages, layer);
        }
        std::int64_t sum = 0;
        for (int y = block.begin; y < block.end; y++) {
            const auto row = static_cast<std::size_t>(y - block.begin);
            const std::int64_t row_sum =
                functions_.distance(scratch.blurred[0][row], scratch.blurred[1][row], scratch.width);
            if (taps.memory)
                taps.put(stages.row_sums(), 0, y, row_sum);
            sum += row_sum;
        }
        return sum;
    }

    /// Fills a picture's half of a window. A short block does not use the window's last rows: they repeat another.
    static void point(const Sample **rows, const Plane &plane, MotionBlock block, MotionMirror mirror) {
        for (int k = 0; k < motion_window_rows; k++) {
            const int y = std::min(block.begin - motion_radius + k, block.end - 1 + motion_radius);
            rows[k] = plane.row<Sample>(mirror(y, plane.height));
        }
    }

    /// Blurs a block and returns the sum of the absolute values.
    std::int64_t blur(const MotionWindow<Sample> &window, MotionBlock block, MotionMirror mirror,
                      const MotionScratch<Sample> &scratch, Taps taps, const MotionStages &stages, int layer) const {
        const bool has_high = blur_columns(functions_, window, scratch.width, bit_depth_, scratch.rows.data());
        std::int64_t sum = 0;
        for (int y = block.begin; y < block.end; y++) {
            const auto index = static_cast<std::size_t>(y - block.begin);
            const MotionRow row{scratch.rows[index].low, has_high ? scratch.rows[index].high : nullptr};
            std::int32_t *const blurred = scratch.blurred[static_cast<std::size_t>(layer)][index];
            mirror_motion_ends(row, scratch.width, mirror);
            const std::int64_t row_sum = functions_.blur(row, scratch.width, blurred);
            if (taps.memory)
                put_row(taps, stages, layer, y, row, {blurred, static_cast<std::size_t>(scratch.width)});
            if (taps.memory && stages.layers == 1)
                taps.put(stages.row_sums(), 0, y, row_sum);
            sum += row_sum;
        }
        return sum;
    }

    static constexpr std::int32_t grey_level = 1 << 15; ///< mid-grey after either direction, at every depth

    static void put_row(Taps taps, const MotionStages &stages, int layer, int y, const MotionRow &row,
                        std::span<const std::int32_t> blurred) {
        const bool grey = stages.layers == 2;
        for (int x = 0; x < static_cast<int>(blurred.size()); x++) {
            const std::int32_t column = (row.high ? row.high[x] * 65536 : 0) + row.low[x];
            const std::int32_t value = blurred[static_cast<std::size_t>(x)];
            taps.put(stages.column(layer), x, y, grey ? column + grey_level : column);
            taps.put(stages.blurred(layer), x, y, grey ? static_cast<std::uint16_t>(value + grey_level) : value);
        }
    }

    int bit_depth_;
    MotionDemand demand_;
    MotionDemandStages stages_;
    const MotionFunctions &functions_;
};

} // namespace

const MotionFunctions *motion_functions(CpuLevel level) {
    return functions_of<MotionFunctions>(motion_functions_levels, level);
}

std::unique_ptr<Extractor> make_motion_cpu(const VideoFormat &format, const MotionDemand &demand, CpuLevel cap) {
    const LevelEntry<MotionFunctions> *const newest = newest_entry<MotionFunctions>(motion_functions_levels, cap);
    if (!newest)
        return nullptr;
    if (format.bytes_per_sample() == 1)
        return std::make_unique<MotionPath<std::uint8_t>>(format.bit_depth, demand, newest->level, *newest->functions);
    return std::make_unique<MotionPath<std::uint16_t>>(format.bit_depth, demand, newest->level, *newest->functions);
}

} // namespace isovmaf
