// SPDX-License-Identifier: BSD-2-Clause-Patent
// The functions of SSIM's CPU path on all rows of luma, without a reduction.
#include <array>
#include <memory>

#include "features/float_ssim/float_ssim_cpu.hpp"
#include "features/testing/bench_functions.hpp"

namespace isovmaf::float_ssim_bench {
namespace {

/// Pictures, and rows that were smoothed along.
struct Inputs {
    Inputs(const testing::BenchPictures &pictures, CpuLevel level)
        : functions(*float_ssim_functions(level)), reference(load(pictures.second.reference)),
          distorted(load(pictures.second.distorted)) {
        for (SsimMomentRow &row : rows) {
            for (float *&plane : row.planes)
                plane = take_ssim_row<float>(workspace, width());
            functions.smooth_along(reference.row(0), distorted.row(0), width(), row);
        }
    }

    SsimPicture load(const Frame &frame) {
        return load_ssim_picture(functions, frame.plane(0), frame.format().bit_depth, workspace);
    }

    [[nodiscard]] int width() const { return reference.width - SSIM_TAP_COUNT + 1; }

    Workspace workspace;
    const SsimFunctions &functions;
    SsimPicture reference, distorted;
    std::array<SsimMomentRow, SSIM_TAP_COUNT> rows;
};

testing::BenchWork smooth_along(const testing::BenchPictures &pictures, CpuLevel level) {
    return [inputs = std::make_shared<Inputs>(pictures, level)] {
        for (int y = 0; y < inputs->reference.height; y++)
            inputs->functions.smooth_along(inputs->reference.row(y), inputs->distorted.row(y), inputs->width(),
                                           inputs->rows[0]);
    };
}

testing::BenchWork compare(const testing::BenchPictures &pictures, CpuLevel level) {
    return [inputs = std::make_shared<Inputs>(pictures, level)] {
        SsimSums sums{};
        for (int y = 0; y < inputs->reference.height; y++)
            inputs->functions.compare(inputs->rows.data(), inputs->width(), sums, nullptr);
    };
}

const testing::BenchFunctions functions{{"float_ssim_smooth_along", smooth_along}, {"float_ssim_compare", compare}};

} // namespace
} // namespace isovmaf::float_ssim_bench
