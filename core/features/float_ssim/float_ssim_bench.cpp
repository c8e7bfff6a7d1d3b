// SPDX-License-Identifier: BSD-2-Clause-Patent
// The functions of SSIM's CPU path on all rows of luma, without a reduction.
#include <array>
#include <memory>

#include "features/float_ssim/float_ssim_cpu.hpp"
#include "features/testing/bench_functions.hpp"

namespace isovmaf::float_ssim_bench {
namespace {

/// Pictures, rows that were smoothed along, and rows that were smoothed down too.
struct Inputs {
    Inputs(const testing::BenchPictures &pictures, CpuLevel level)
        : functions(*float_ssim_functions(level)), reference(load(pictures.second.reference)),
          distorted(load(pictures.second.distorted)) {
        for (SsimMomentRow &row : rows) {
            take(row);
            functions.smooth_along(reference.row(0), distorted.row(0), width(), row);
        }
        for (SsimMomentRow &row : smoothed)
            take(row);
        functions.smooth_down(rows.data(), width(), smoothed.data());
    }

    SsimPicture load(const Frame &frame) {
        return load_ssim_picture(functions, frame.plane(0), frame.format().bit_depth, workspace);
    }

    void take(SsimMomentRow &row) {
        for (float *&plane : row.planes)
            plane = take_ssim_row<float>(workspace, width());
    }

    [[nodiscard]] int width() const { return reference.width - SSIM_TAP_COUNT + 1; }

    Workspace workspace;
    const SsimFunctions &functions;
    SsimPicture reference, distorted;
    std::array<SsimMomentRow, ssim_band_rows + SSIM_TAP_COUNT - 1> rows;
    std::array<SsimMomentRow, ssim_band_rows> smoothed;
};

testing::BenchWork smooth_along(const testing::BenchPictures &pictures, CpuLevel level) {
    return [inputs = std::make_shared<Inputs>(pictures, level)] {
        for (int y = 0; y < inputs->reference.height; y++)
            inputs->functions.smooth_along(inputs->reference.row(y), inputs->distorted.row(y), inputs->width(),
                                           inputs->rows[0]);
    };
}

testing::BenchWork smooth_down(const testing::BenchPictures &pictures, CpuLevel level) {
    return [inputs = std::make_shared<Inputs>(pictures, level)] {
        for (int y = 0; y < inputs->reference.height; y += ssim_band_rows)
            inputs->functions.smooth_down(inputs->rows.data(), inputs->width(), inputs->smoothed.data());
    };
}

testing::BenchWork compare(const testing::BenchPictures &pictures, CpuLevel level) {
    return [inputs = std::make_shared<Inputs>(pictures, level)] {
        SsimSums sums{};
        for (int y = 0; y < inputs->reference.height; y++)
            inputs->functions.compare(inputs->smoothed[0], inputs->width(), sums, nullptr);
    };
}

const testing::BenchFunctions functions{{"float_ssim_smooth_along", smooth_along},
                                        {"float_ssim_smooth_down", smooth_down},
                                        {"float_ssim_compare", compare}};

} // namespace
} // namespace isovmaf::float_ssim_bench
