// SPDX-License-Identifier: BSD-2-Clause-Patent
// The functions of MS-SSIM's CPU path on rows of as many columns as luma has, once for each row of a halved picture.
#include <array>
#include <memory>

#include "features/float_ms_ssim/float_ms_ssim_functions.hpp"
#include "features/float_ssim/float_ssim_cpu.hpp"
#include "features/testing/bench_functions.hpp"

namespace isovmaf::float_ms_ssim_bench {
namespace {

/// The rows of a window, which are all alike.
struct Window {
    Window(const testing::BenchPictures &pictures, CpuLevel level)
        : functions(*float_ms_ssim_functions(level)), width(pictures.format().width / 2),
          height(pictures.format().height / 2), out(take_ssim_row<float>(workspace, width)) {
        const VideoFormat &format = pictures.format();
        const SsimPicture picture = load_ssim_picture(*float_ssim_functions(level), pictures.second.reference.plane(0),
                                                      format.bit_depth, workspace);
        for (std::size_t i = 0; i < MS_SSIM_TAP_COUNT; i++) {
            rows[i] = {take_ssim_row<float>(workspace, width + MS_SSIM_TAP_COUNT),
                       take_ssim_row<float>(workspace, width + MS_SSIM_TAP_COUNT)};
            functions.split(picture.row(0), format.width, rows[i].even, rows[i].odd);
            sums[i] = take_ssim_row<double>(workspace, width);
        }
    }

    Workspace workspace;
    const MsSsimFunctions &functions;
    int width, height;
    float *out;
    std::array<MsSsimSplitRow, MS_SSIM_TAP_COUNT> rows;
    std::array<double *, MS_SSIM_TAP_COUNT> sums;
};

testing::BenchWork low_pass(const testing::BenchPictures &pictures, CpuLevel level) {
    return [window = std::make_shared<Window>(pictures, level)] {
        for (int y = 0; y < window->height; y++)
            window->functions.low_pass(window->rows.data(), window->width, window->out);
    };
}

testing::BenchWork sum_rows(const testing::BenchPictures &pictures, CpuLevel level) {
    return [window = std::make_shared<Window>(pictures, level)] {
        for (int y = 0; y < window->height; y++) {
            for (int v = 0; v <= MS_SSIM_TAP_COUNT / 2; v++)
                window->functions.sum_row(window->rows[0], v, window->width, window->sums[static_cast<std::size_t>(v)]);
            window->functions.add_rows(window->sums.data(), window->width, window->out);
        }
    };
}

const testing::BenchFunctions functions{{"float_ms_ssim_low_pass", low_pass}, {"float_ms_ssim_sum_rows", sum_rows}};

} // namespace
} // namespace isovmaf::float_ms_ssim_bench
