// SPDX-License-Identifier: BSD-2-Clause-Patent
// The functions of motion's CPU path, each on all rows of a picture.
#include <algorithm>
#include <array>
#include <memory>

#include "base/workspace.hpp"
#include "features/motion/motion_functions.hpp"
#include "features/testing/bench_functions.hpp"

namespace isovmaf::motion_bench {
namespace {

using testing::BenchPictures;
using testing::BenchWork;

/// The rows of one block, filled from the top of the picture.
struct BlockRows {
    Workspace workspace;
    std::array<MotionRow, motion_block_rows> rows;
    bool has_high = false;

    BlockRows(const BenchPictures &pictures, const MotionFunctions &functions) {
        const auto length = static_cast<std::size_t>(pictures.format().width + 3 * motion_row_step);
        for (MotionRow &row : rows)
            for (std::int16_t **values : {&row.low, &row.high}) {
                const auto memory = workspace.take<std::int16_t>(length);
                std::ranges::fill(memory, std::int16_t{0});
                *values = memory.data() + motion_row_step;
            }
        fill(pictures, functions, 0);
    }

    void fill(const BenchPictures &pictures, const MotionFunctions &functions, int top) {
        const VideoFormat &format = pictures.format();
        if (format.bytes_per_sample() == 1)
            has_high = functions.columns_8(window<std::uint8_t>(pictures, top), format.width, 8, rows.data());
        else
            has_high =
                functions.columns_16(window<std::uint16_t>(pictures, top), format.width, format.bit_depth, rows.data());
    }

  private:
    template <class Sample>
    static MotionWindow<Sample> window(const BenchPictures &pictures, int top) {
        MotionWindow<Sample> window;
        for (int k = 0; k < motion_window_rows; k++) {
            const int y = std::clamp(top - MOTION_TAP_COUNT / 2 + k, 0, pictures.format().height - 1);
            window.earlier[k] = pictures.first.reference.plane(0).row<Sample>(y);
            window.current[k] = pictures.second.reference.plane(0).row<Sample>(y);
        }
        return window;
    }
};

BenchWork columns(const BenchPictures &pictures, CpuLevel level) {
    const MotionFunctions &functions = *motion_functions(level);
    return [&, block = std::make_shared<BlockRows>(pictures, functions)] {
        for (int y = 0; y < pictures.format().height; y += motion_block_rows)
            block->fill(pictures, functions, y);
    };
}

BenchWork blur(const BenchPictures &pictures, CpuLevel level) {
    const MotionFunctions &functions = *motion_functions(level);
    return [&, block = std::make_shared<BlockRows>(pictures, functions)] {
        for (int y = 0; y < pictures.format().height; y++) {
            const MotionRow &row = block->rows[static_cast<std::size_t>(y % motion_block_rows)];
            functions.blur({row.low, block->has_high ? row.high : nullptr}, pictures.format().width, nullptr);
        }
    };
}

const testing::BenchFunctions functions{{"motion_columns", columns}, {"motion_blur", blur}};

} // namespace
} // namespace isovmaf::motion_bench
